import Foundation

/// A format whose files are tables of text.
protocol TableFormat: RecordingFormat {
    var options: TableOptions { get }
    /// How the rows are to be read; nil for a text that is none of the format's.
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
        return Recording.numbered([try TableRecording.read(layout, source)])
    }
}

extension FileStart {
    /// As lines; nil for what is no text. The last line counts only where the file ends with it.
    var tableText: TableText? { TableText(bytes, isWhole: bytes.count < FileStart.size) }
}
