import Foundation
import HealthKit
import Recordings

/// Prints the entries of a mirrored log, and how its mirroring stands, as one JSON object a line.
struct EntryPrinter: SessionLogSink {
    let session: UUID
    let peer: String

    /// What is said of a mirroring besides its log.
    enum Event: String {
        case began, back, lost, ended
    }

    func append(_ entry: SessionEntry) {
        var encoder = SessionLogEncoder()
        guard (try? encoder.append(entry)) != nil else { return }
        let line = String(decoding: encoder.bytes.dropLast(), as: UTF8.self)
        let json = PrintableText.ofJSON(line)
        Self.print("{\"session\":\"\(session.uuidString)\",\"entry\":\(json)}")
    }

    func beginAnew() { say(.began) }

    func say(_ event: Event, reason: String? = nil) {
        Self.print(
            JSONText.object([
                ("session", .string(session.uuidString)), ("mirror", .string(event.rawValue)),
                ("peer", .string(peer)), ("reason", reason.map { .string($0) }),
            ]).text)
    }

    private static func print(_ line: String) {
        CommandOutput.standard.print(line)
        CommandOutput.standard.flush()
    }
}
