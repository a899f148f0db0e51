import Foundation

/// The meaning of an `Int` in a log message.
///
/// Source of the names and of the texts: <https://developer.apple.com/documentation/os/oslogintextendedformat> and
/// <https://developer.apple.com/documentation/os/oslogint32extendedformat>.
public enum OSLogIntExtendedFormat: Hashable, Sendable {
    /// Bits per second: `100 kbps`.
    case bitrate
    /// Bits per second, in units of 1,024: `100 Kibps`.
    case bitrateIEC
    /// Bytes: `100 kB`.
    case byteCount
    /// Bytes, in units of 1,024: `100 KiB`.
    case byteCountIEC
    /// A moment, in UTC.
    case secondsSince1970

    func text(_ number: Int) -> String {
        switch self {
        case .bitrate: Self.scaled(number, base: 1_000, prefixes: ["", "k", "M", "G", "T", "P", "E"]) + "bps"
        case .bitrateIEC: Self.scaled(number, base: 1_024, prefixes: ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]) + "bps"
        case .byteCount: Self.scaled(number, base: 1_000, prefixes: ["", "k", "M", "G", "T", "P", "E"]) + "B"
        case .byteCountIEC: Self.scaled(number, base: 1_024, prefixes: ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]) + "B"
        case .secondsSince1970: Date(timeIntervalSince1970: TimeInterval(number)).formatted(.iso8601)
        }
    }

    /// A number in the largest unit that it fills, with two places at most.
    private static func scaled(_ number: Int, base: Double, prefixes: [String]) -> String {
        var value = Double(number)
        var steps = 0
        while abs(value) >= base, steps + 1 < prefixes.count {
            value /= base
            steps += 1
        }
        var text = String(format: "%.2f", value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return "\(text) \(prefixes[steps])"
    }
}

/// The meaning of an `Int32` in a log message. The numbers of errors and signals are Linux's own.
public enum OSLogInt32ExtendedFormat: Hashable, Sendable {
    /// An address, its first byte in the lowest place of memory: `127.0.0.1`.
    case ipv4Address
    /// A moment, in UTC.
    case secondsSince1970
    /// An error's number: `[24: Too many open files]`.
    case darwinErrno
    /// A signal's number: `[15: Terminated]`.
    case darwinSignal
    /// Bits per second: `100 kbps`.
    case bitrate
    /// Bits per second, in units of 1,024: `100 Kibps`.
    case bitrateIEC
    /// Bytes: `100 kB`.
    case byteCount
    /// Bytes, in units of 1,024: `100 KiB`.
    case byteCountIEC

    func text(_ number: Int32) -> String {
        switch self {
        case .ipv4Address: withUnsafeBytes(of: number) { $0.map(String.init).joined(separator: ".") }
        case .darwinErrno: "[\(number): \(String(cString: strerror(number)))]"
        case .darwinSignal: "[\(number): \(strsignal(number).map { String(cString: $0) } ?? "unknown")]"
        case .secondsSince1970: OSLogIntExtendedFormat.secondsSince1970.text(Int(number))
        case .bitrate: OSLogIntExtendedFormat.bitrate.text(Int(number))
        case .bitrateIEC: OSLogIntExtendedFormat.bitrateIEC.text(Int(number))
        case .byteCount: OSLogIntExtendedFormat.byteCount.text(Int(number))
        case .byteCountIEC: OSLogIntExtendedFormat.byteCountIEC.text(Int(number))
        }
    }
}

extension OSLogInterpolation {
    /// A number with a meaning, which is public unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> Int, format: OSLogIntExtendedFormat, privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        append({ format.text(number()) }, .none, privacy, isPublicByItself: true)
    }

    /// A number with a meaning, which is public unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> Int32, format: OSLogInt32ExtendedFormat, privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        append({ format.text(number()) }, .none, privacy, isPublicByItself: true)
    }
}
