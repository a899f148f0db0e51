import Foundation

/// A training session from the data export of Polar Flow: `training-session-….json`.
///
/// It reads heart rate, beats, route, distance, speed, power of both pedals, cadence, laps and energy of each exercise.
/// It does not read zones, test results and targets.
public struct PolarFlowFormat: RecordingFormat {
    private let zone: TimeZone

    /// - Parameter options: Only the time zone is used, for times that have none.
    public init(_ options: TableOptions = TableOptions()) { zone = options.zone }

    /// `polar-flow`.
    public var name: String { "polar-flow" }
    /// The name in sentences.
    public var title: String { "Polar Flow sessions" }
    /// `json`: the content distinguishes it from other files with this extension.
    public var endings: [String] { ["json"] }

    /// A day of riding has about 20 MB.
    private static let megabytes = 128

    /// Returns whether the file begins as an object with an `exportVersion`, and exercises or a start.
    public func recognizes(_ start: FileStart) -> Bool {
        guard start.text.first == UInt8(ascii: "{") else { return false }
        let text = String(decoding: start.bytes, as: UTF8.self)
        return text.contains("\"exportVersion\"") && (text.contains("\"exercises\"") || text.contains("\"startTime\""))
    }

    /// Reads a recording of the session, with a part for each exercise.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        let bytes = try source.all(atMost: Self.megabytes, which: "no training session")
        let session: PolarFlowSession
        do {
            session = try JSONDecoder().decode(PolarFlowSession.self, from: Data(bytes))
        } catch {
            throw .invalid(
                path: source.path, byte: 0, reason: "it is not a Polar Flow training session: \(Self.words(error))")
        }
        return Recording.numbered([PolarFlowRecording(session, zone).recording(self)])
    }

    private static func words(_ error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, _): "it lacks \"\(key.stringValue)\""
        case .typeMismatch(_, let place), .valueNotFound(_, let place):
            "\(place.codingPath.map(\.stringValue).joined(separator: ".")) is not what it should be"
        default: "it is cut off or damaged"
        }
    }
}
