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
        // What the user states about it makes it a workout.
        let mayBeDays = options.columns.isEmpty && options.activity == nil
        return Recording.numbered([try TableRecording.read(layout, source, mayBeDays: mayBeDays)])
    }
}

extension FileStart {
    /// The bytes as lines. Nil if they are not text. The last line counts only if the file ends with it.
    var tableText: TableText? { TableText(bytes, isWhole: bytes.count < FileStart.size) }
}
