import Testing

@testable import workout

@Suite(.enabled(if: QRCode("x") != nil, "qrencode is not installed")) struct QRCodeTests {
    @Test func `a code is a square with finder patterns in three corners`() throws {
        let code = try #require(QRCode("https://192.0.2.7:8421/?key=k3x9-01ab-cdef-ghjk")).modules
        #expect(code.allSatisfy { $0.count == code.count })
        // ISO/IEC 18004, 6.3.3.1: seven dark modules, with five light ones inside.
        func hasFinder(_ row: Int, _ column: Int) -> Bool {
            (0..<7).allSatisfy { code[row][column + $0] && code[row + 6][column + $0] }
                && (1..<6).allSatisfy { !code[row + 1][column + $0] }
        }
        let last = code.count - 7
        #expect(hasFinder(0, 0) && hasFinder(0, last) && hasFinder(last, 0))
        #expect(!hasFinder(last, last))
    }

    @Test func `its lines are even, with a light margin`() throws {
        let lines = try #require(QRCode("key")).lines(.plain)
        #expect(Set(lines.map(\.count)).count == 1)
        #expect(lines[0].allSatisfy { $0 == "█" })
        #expect(lines.allSatisfy { $0.hasPrefix("██") && $0.hasSuffix("██") || $0.allSatisfy { "█▀".contains($0) } })
    }

    @Test func `text that is too long for a code has none`() {
        #expect(QRCode(String(repeating: "x", count: 3_000)) == nil)
    }

    @Test func `without qrencode there is no code`() {
        #expect(QRCode("x", path: "/nowhere") == nil)
    }
}
