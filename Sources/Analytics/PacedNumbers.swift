/// Numbers of which only those are kept that change the pace: the times of a sensor that measures once a second take no
/// memory, however many there are.
///
/// Every number comes back exactly.
package struct PacedNumbers: RandomAccessCollection, Sendable, Equatable {
    /// Numbers at a steady pace, up to the place of the next stretch.
    private struct Stretch: Sendable, Equatable {
        var place: Int
        var first: Double
        var step: Double

        func number(at place: Int) -> Double {
            // A negative zero is no sum.
            place == self.place ? first : first + step * Double(place - self.place)
        }
    }

    private var stretches: [Stretch] = []
    package private(set) var endIndex = 0

    package var startIndex: Int { 0 }

    /// The number of places that take memory.
    var stretchCount: Int { stretches.count }

    package init() {}

    package mutating func append(_ number: Double) {
        defer { endIndex += 1 }
        guard var last = stretches.last else { return begin(number) }
        let isSecond = endIndex - last.place == 1
        if isSecond { last.step = number - last.first }
        guard last.step.isFinite, last.number(at: endIndex).bitPattern == number.bitPattern else {
            return begin(number)
        }
        if isSecond { stretches[stretches.count - 1] = last }
    }

    private mutating func begin(_ number: Double) {
        stretches.append(Stretch(place: endIndex, first: number, step: 0))
    }

    package subscript(place: Int) -> Double {
        if let last = stretches.last, last.place <= place { return last.number(at: place) }
        return stretches[stretches.partitioningIndex { $0.place > place } - 1].number(at: place)
    }

    /// The last number. Nil if there is none.
    package var last: Double? { endIndex > 0 ? self[endIndex - 1] : nil }
}
