import Foundation
import SessionLog

/// Workouts from Suunto's programs: SML (XML, Moveslink and Movescount), and the JSON of the Suunto app.
///
/// Samples are single instants, each with some of the quantities. Units are SI units: heart rate and cadence in Hz,
/// positions in radians, temperatures in K. `R-R` holds the beats from the start on, in ms.
public struct SuuntoFormat: RecordingFormat {
    private let options: TableOptions

    /// - Parameter options: Settings for what the file does not state: the time zone of its start and its activity.
    public init(_ options: TableOptions = TableOptions()) { self.options = options }

    /// `suunto`.
    public var name: String { "suunto" }
    /// The name in sentences.
    public var title: String { "Suunto SML" }
    /// `sml` for XML, `json` for the app's files.
    public var endings: [String] { ["sml", "json"] }

    /// A day's recording has about 40 MB.
    private static let megabytes = 256

    /// Returns whether the root of the XML is `sml`, or the JSON contains the log of a device.
    public func recognizes(_ start: FileStart) -> Bool {
        if start.xmlRoot?.lowercased() == "sml" { return true }
        guard start.text.first == UInt8(ascii: "{") else { return false }
        let text = start.withoutSpace
        return text.contains("\"suunto/sml\":") || text.contains("\"DeviceLog\":")
            || text.contains("\"Samples\":[") && text.contains("\"TimeISO8601\":")
    }

    /// Reads a recording of the workout.
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
        return Recording.numbered([recording.inTimeZone(secondsFromGMT: log.secondsFromGMT)])
    }
}
