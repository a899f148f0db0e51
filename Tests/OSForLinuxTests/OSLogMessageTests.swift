import Foundation
import Testing

@testable import OSForLinux

private struct Strap: CustomStringConvertible { var description: String { "H10" } }
private enum Fault: Error { case away }

/// How messages are composed. The rules are those of <https://developer.apple.com/documentation/os/oslogprivacy>.
@Suite struct OSLogMessageTests {
    private func text(_ message: OSLogMessage, showsPrivate: Bool = false) -> String {
        message.text(showsPrivate: showsPrivate)
    }

    @Test func `text and objects are private by default, and numbers, Booleans and types are public`() {
        let name = "Anna"
        #expect(text("hello \(name)") == "hello <private>")
        #expect(text("\(Strap())") == "<private>")
        #expect(text("\(NSNumber(value: 3))") == "<private>")
        #expect(text("\(Fault.away)") == "<private>")
        #expect(text("\(URL(filePath: "/tmp"))") == "<private>")
        #expect(text("\([1, 2])") == "<private>")
        #expect(
            text("\(142) \(UInt8(3)) \(2.5) \(Float(0.5)) \(CGFloat(1)) \(true)")
                == "142 3 2.500000 0.500000 1.000000 true")
        #expect(text("\(Strap.self)") == "Strap")
    }

    @Test func `public values are shown, and private numbers are not`() {
        #expect(text("\("Anna", privacy: .public) \(Strap(), privacy: .public)") == "Anna H10")
        #expect(text("\(NSError(domain: "d", code: 1), privacy: .public)").contains("d"))
        #expect(text("\(Fault.away, privacy: .public)") == "away")
        #expect(text("\(Fault.away as any Error, privacy: .public)") == "away")
        #expect(text("\(142, privacy: .private) \(2.5, privacy: .sensitive)") == "<private> <private>")
    }

    @Test func `private values can be shown, and sensitive ones cannot`() {
        #expect(text("\("Anna") \(5, privacy: .private)", showsPrivate: true) == "Anna 5")
        #expect(text("\("Anna", privacy: .sensitive)", showsPrivate: true) == "<private>")
        #expect(text("\("Anna", privacy: .private(mask: .hash))", showsPrivate: true) == "Anna")
    }

    @Test func `a hash distinguishes values without showing them`() {
        let anna = text("\("Anna", privacy: .private(mask: .hash))")
        #expect(anna == text("\("Anna", privacy: .auto(mask: .hash))"))
        #expect(anna == text("\("Anna", privacy: .sensitive(mask: .hash))", showsPrivate: true))
        #expect(anna != text("\("Bert", privacy: .private(mask: .hash))"))
        #expect(anna.hasPrefix("<mask.hash: ") && !anna.contains("Anna"))
        #expect(text("\(123, privacy: .auto(mask: .hash))") == "123")
    }

    @Test func `integers have their formats`() {
        #expect(text("\(255, format: .hex)") == "ff")
        #expect(text("\(255, format: .hex(includePrefix: true, uppercase: true, minDigits: 4))") == "0x00FF")
        #expect(text("\(8, format: .octal(includePrefix: true))") == "0o10")
        #expect(text("\(7, format: .decimal(explicitPositiveSign: true, minDigits: 3))") == "+007")
        #expect(text("\(-7, format: .decimal(minDigits: 3))") == "-007")
        #expect(text("\(Int64.min)") == "-9223372036854775808")
    }

    @Test func `fractional numbers have their formats`() {
        #expect(text("\(3.14159, format: .fixed(precision: 2))") == "3.14")
        #expect(text("\(3.14159, format: .fixed(precision: 1, explicitPositiveSign: true))") == "+3.1")
        #expect(text("\(12_500.0, format: .exponential(precision: 2))") == "1.25e+04")
        #expect(text("\(0.5, format: .hybrid)") == "0.5")
        #expect(text("\(Float(0.5), format: .hex)") == "0x1p-1")
        #expect(text("\(Double.nan, format: .fixed(precision: -1))") == "nan")
    }

    @Test func `numbers with a meaning are formatted by it`() {
        #expect(text("\(100_000, format: .byteCount) \(102_400, format: .byteCountIEC)") == "100 kB 100 KiB")
        #expect(text("\(100_000, format: .bitrate) \(102_400, format: .bitrateIEC)") == "100 kbps 100 Kibps")
        #expect(text("\(1_234_567, format: .byteCount) \(-5, format: .byteCount)") == "1.23 MB -5 B")
        #expect(text("\(Int.max, format: .byteCountIEC)") == "8 EiB")
        #expect(text("\(0, format: .secondsSince1970)") == "1970-01-01T00:00:00Z")
        #expect(text("\(Int32(0x0100_007F), format: .ipv4Address)") == "127.0.0.1")
        #expect(text("\(Int32(24), format: .darwinErrno)") == "[24: Too many open files]")
        #expect(text("\(Int32(15), format: .darwinSignal)") == "[15: Terminated]")
    }

    @Test func `Booleans and columns have their formats`() {
        #expect(text("\(true, format: .answer) \(false, format: .truth)") == "yes false")
        #expect(
            text("|\(7, align: .right(columns: 4))|\("ab", align: .left(columns: 4), privacy: .public)|")
                == "|   7|ab  |")
        #expect(text("\("abcdef", align: .right(columns: 3), privacy: .public)") == "abcdef")
    }
}

/// Format strings of `os_log`.
@Suite struct LogFormatTests {
    private func text(_ format: String, _ arguments: Any?..., showsPrivate: Bool = false) -> String {
        LogFormat(format).text(arguments, showsPrivate: showsPrivate)
    }

    @Test func `numbers are public, and text and objects private, unless the format overrides it`() {
        #expect(
            text("%d beats of %@, %{public}@, %{private}d", 60, "Anna", "H10", 3)
                == "60 beats of <private>, H10, <private>")
        #expect(text("%s %{public}s", "a", "b") == "<private> b")
        #expect(text("%@ %{sensitive}@", "a", "b", showsPrivate: true) == "a <private>")
        #expect(text("%{public, uuid_t}@", "x") == "x")
        #expect(text("%{private, mask.hash}@", "x").hasPrefix("<mask.hash: "))
    }

    @Test func `conversions are those of printf`() {
        #expect(text("%5.1f|%-4d|%04x|%X|%o|%u%%", 3.14159, 7, 255, 255, 8, UInt8(3)) == "  3.1|7   |00ff|FF|10|3%")
        #expect(text("%ld %lld %zd %hhd", 1, Int64(2), 3, Int8(-4)) == "1 2 3 -4")
        #expect(text("%x", Int32(-1)) == "ffffffff")
        #expect(text("%u", Int8(-1)) == "255")
        #expect(text("%c%c", 72, UInt8(105)) == "Hi")
        #expect(text("%g %e", Float(0.5), 100.0) == "0.5 1.000000e+02")
        #expect(text("%.0f", 12) == "12")
        #expect(text("%d", NSNumber(value: 5)) == "5")
        #expect(text("%d %{public}@", true, NSString(string: "x")) == "1 x")
    }

    @Test func `mismatches are shown unchanged, and nothing is read beyond the arguments`() {
        #expect(text("%d", "text") == "text")
        #expect(text("%{public}@ %d", "only") == "only <no argument>")
        #expect(text("%{public}@", nil) == "(null)")
        #expect(text("%{public}@", String?.some("held") as Any) == "held")
        #expect(text("50%") == "50%")
        #expect(text("%{public") == "%{public")
        #expect(text("no values", 1, 2) == "no values")
    }
}
