public import SessionLog

/// Makes a file from the entries of one workout, piece by piece. Memory does not grow with the workout.
///
/// All entries come twice in order of time. The first pass is a survey, for values in a file that come before the data
/// they depend on (the size of a FIT file, the distance of a lap). The second pass writes.
public protocol RecordingWriter {
    /// Receives an entry in the first pass, which writes nothing.
    mutating func survey(_ entry: SessionEntry) throws
    /// Ends a first pass. Returns whether another one is needed, with what this one has found.
    mutating func endSurvey() -> Bool
    /// Receives an entry in the second pass and appends what can be written by now.
    mutating func write(_ entry: SessionEntry, to output: inout [UInt8]) throws
    /// Appends the rest after the last entry.
    mutating func finish(to output: inout [UInt8]) throws
    /// What was left out because the format cannot hold it, as names for a list, such as “RR intervals”.
    var leftOut: [String] { get }
    /// The final first bytes of the file, for a format in which they depend on the rest (the size of a FIT file). They
    /// replace the same number of bytes. Nil, from the beginning on, if nothing has to be replaced. Otherwise output to
    /// a pipe has to wait for them.
    var head: [UInt8]? { get }
}

extension RecordingWriter {
    /// Does nothing, for formats that need no survey.
    public mutating func survey(_ entry: SessionEntry) {}

    /// Returns false, for formats that need one survey at most.
    public mutating func endSurvey() -> Bool { false }

    /// Nil, for formats whose first bytes never change.
    public var head: [UInt8]? { nil }

    /// Writes a complete workout.
    ///
    /// - Parameter output: Receives the bytes, about `pieceSize` at a time. The caller must then put the bytes of
    ///   ``head`` in place.
    /// - Throws: Errors of `output`, or the reason why the entries could not all be read.
    public mutating func write(_ entries: RecordedEntries, output: ([UInt8]) throws -> Void) throws {
        repeat {
            for entry in entries { try survey(entry) }
            if let failure = entries.failure { throw failure }
        } while endSurvey()
        let pieceSize = 1 << 16
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pieceSize)
        for entry in entries {
            try write(entry, to: &bytes)
            guard bytes.count >= pieceSize else { continue }
            try output(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        if let failure = entries.failure { throw failure }
        try finish(to: &bytes)
        if !bytes.isEmpty { try output(bytes) }
    }
}
