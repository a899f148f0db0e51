import Foundation
import HealthKit
import Web

extension ServeSite {
    func session(_ route: ServeRoute, _ request: WebRequest) async -> WebResponse {
        switch route {
        case .sessions:
            return .json(JSONText.object([("sessions", .array(sessions.all.map { Figures($0).json }))]).text)
        case .session(let id):
            return sessions.session(id).map { .json(Figures($0).json.text) } ?? Self.unknown
        case .control(let id, let control):
            guard let session = sessions.session(id) else { return Self.unknown }
            return session.perform(control).map { Self.failed(409, $0) } ?? .done
        case .feed(let id): return id.map { sessions.session($0) == nil } == true ? Self.unknown : frames(of: id)
        case .entries(let id): return await entries(of: id, request)
        case .heartRate:
            guard let session = sessions.latest else { return Self.failed(404, "no session") }
            return .text(Figures(session).snapshot.heartRateInBeatsPerMinute.map { MetricFormat.fixed($0, 0) } ?? "-")
        case .metrics:
            return WebResponse(
                type: "text/plain; version=0.0.4; charset=utf-8",
                Array(SessionMetrics.text(sessions.all.map(Figures.init), watchers: await feed.watcherCount).utf8))
        default: return Self.unknown
        }
    }

    private static let unknown = failed(404, "no such session; /api/sessions lists them")

    private func frames(of id: UUID?) -> WebResponse {
        .events { [feed] stream in
            try await stream.withHeartbeat {
                var seen = 0
                for await frame in await feed.frames() {
                    try await stream.write(frame.events(after: seen, of: id))
                    seen = frame.version
                }
            }
        }
    }

    /// Server-sent events, or lines for programs that say so.
    private func entries(of id: UUID, _ request: WebRequest) async -> WebResponse {
        guard let session = sessions.session(id) else { return Self.unknown }
        let from = request.header("Last-Event-ID") ?? request.query("from")
        guard let start = from.map({ EntryStream.Place($0) }) ?? EntryStream.Place() else {
            return Self.failed(400, "Last-Event-ID must be the id of an entry that was sent, such as 120")
        }
        let wantsLines = request.header("Accept")?.contains("application/x-ndjson") == true
        let entries = EntryStream(
            session: session, changes: sessions.changes, form: wantsLines ? .lines : .events, start: start)
        guard !wantsLines else {
            return WebResponse(
                headers: [("Content-Type", "application/x-ndjson")], body: .stream { try await entries.write(to: $0) })
        }
        // No content: a browser does not come back then.
        guard await !entries.isAtEnd || from == nil else { return .done }
        return .events { stream in try await stream.withHeartbeat { try await entries.write(to: stream) } }
    }
}
