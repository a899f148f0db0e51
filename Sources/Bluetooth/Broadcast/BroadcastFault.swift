public import Foundation

/// A fault that a broadcast makes on purpose, to test the program that listens.
public enum BroadcastFault: Sendable, Equatable {
    /// Ends the links to all subscribers.
    case disconnect
    /// Sends nothing, while the links stay up.
    case mute(Duration)
    /// Sends a heart rate of 0 without skin contact.
    case lostContact(Duration)
    /// Gives the heart rate only to devices that are paired, refuses every pairing, and ends the links. Nil for until the end.
    case refusePairing(Duration?)
    /// Sends a heart rate of 511 with an RR interval of 64 s, once.
    case impossible
    /// Sends these bytes as a heart rate, once. A link carries what its ATT_MTU has room for.
    case bytes([UInt8])
    case battery(percent: Int)
    case rename(String)

    /// The name in a file.
    public var name: String {
        switch self {
        case .disconnect: "disconnect"
        case .mute: "mute"
        case .lostContact: "contact"
        case .refusePairing: "pairing"
        case .impossible: "impossible"
        case .bytes(let bytes): bytes.count >= 512 ? "large" : "bytes"
        case .battery: "battery"
        case .rename: "name"
        }
    }
}

/// When a broadcast makes which faults. Read from a JSON file.
///
///     {"seed": 7, "faults": [{"at": 30, "fault": "disconnect"}, {"at": 40, "fault": "mute", "seconds": 10}],
///      "random": {"every": 20, "faults": [{"fault": "impossible"}, {"fault": "battery", "percent": 5}]}}
///
/// `at` and `every` are seconds. One of the random faults happens `every` seconds on average; the same seed gives the
/// same ones at the same times.
public struct BroadcastFaultPlan: Sendable, Equatable {
    struct Timed: Sendable, Equatable {
        var at: Duration
        var fault: BroadcastFault
    }

    var timed: [Timed]
    var random: [BroadcastFault] = []
    var every = Duration.zero
    var seed: UInt64 = 0

    init(_ timed: [Timed], random: [BroadcastFault] = [], every: Duration = .zero, seed: UInt64 = 0) {
        self.timed = timed.sorted { $0.at < $1.at }
        self.random = random
        self.every = every
        self.seed = seed
    }

    /// - Throws: ``BroadcastFaultError`` with the place of a mistake.
    public init(json: Data) throws(BroadcastFaultError) {
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: json)
        } catch {
            throw BroadcastFaultError("it is not a JSON object with \"faults\" or \"random\": \(Self.place(of: error))")
        }
        var timed: [Timed] = []
        for (index, entry) in (file.faults ?? []).enumerated() {
            guard let at = entry.at, (0...31_622_400).contains(at) else {
                throw BroadcastFaultError("fault \(index + 1) needs \"at\": seconds, from 0 to 366 days")
            }
            timed.append(Timed(at: .milliseconds(Int64(at * 1000)), fault: try entry.read(index + 1)))
        }
        var random: [BroadcastFault] = []
        for (index, entry) in (file.random?.faults ?? []).enumerated() {
            random.append(try entry.read(index + 1))
        }
        let every = file.random?.every ?? 0
        if file.random != nil, random.isEmpty || !(0.1...31_622_400).contains(every) {
            throw BroadcastFaultError("\"random\" needs \"faults\" and \"every\": seconds, from 0.1 to 366 days")
        }
        guard !timed.isEmpty || !random.isEmpty else { throw BroadcastFaultError("it has no faults") }
        self.init(timed, random: random, every: .milliseconds(Int64(every * 1000)), seed: file.seed ?? 0)
    }

    private static func place(of error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context):
            let path = context.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }
            return path.isEmpty
                ? "it has the wrong type" : "the value of \(path.joined(separator: " ")) has the wrong type"
        default: return "it cannot be parsed"
        }
    }

    private struct File: Decodable {
        var seed: UInt64?
        var faults: [Entry]?
        var random: Random?

        struct Random: Decodable {
            var every: Double
            var faults: [Entry]
        }
    }

    private struct Entry: Decodable {
        var at: Double?
        var fault: String
        var seconds: Double?
        var hex: String?
        var percent: Int?
        var name: String?

        func read(_ number: Int) throws(BroadcastFaultError) -> BroadcastFault {
            func missing(_ what: String) -> BroadcastFaultError { BroadcastFaultError("fault \(number) needs \(what)") }
            func span() throws(BroadcastFaultError) -> Duration {
                guard let seconds, (0...86_400).contains(seconds) else {
                    throw missing("\"seconds\", from 0 to a day")
                }
                return .milliseconds(Int64(seconds * 1000))
            }
            switch fault {
            case "disconnect": return .disconnect
            case "mute": return .mute(try span())
            case "contact": return .lostContact(try span())
            case "pairing": return .refusePairing(seconds == nil ? nil : try span())
            case "impossible": return .impossible
            case "large": return .bytes([0x16] + [UInt8](repeating: 0x40, count: 511))
            case "bytes":
                guard let hex, let bytes = Self.bytes(hex), (1...512).contains(bytes.count) else {
                    throw missing("\"hex\": 1 to 512 bytes in hexadecimal digits")
                }
                return .bytes(bytes)
            case "battery":
                guard let percent, (0...100).contains(percent) else { throw missing("\"percent\", from 0 to 100") }
                return .battery(percent: percent)
            case "name":
                guard let name, !name.isEmpty, name.utf8.count <= 248 else { throw missing("\"name\": 1 to 248 bytes") }
                return .rename(name)
            default:
                throw BroadcastFaultError(
                    "fault \(number) is \"\(fault)\"; the kinds are disconnect, mute, contact, pairing, impossible, large, "
                        + "bytes, battery and name")
            }
        }

        private static func bytes(_ hex: String) -> [UInt8]? {
            let digits = hex.filter { $0 != " " }.compactMap(\.hexDigitValue)
            guard digits.count == hex.filter({ $0 != " " }).count, digits.count.isMultiple(of: 2) else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
        }
    }
}

/// What is wrong with a file of faults.
public struct BroadcastFaultError: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
}
