import Engine
import Foundation
import HealthKit
import Mirroring
import Reports
import StoredWorkouts
import Web

/// All resources of the server, and the answers to requests.
struct ServeSite: Sendable {
    let access: WebAccess
    let sessions: ServedSessions
    let feed: LiveFeed
    let history: ServedHistory
    /// The language for browsers that name none, or none that is supported.
    private let own: Language

    private let environment: HealthEnvironment

    init(
        _ access: WebAccess, _ sessions: ServedSessions, _ environment: HealthEnvironment, language: Language = .english
    ) {
        own = language
        self.environment = environment
        self.access = access
        self.sessions = sessions
        feed = LiveFeed(sessions)
        history = ServedHistory(environment)
    }

    func answer(_ request: WebRequest) async -> WebResponse {
        let language = language(request)
        var response = await Language.$ofTask.withValue(language) {
            guard let units = units(of: language, request) else { return await unguarded(request) }
            return await DistanceUnits.$ofTask.withValue(units) { await unguarded(request) }
        }
        let own = Set(response.headers.map { $0.name.lowercased() })
        for (name, value) in Self.guards where !own.contains(name.lowercased()) {
            response = response.with(name, value)
        }
        return response
    }

    /// Returns the language of the answer. Text for people is in the language that their browser prefers, or in that of
    /// this machine. Output for programs is English.
    private func language(_ request: WebRequest) -> Language {
        guard let route = request.parts.flatMap({ ServeRoute($0) }) else { return preferred(request) }
        if case .asset = route { return preferred(request) }
        return route.isPage ? preferred(request) : .english
    }

    private func preferred(_ request: WebRequest) -> Language {
        request.header("Accept-Language").flatMap { Language.of(acceptLanguage: $0) } ?? own
    }

    /// Returns the units of the visitor's country if the browser names one and the profile names no units. Returns nil for those of this
    /// machine.
    private func units(of language: Language, _ request: WebRequest) -> DistanceUnits? {
        guard let route = request.parts.flatMap({ ServeRoute($0) }), route.isPage, let region = language.region,
            request.header("Accept-Language").flatMap({ Language.of(acceptLanguage: $0) }) != nil,
            let profile = try? environment.ofOwner.profile(), profile.units == nil
        else { return nil }
        return .of(region: region)
    }

