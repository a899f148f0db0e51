import Analytics
import Foundation
import MadeEntries
import Testing
import XML

@testable import Recordings
@testable import SessionLog

struct JSONNumberTests {
    @Test(
        arguments: [
            (142.0, "142"), (0, "0"), (-0.0, "-0"), (806.6, "806.6"), (-0.5, "-0.5"), (47.1234567, "47.1234567"),
            (0.1 + 0.2, "0.30000000000000004"), (1e22, "1e+22"), (123_456_789_012_345, "123456789012345"),
            (0.001, "0.001"),
            (1e-7, "1e-07"), (812.5, "812.5"), (1000.0 / 3, "333.3333333333333"),
        ] as [(Double, String)])
    func `a number is as short as possible`(value: Double, text: String) {
        #expect(written(value) == text)
    }

    @Test func `numbers are formatted as in Swift without a fraction of zero, and restored bit by bit`() throws {
        var random = RandomEntries(seed: 3)
        for _ in 0..<20_000 {
            let value = random.number()
            let text = written(value)
            let swift = value.description
            if value.magnitude < 1e12 {
                #expect(text == (swift.hasSuffix(".0") ? String(swift.dropLast(2)) : swift))
            }
            #expect(try read(text).bitPattern == value.bitPattern, "\(text)")
        }
    }

    @Test(arguments: [
        "0.1", "1.7976931348623157e308", "5e-324", "2.2250738585072011e-308", "9007199254740993", "1e23", "8.5e22",
        "123456789012345678901234567890", "0.000000000000000000000000000000000001", "1E+2", "4.35", "-1e-400", "2.5e22",
        "179769313486231570000000000000000000000", "9999999999999999999", "1.00000000000000000000000000000000000001",
    ])
    func `a number is parsed as in Swift`(text: String) throws {
        #expect(try read(text).bitPattern == Double(text)?.bitPattern)
    }

    @Test func `numbers of many digits are parsed as in Swift`() throws {
        var random = SeededGenerator(seed: 11)
        for round in 0..<60_000 {
            var text = round % 3 == 0 ? "-" : ""
            for place in 0..<2 {
                let count = Int.random(in: 1...(place == 0 ? 4 : 24), using: &random)
                let digits = (0..<count).map { _ in Int.random(in: 0...9, using: &random) }
                text += (place == 0 ? "1" : ".") + digits.map(String.init).joined()
            }
            // As close to the middle between two numbers as digits can express.
            if round % 5 == 0, let value = Double(text) {
                text = String(format: "%.17g", (value + value.nextUp) / 2)
            }
            #expect(try read(text).bitPattern == Double(text)?.bitPattern, "\(text)")
            #expect(XMLNumber.value(of: text)?.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
    }

    @Test(arguments: [
        "9007199254740993", "9007199254740992.9999999999999999999", "9007199254740993.0000000000000000000000000001",
        "0.500000000000000166533453693773481063544750213623046875", "18446744073709551615", "18446744073709551615.5",
        "123456789012345678901234.5", "46.079871179535910000001", "0.0000000000000000001", "-0.00000000000000000012",
        "1.00000000000000011102230246251565404236316680908203125", "99999999999999999999e-19",
    ])
    func `a number between two is rounded to the nearer one`(text: String) {
        #expect(XMLNumber.value(of: text)?.bitPattern == Double(text)?.bitPattern)
    }

    @Test(arguments: [
        "01", "-", "+1", ".5", "1.", "1e", "1e+", "--1", "0x10", "1e999", "NaN", "Infinity", "1_000", "-01",
    ])
    func `an invalid JSON number is rejected`(text: String) {
        #expect(throws: LineFault.self) { try read(text) }
    }

    private func written(_ value: Double) -> String {
        var bytes: [UInt8] = []
        JSONNumber.append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func read(_ text: String) throws -> Double {
        try Array(text.utf8).withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            let value = try scanner.value(depth: 0)
            guard value.kind == .number, scanner.isAtEnd() else { throw scanner.fault("no number") }
            return value.number
        }
    }
}
