import Foundation

/// A format whose files are tables of text.
protocol TableFormat: RecordingFormat {
    var options: TableOptions { get }
    /// Returns how to read the rows, or nil if the text does not belong to the format.
    func layout(_ text: TableText) throws(TableFault) -> TableLayout?
}

extension TableFormat {
    func readTable(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let start = try source.open().start(TableText.size)
        guard let text = TableText(start, isWhole: start.count < TableText.size) else {
            throw .invalid(path: source.path, byte: 0, reason: "it is not text")
        }
        let layout: TableLayout?
        do throws(TableFault) {
            layout = try self.layout(text)
        } catch {
            throw .invalid(path: source.path, byte: error.byte, reason: error.reason)
        }
        guard let layout else { throw .invalid(path: source.path, byte: 0, reason: "it is not a \(title) file") }
        let recording = try TableRecording.read(layout, source)
        // What the user states about it makes it a workout.
        if options.columns.isEmpty, options.activity == nil, let hours = recording.hoursOfDays {
            throw .invalid(
                path: source.path, byte: layout.first.byte,
                reason:
                    "it has few readings, for \(hours) h: it is a record of days, not a workout; --activity imports it as "
                    + "one")
        }
        return Recording.numbered([recording])
    }
}

extension Recording {
    private static let longestInSeconds = 20 * 3600.0
    private static let leastSecondsBetweenRows = 30.0

    /// The duration in hours of a record of days, such as the heart rates that a watch measures every few minutes. Nil for
    /// everything else.
    fileprivate var hoursOfDays: Int? {
        guard facts.workoutID == nil, let seconds = facts.seconds, seconds >= Self.longestInSeconds,
            seconds >= Double(file.records) * Self.leastSecondsBetweenRows
        else { return nil }
        return Int(seconds / 3600)
    }
}

extension FileStart {
    /// The bytes as lines. Nil if they are not text. The last line counts only if the file ends with it.
    var tableText: TableText? { TableText(bytes, isWhole: bytes.count < FileStart.size) }
}
