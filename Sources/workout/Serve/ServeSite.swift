import Foundation
import HealthKit
import Web

/// Everything that a browser or a program can get, and what it is answered.
struct ServeSite: Sendable {
    let access: WebAccess
    let sessions: ServedSessions
    let feed: LiveFeed
    let history: ServedHistory

    init(_ access: WebAccess, _ sessions: ServedSessions, _ environment: HealthEnvironment) {
        self.access = access
        self.sessions = sessions
        feed = LiveFeed(sessions)
        history = ServedHistory(environment)
    }

    func answer(_ request: WebRequest) async -> WebResponse {
        var response = await unguarded(request)
        let own = Set(response.headers.map { $0.name.lowercased() })
        for (name, value) in Self.guards where !own.contains(name.lowercased()) {
            response = response.with(name, value)
        }
        return response
    }

    /// Nothing but what is from here, and nobody else's frame around it; nothing is kept by anybody between.
    private static let guards = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
                + "form-action 'self'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    private func unguarded(_ request: WebRequest) async -> WebResponse {
        let route = request.parts.flatMap { ServeRoute($0) }
        if let refusal = access.refusal(of: request, isPublic: route?.isPublic == true) {
            // The key as a link has it: once, and then in a cookie.
            if refusal == .withoutKey, route?.isPage == true, request.method == "GET", let typed = request.query("key"),
                access.key.isSame(as: typed)
            {
                return Self.withoutKey(request).with("Set-Cookie", access.cookie)
            }
            return Self.refused(refusal, route)
        }
        guard let route else { return Self.failed(404, "not found; the API is described in /openapi.json") }
        let isAsked = request.method == route.method || request.method == "HEAD" && route.method == "GET"
        guard isAsked else {
            return Self.failed(405, "\(request.path ?? "") takes \(route.method)").with("Allow", route.method)
        }
        if route.isPage, let typed = request.query("key") {
            let response = Self.withoutKey(request)
            return access.key.isSame(as: typed) ? response.with("Set-Cookie", access.cookie) : response
        }
        return await answer(route, request)
    }

    /// The same page, without the key in its address.
    private static func withoutKey(_ request: WebRequest) -> WebResponse {
        var components = URLComponents()
        components.path = request.path ?? "/"
        let rest = request.query.filter { $0.name != "key" }
        if !rest.isEmpty { components.queryItems = rest.map { URLQueryItem(name: $0.name, value: $0.value) } }
        // Two slashes would be another machine.
        let path = components.string ?? "/"
        return .redirect(to: path.hasPrefix("//") ? "/" : path)
    }

    static func failed(_ status: Int, _ sentence: String) -> WebResponse {
        .json(JSONText.object([("error", .string(sentence))]).text, status: status)
    }

    private static func refused(_ refusal: WebAccess.Refusal, _ route: ServeRoute?) -> WebResponse {
        switch refusal {
        case .wrongHost:
            failed(refusal.status, "unknown host name; use the address that 'workout' printed")
        case .foreign: failed(refusal.status, "request from another site refused")
        case .withoutKey where route?.isPage == true: .page(ServedPages.file("key.html") ?? [], status: refusal.status)
        case .withoutKey:
            failed(refusal.status, "key required; 'workout serve --qr' prints it again")
                .with("WWW-Authenticate", "Bearer")
        }
    }

    private func answer(_ route: ServeRoute, _ request: WebRequest) async -> WebResponse {
        switch route {
        case .page(let name): return .page(ServedPages.file(name) ?? [])
        case .asset(let name):
            guard let type = ServedPages.type(of: name), let bytes = ServedPages.file(name) else {
                return Self.failed(404, "no such file")
            }
            return WebResponse(type: type, bytes)
        case .history, .workoutPage, .spanPage, .workouts, .workout: return await history.answer(route)
        case .description: return WebResponse(type: "application/json", ServedPages.file("openapi.json") ?? [])
        case .access:
            return .json(
                JSONText.object([
                    ("hasKey", .boolean(access.hasKey(request))), ("needsKey", .boolean(!access.isLoopback)),
                ]).text)
        case .key: return take(key: request.body)
        case .sessions, .session, .control, .feed, .entries, .heartRate, .metrics:
            return await session(route, request)
        }
    }

    private func take(key body: [UInt8]) -> WebResponse {
        struct Typed: Decodable { var key: String }
        guard let typed = try? JSONDecoder().decode(Typed.self, from: Data(body)) else {
            return Self.failed(400, "send the key as {\"key\":\"…\"}")
        }
        guard access.key.isSame(as: typed.key) else {
            return Self.failed(401, "wrong key; the 'workout' command printed it")
        }
        return WebResponse.done.with("Set-Cookie", access.cookie)
    }
}
