import Testing

@testable import Analytics

struct PacedNumbersTests {
    private func paced(_ numbers: [Double]) -> PacedNumbers {
        var paced = PacedNumbers()
        for number in numbers { paced.append(number) }
        return paced
    }

    @Test func `equally spaced numbers take one entry, however many there are`() {
        let seconds = paced((0..<100_000).map(Double.init))
        #expect(seconds.count == 100_000)
        #expect(seconds.stretchCount == 1)
        #expect(seconds.last == 99_999)
        #expect(seconds[12_345] == 12_345)
    }

    @Test func `a gap takes another entry`() {
        let seconds = paced((0..<100).map(Double.init) + (200..<300).map(Double.init))
        #expect(seconds.stretchCount == 2)
        #expect(Array(seconds[98..<102]) == [98, 99, 200, 201])
    }

    @Test func `any numbers are restored bit by bit`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            var number = Double.random(in: -10...10, using: &generator)
            var step = 1.0
            let numbers = (0..<500).map { _ in
                if Int.random(in: 0..<7, using: &generator) == 0 {
                    step = [0, 0.1, 1, 1.0 / 1024, .random(in: -1...1)].randomElement(using: &generator) ?? 1
                }
                number += step
                return number
            }
            #expect(Array(paced(numbers)).map(\.bitPattern) == numbers.map(\.bitPattern))
        }
        #expect(paced([]).last == nil)
        #expect(Array(paced([.infinity, 1, .infinity])) == [.infinity, 1, .infinity])
        #expect(Array(paced([-0.0, 0, 1])).map(\.sign) == [.minus, .plus, .plus])
    }
}