    /// Headers for all answers: they allow only content from this server, no frames of other sites, and no caches.
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
            // A link has the key in its address. It is used once and then kept in a cookie.
            if refusal == .withoutKey, route?.isPage == true, request.method == "GET", let typed = request.query("key"),
                access.key.isSame(as: typed)
            {
                return Self.withoutKey(request).with("Set-Cookie", access.cookie)
            }
            return Self.refused(refusal, route)
        }
        guard let route else {
            return request.header("Accept")?.contains("text/html") == true
                ? ServedHistory.notFound(localized("There is no page at this address."))
                : Self.failed(404, "not found; the API is described in /openapi.json")
        }
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

    /// Redirects to the same page without the key in its address.
    private static func withoutKey(_ request: WebRequest) -> WebResponse {
        var components = URLComponents()
        components.path = request.path ?? "/"
        let rest = request.query.filter { $0.name != "key" }
        if !rest.isEmpty { components.queryItems = rest.map { URLQueryItem(name: $0.name, value: $0.value) } }
        // Two slashes would start the name of another machine.
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
        case .withoutKey where route?.isPage == true: .page(ServedPages.page("key.html"), status: refusal.status)
        case .withoutKey:
            failed(refusal.status, "key required; 'workout serve --qr' prints it again")
                .with("WWW-Authenticate", "Bearer")
        }
    }

    private func answer(_ route: ServeRoute, _ request: WebRequest) async -> WebResponse {
        switch route {
        case .page(let name): return .page(ServedPages.page(name))
        case .asset(let name):
            guard let type = ServedPages.type(of: name), let bytes = ServedPages.file(name) else {
                return Self.failed(404, "no such file")
            }
            return WebResponse(type: type, bytes)
        case .history:
            guard let number = HistoryPage.number(request.query("page")) else {
                return ServedHistory.notFound(localized("There are no workouts at this address."))
            }
            return await history.page(number, request.query)
        case .workoutPage, .spanPage, .workouts, .workout: return await history.answer(route, request.query)
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

/// The stored data for browsers: the list, the page of a workout or a period, and the same as JSON.
///
/// One answer at a time: a page about years takes seconds, and live views go on meanwhile.
actor ServedHistory {
    private let environment: HealthEnvironment
    private let page: Page

    init(_ environment: HealthEnvironment) {
        self.environment = environment
        page = Page(columns: .max)
    }

    func answer(_ route: ServeRoute, _ query: [(name: String, value: String)]) -> WebResponse {
        do {
            switch route {
            case .workoutPage(let id):
                let stored = StoredWorkouts(environment.database)
                let own = try stored.workout(id)
                let workout = try AnalyzedWorkout(own, environment)
                var document = WorkoutPage(
                    report: workout.report, course: try workout.course(), page: page.at(own.timeZone),
                    headline: try workout.headline(in: environment, page)
                ).document
                document.body.append(Self.links(to: try stored.neighbours(of: own)))
                return Self.report(document, hasWays: true)
            case .spanPage(let span):
                let named = ReportSpan.named(span, from: nil, to: environment.time.now(), page)
                var span = try SpanPage(named, in: environment, page)
                span.address = { Self.address(of: $0) }
                return Self.report(span.document, hasWays: true)
            case .workouts:
                let filter = try WorkoutFilterArguments.filter(query: query)
                let listing = WorkoutListing(workouts: try StoredWorkouts(environment.database).all(filter))
                return .json("{\"workouts\":[" + listing.jsonLines.joined(separator: ",") + "]}")
            case .workout(let id):
                let workout = try StoredWorkouts(environment.database).workout(id)
                let summary = try WorkoutSummary(workout, withZonesOf: environment)
                return .json(SummaryJSON.line(workout: summary, file: nil))
            default: return ServeSite.failed(404, "not found")
            }
        } catch let failure as CommandFailure {
            return Self.failed(failure.exitCode == .wrongUsage ? 400 : 404, failure.message, route)
        } catch {
            return Self.failed(503, CommandFailure.describe(error), route)
        }
    }

    /// Returns a page of the list of workouts, the newest on page 1.
    func page(_ number: Int, _ query: [(name: String, value: String)]) -> WebResponse {
        do {
            let document = try HistoryPage(number, query: query, in: environment, page).document
            return Self.report(document, hasForm: true)
        } catch let failure as CommandFailure {
            return Self.failed(failure.exitCode == .wrongUsage ? 400 : 503, failure.message, .history)
        } catch {
            return Self.failed(503, CommandFailure.describe(error), .history)
        }
    }

    static func address(of workout: HKWorkout) -> String { "/workouts/\(workout.uuid.uuidString)" }

    private static func links(to neighbours: (previous: HKWorkout?, next: HKWorkout?)) -> Markup {
        var markup = Markup()
        markup.element("nav", ["aria-label": localized("Neighbours")]) { page in
            for (title, other) in [
                (localized("← Previous workout"), neighbours.previous), (localized("Next workout →"), neighbours.next),
            ] {
                if let other { page.element("a", ["href": address(of: other)], text: title) }
            }
        }
        return markup
    }

    private static func failed(_ status: Int, _ sentence: String, _ route: ServeRoute) -> WebResponse {
        route.isPage ? notFound(sentence, status) : ServeSite.failed(status, sentence)
    }

    static func notFound(_ sentence: String, _ status: Int = 404) -> WebResponse {
        let title = localized(status == 404 ? "Not found" : status == 400 ? "Search" : "Not available")
        var document = ReportDocument(title: title)
        document.body.element("h1", text: title)
        document.body.reason(sentence)
        return report(document, status: status, hasWays: true)
    }

    /// Returns a report. Its style and its script are inside it, and no other script may run.
    private static func report(
        _ document: ReportDocument, status: Int = 200, hasWays: Bool = false, hasForm: Bool = false
    ) -> WebResponse {
        var document = document
        document.paper = .current
        if hasWays {
            var body = HistoryPage.ways
            body.append(document.body)
            document.body = body
        }
        return .page(document.bytes, status: status).with(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-\(scriptHash)'; img-src data:; base-uri 'none'; "
                + "form-action '\(hasForm ? "self" : "none")'; frame-ancestors 'none'")
    }

    private static let scriptHash = PageScript.text.withUTF8Buffer { Data(Array($0).sha256).base64EncodedString() }
}

/// The files of the folder Pages, which are embedded in the command.
enum ServedPages {
    /// Returns the type of a file below `/assets/`, or nil if there is no such file.
    static func type(of name: String) -> String? {
        if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
        if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
        return nil
    }

    static func file(_ name: String) -> [UInt8]? {
        name == "words.js" ? words : files[name]
    }

    /// Returns a page in the current language. The file has its texts in English, in double braces.
    static func page(_ name: String) -> [UInt8] {
        let text = String(decoding: files[name] ?? [], as: UTF8.self)
            .replacing(#/\{\{([^}]*)\}\}/#) { match in
                var markup = Markup()
                markup.text(localized(String(match.1)))
                return markup.text
            }
            .replacingOccurrences(of: "<html lang=\"en\">", with: "<html lang=\"\(Language.current.tag)\">")
        return Array(text.utf8)
    }

    /// The module with the texts for scripts.
    private static var words: [UInt8] {
        let language = Language.current
        let words = JSONText.object(language.words.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        let decimal = JSONText.string(language.decimalMark).text
        return Array("export const decimalMark = \(decimal);\nexport const words = \(words.text);\n".utf8)
    }

    private static let files: [String: [UInt8]] = [
        "board.html": PackageResources.board_html,
        "board.js": PackageResources.board_js,
        "chart.js": PackageResources.chart_js,
        "connection.js": PackageResources.connection_js,
        "controls.js": PackageResources.controls_js,
        "course.js": PackageResources.course_js,
        "dom.js": PackageResources.dom_js,
        "follow.js": PackageResources.follow_js,
        "key.html": PackageResources.key_html,
        "key.js": PackageResources.key_js,
        "keyform.js": PackageResources.keyform_js,
        "live.html": PackageResources.live_html,
        "live.js": PackageResources.live_js,
        "openapi.json": PackageResources.openapi_json,
        "overlay.css": PackageResources.overlay_css,
        "overlay.html": PackageResources.overlay_html,
        "overlay.js": PackageResources.overlay_js,
        "page.css": PackageResources.page_css,
        "panels.js": PackageResources.panels_js,
        "stream.js": PackageResources.stream_js,
        "summaries.js": PackageResources.summaries_js,
        "zonebar.js": PackageResources.zonebar_js,
        "zones.css": PackageResources.zones_css,
    ]
}

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

    /// Returns server-sent events, or lines for programs that ask for them.
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
        // After "No Content" a browser does not reconnect.
        guard await !entries.isAtEnd || from == nil else { return .done }
        return .events { stream in try await stream.withHeartbeat { try await entries.write(to: stream) } }
    }
}
