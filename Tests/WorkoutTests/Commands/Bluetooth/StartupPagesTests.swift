import Foundation
import Testing

@testable import workout

@Suite struct StartupPagesTests {
    private static func mapping(_ range: String, _ permissions: String, _ path: String, anonymous: Int) -> String {
        let size = String(repeating: " ", count: 10 - "\(anonymous)".count) + "\(anonymous)"
        return """
            \(range) \(permissions) 00000000 fe:01 1234                       \(path)
            Size:                 40 kB
            Rss:                  40 kB
            Anonymous:    \(size) kB
            VmFlags: rd ex mr mw me

            """
    }

    @Test func `only unchanged, read-only pages are released`() {
        let mappings = [
            Self.mapping("1000-3000", "r-xp", "/usr/bin/work out", anonymous: 0),
            // A breakpoint.
            Self.mapping("3000-4000", "r-xp", "/usr/bin/gdb", anonymous: 4),
            Self.mapping("4000-5000", "rw-p", "/usr/bin/work out", anonymous: 0),
            // Relocated, then closed.
            Self.mapping("5000-6000", "r--p", "/usr/bin/work out", anonymous: 8),
            Self.mapping("6000-7000", "r--p", "/usr/lib/libc.so.6", anonymous: 0),
            Self.mapping("7000-8000", "r--s", "/usr/share/cache", anonymous: 0),
            Self.mapping("8000-9000", "r-xp", "", anonymous: 0),
            Self.mapping("7ffd1a5f3000-7ffd1a5f5000", "r-xp", "[vdso]", anonymous: 0),
            "nonsense\n",
        ]
        #expect(StartupPages.unwritten(mappings: mappings.joined()) == [0x1000..<0x3000, 0x6000..<0x7000])
    }

    @Test func `released pages are available when needed`() throws {
        let file = try #require(fopen("/proc/self/smaps", "re"))
        defer { fclose(file) }
        let mappings = StartupPages.text(of: file)
        #expect(StartupPages.unwritten(mappings: mappings).map(\.count).reduce(0, +) > 1 << 20)
        StartupPages.giveBack()
        #expect([3, 1, 2].sorted().map { "\($0)" } == ["1", "2", "3"])
        #expect(Date(timeIntervalSince1970: 0).formatted(.iso8601) == "1970-01-01T00:00:00Z")
    }

    /// The start of the table is not enough: the libraries come after the program.
    @Test func `the table of mappings is read to its end`() throws {
        let file = try #require(fopen("/proc/self/smaps", "re"))
        defer { fclose(file) }
        let mappings = StartupPages.text(of: file)
        #expect(mappings.contains("/libc.so"))
        #expect(mappings.contains("[stack]"))
        #expect(mappings.hasSuffix("\n"))
    }
}
