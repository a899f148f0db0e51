import NIOCore
import Testing

@testable import Mirroring

@Suite struct RefusalReportsTests {
    private let now = ContinuousClock.now

    private func origin(_ address: String) throws -> ConnectionOrigin {
        ConnectionOrigin(try SocketAddress(ipAddress: address, port: 1))
    }

    @Test func `an origin gets one line in ten seconds, with the number of omitted ones`() throws {
        var reports = RefusalReports()
        let (one, other) = try (origin("10.0.0.1"), origin("10.0.0.2"))
        #expect(reports.line("a", from: one, at: now) == "a")
        for second in 1...9 { #expect(reports.line("b", from: one, at: now + .seconds(second)) == nil) }
        #expect(reports.line("c", from: other, at: now + .seconds(9)) == "c")
        #expect(reports.line("d", from: one, at: now + .seconds(10)) == "d (and 9 more since the last line)")
        #expect(reports.line("e", from: one, at: now + .seconds(30)) == "e")
    }

    @Test func `many origins get few lines`() throws {
        var reports = RefusalReports()
        let lines = try (0..<1_000).count {
            try reports.line("a", from: origin("10.0.\($0 / 250).\($0 % 250)"), at: now) != nil
        }
        #expect(lines == RefusalReports.remembered + 1)
        let line = try reports.line("a", from: origin("10.1.0.0"), at: now + .seconds(10))
        #expect(line == "a")
    }

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false), ("::ffff:10.0.0.1", "10.0.0.1", true),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", false), ("2001:db8::1", "2001:db8::ffff:2", true),
        ("2001:db8::1", "2001:db8:0:1::1", false),
    ])
    func `a 64-bit network of IPv6 counts as one origin`(one: String, other: String, isSame: Bool) throws {
        let (one, other) = try (origin(one), origin(other))
        #expect((one == other) == isSame)
    }
}
