public import SessionLog

/// Makes a file of a workout's entries, piece by piece: memory does not grow with the workout.
///
/// The entries come twice, each time all of them and in order of time. First to be looked over, for what stands in a file
/// ahead of what it is counted from (the size of a FIT file, the distance of a lap), then to be written. Every file is of one
/// workout.
public protocol RecordingWriter {
    /// The first time: nothing is written.
    mutating func survey(_ entry: SessionEntry) throws
    /// The second time: appends what can be written by now.
    mutating func write(_ entry: SessionEntry, to output: inout [UInt8]) throws
    /// There are no more entries: appends the rest.
    mutating func finish(to output: inout [UInt8]) throws
    /// What was left out because the format has no place for it, once each, in the words of a list, such as “RR intervals”.
    var leftOut: [String] { get }
    /// What the first bytes of the file are after all, of a format in which they depend on the rest (the size of a FIT file).
    /// They take the place of as many that were written. Nil, and that from the beginning on, where nothing has to be
    /// replaced; what goes to a pipe waits for it otherwise.
    var head: [UInt8]? { get }
}

extension RecordingWriter {
    /// Does nothing: for formats in which nothing stands ahead of what it is counted from.
    public mutating func survey(_ entry: SessionEntry) {}

    /// Nil: for formats whose first bytes stand as they were written.
    public var head: [UInt8]? { nil }

    /// Writes all of a workout.
    ///
    /// - Parameter output: Gets the bytes, about `pieceSize` at a time. What ``head`` says then, whoever calls puts in place.
    /// - Throws: What `output` throws, or the reason why the entries could not be read to their end.
    public mutating func write(_ entries: RecordedEntries, output: ([UInt8]) throws -> Void) throws {
        for entry in entries { try survey(entry) }
        if let failure = entries.failure { throw failure }
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
