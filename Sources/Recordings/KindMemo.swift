/// What was found out about kinds of readings, so that it is found out once for each: a workout has some ten.
package struct KindMemo<Value> {
    /// Whoever makes a kind for each reading does not make this grow.
    private static var limit: Int { 32 }

    private var known: [(kind: ReadingKind, value: Value)] = []

    package init() {}

    /// Nil where nothing was noted, or so many others were since.
    @inline(__always)
    package subscript(kind: ReadingKind) -> Value? {
        for place in known.indices where known[place].kind === kind { return known[place].value }
        return known.first { $0.kind == kind }?.value
    }

    package mutating func note(_ value: Value, of kind: ReadingKind) {
        if known.count == Self.limit { known.removeFirst() }
        known.append((kind, value))
    }

    package mutating func forget() { known.removeAll() }
}

extension KindMemo: Sendable where Value: Sendable {}
