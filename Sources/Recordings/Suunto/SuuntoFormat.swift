import Foundation
import SessionLog

/// What Suunto's programs write of a workout: SML (XML, Moveslink and Movescount), and the JSON of the Suunto app.
///
/// Samples are of single instants, and each has some of the quantities. Units are those of the SI: heart rate and cadence in
/// Hz, positions in radians, temperatures in K. `R-R` holds the beats from the start on, in ms.
public struct SuuntoFormat: RecordingFormat {
    private let options: TableOptions

    /// - Parameter options: What the file leaves open: the zone of its start, what was done.
    public init(_ options: TableOptions = TableOptions()) { self.options = options }

    /// `suunto`.
    public var name: String { "suunto" }
    /// As it stands in a sentence.
    public var title: String { "Suunto SML" }
    /// `sml` of the XML, `json` of the app.
    public var endings: [String] { ["sml", "json"] }

    /// A day has some 40 MB.
    private static let megabytes = 256

    /// Whether the root of the XML is `sml`, or the JSON has a log of a device in it.
    public func recognizes(_ start: FileStart) -> Bool {
        if start.xmlRoot?.lowercased() == "sml" { return true }
        guard start.text.first == UInt8(ascii: "{") else { return false }
        let text = start.withoutSpace
        return text.contains("\"suunto/sml\":") || text.contains("\"DeviceLog\":")
            || text.contains("\"Samples\":[") && text.contains("\"TimeISO8601\":")
    }

    /// A recording of the workout.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        var log = SuuntoLog()
        var warnings: [RecordingWarning] = []
        if try source.start().text.first == UInt8(ascii: "{") {
            let root = try JSONFile.object(source, atMost: Self.megabytes, title: title)
            log.read(json: root)
        } else {
            warnings = try log.read(xml: source)
        }
        var recording = StoredTrackSteps.recording(
            log.steps(zone: options.zone), leftOut: [], format: self, activity: options.activity)
        recording.file.warnings = warnings + recording.file.warnings
        return Recording.numbered([recording])
    }
}
