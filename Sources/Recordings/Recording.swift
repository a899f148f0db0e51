import Foundation

/// A recorded workout, read from a file of any format: the entries of its session log, and what the file itself said.
///
/// `entries` is what a session makes of the file: a header, then everything in order of time (entries of one instant in
/// the order of the file), from the first `state(.running)` to the last `state(.stopped)`.
public struct Recording: Sendable, Equatable {
    public var entries: [SessionEntry]
    public var file: RecordingSummary

    public init(entries: [SessionEntry], file: RecordingSummary) {
        self.entries = entries
        self.file = file
    }
}

/// What was read from a file, before any session made something of it.
public struct RecordingSummary: Sendable, Equatable {
    /// The short name of the format: `fit`, `jsonl`, `tcx` …
    public var format: String
    /// Data points: FIT records, trackpoints, log entries.
    public var records: Int
    /// Heart rates, invalid ones and zeros left out.
    public var heartRate: ValueSummary
    /// RR intervals in the order of the file, unfiltered, invalid ones left out.
    public var rrIntervalsInMilliseconds: [Double]
    public var laps: Int
    public var sessions: Int
    /// Start to end, as the file states it; nil when it does not.
    public var elapsedInSeconds: Double?
    /// Without pauses, as the file states it; nil when it does not.
    public var timerInSeconds: Double?
    public var warnings: [RecordingWarning]

    public init(format: String) {
        self.format = format
        records = 0
        heartRate = ValueSummary()
        rrIntervalsInMilliseconds = []
        laps = 0
        sessions = 0
        warnings = []
    }
}

/// Count, least, mean and greatest of some values.
public struct ValueSummary: Sendable, Equatable {
    public private(set) var count = 0
    public private(set) var sum = 0.0
    public private(set) var minimum = Double.infinity
    public private(set) var maximum = -Double.infinity

    public init() {}

    /// Nil when there were no values.
    public var mean: Double? { count == 0 ? nil : sum / Double(count) }

    public mutating func add(_ value: Double) {
        count += 1
        sum += value
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    }
}

/// Something in a file that could not be taken as it stood. What could be read was.
public struct RecordingWarning: Sendable, Equatable {
    /// Offset from the start of the file, in bytes.
    public var byte: Int
    public var message: String

    public init(byte: Int, message: String) {
        self.byte = byte
        self.message = message
    }
}
