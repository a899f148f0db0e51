import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts
import Synchronization
import Testing
import Web

@testable import workout

@Suite(.timeLimit(.minutes(20))) struct ServeSiteTests {
    private let stored = StoredRuns()
    private let sessions = ServedSessions()
    private let key = WebKey()

    private func site(isLoopback: Bool = true) -> ServeSite {
        ServeSite(
            WebAccess(key: key, isLoopback: isLoopback, isSecure: !isLoopback, names: ["gym.local"]), sessions,
            stored.environment)
    }

    private func request(
        _ target: String, _ method: String = "GET", _ headers: [(name: String, value: String)] = [], _ body: String = ""
    ) -> WebRequest {
        WebRequest(
            method: method, target: target, headers: [("Host", "gym.local")] + headers, body: Array(body.utf8))
    }

    private var withKey: [(name: String, value: String)] { [("Authorization", "Bearer \(key.text)")] }

    /// A complete answer.
    private func body(_ response: WebResponse) async throws -> String {
        switch response.body {
        case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .stream(let write):
            let all = Mutex<[UInt8]>([])
            try await write(WebStream { bytes in all.withLock { $0 += bytes } })
            return String(decoding: all.withLock { $0 }, as: UTF8.self)
        }
    }

    /// A recording that was replayed to its end while it was served.
    private func served(
        _ name: String = "intervals"
    ) async throws -> (session: ServedSession, finished: WorkoutRun.Finished) {
        let recording = try RecordingFile.read(SampleRecordingsTests.folder.appendingPathComponent("\(name).jsonl"))
        let run = try WorkoutRun(
            replaying: recording, speed: .infinity, keepsDates: true, environment: stored.environment.beside)
        let session = ServedSession(run, speed: .infinity, target: .range(100...110), changes: sessions.changes)
        await session.follow()
        sessions.add(session)
        return (session, try await run.run())
    }

    // MARK: Languages

    @Test(arguments: ["/history", "/reports/all", "/nothing", "/", "/board", "/key"])
    func `pages are in the language that the browser prefers`(path: String) async throws {
        _ = try await stored.replay("intervals")
        let accept = [("Accept", "text/html")]
        let german = try await body(
            site().answer(request(path, "GET", accept + [("Accept-Language", "de-CH,en;q=0.5")])))
        #expect(german.contains("<html lang=\"de\""))
        let english = try await body(site().answer(request(path, "GET", accept + [("Accept-Language", "fr,en;q=0.5")])))
        #expect(english.contains("<html lang=\"en\"") && english != german && !english.contains("{{"))
        let ofMachine = ServeSite(
            WebAccess(key: key, isLoopback: true, isSecure: false, names: ["gym.local"]), sessions, stored.environment,
            language: try #require(Language.named("de")))
        let other = try await body(ofMachine.answer(request(path, "GET", accept + [("Accept-Language", "fr")])))
        #expect(other.contains("<html lang=\"de\""), "the machine's, if the browser knows none of ours")
    }

    @Test func `units, dates and clocks are those of the visitor's country`() async throws {
        _ = try await stored.replay("intervals")
        func history(_ languages: String) async throws -> String {
            try await body(site().answer(request("/history", "GET", [("Accept-Language", languages)])))
        }
        let american = try await history("en-US")
        #expect(american.contains(" mi</td>") && !american.contains(" km</td>"))
        #expect(american.contains(#/>[0-9]{2}\/[0-9]{2}\/[0-9]{4} [0-9]{2}:[0-9]{2} [AP]M</a>/#))
        let german = try await history("de-DE")
        #expect(german.contains(" km</td>") && german.contains(#/>[0-9]{2}\.[0-9]{2}\.[0-9]{4} [0-9]{2}:[0-9]{2}</a>/#))
        #expect(german.contains("<option value=\"rowing\">Rudern</option>"))
        #expect(try await history("en").contains(" km</td>"), "no country is named")
    }

    @Test func `units of the profile apply to every visitor`() async throws {
        _ = try await stored.replay("intervals")
        var profile = try stored.database.storedProfile()
        profile.units = .metric
        try stored.database.store(profile)
        let page = try await body(site().answer(request("/history", "GET", [("Accept-Language", "en-US")])))
        #expect(page.contains(" km</td>") && !page.contains(" mi</td>"))
    }

    @Test func `scripts get their texts, and programs get English`() async throws {
        let id = try await stored.replay("intervals").id.uuidString
        let german = [("Accept-Language", "de")]
        let words = try await body(site().answer(request("/assets/words.js", "GET", german)))
        #expect(words.contains("decimalMark = \",\"") && words.contains("\"no heart rate\":\"kein Puls\""))
        #expect(try await body(site().answer(request("/assets/words.js"))).contains("decimalMark = \".\""))
        for path in ["/api/workouts", "/api/workouts/\(id)", "/api/access", "/api/sessions"] {
            let own = try await body(site().answer(request(path, "GET", german)))
            #expect(try await own == body(site().answer(request(path))), "\(path)")
        }
        #expect(try await body(site().answer(request("/workouts/\(id)", "GET", german))).contains(">Dauer</dt>"))
    }

    // MARK: One number, one place

    @Test func `a browser gets what the terminal shows, and what is stored`() async throws {
        let (session, finished) = try await served()
        let text = try await body(site().answer(request("/api/sessions/\(session.id)")))
        let figures = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let snapshot = session.snapshot
        let summary = try WorkoutSummary(finished)
        #expect(figures["time"] as? String == MetricFormat.time(summary.durationInSeconds))
        #expect(figures["time"] as? String == MetricFormat.time(snapshot.durationInSeconds))
        let rates = try #require(summary.statistics.first { $0.identifier == "HKQuantityTypeIdentifierHeartRate" })
        #expect(figures["averageHeartRate"] as? Int == rates.average.map { Int($0.rounded()) })
        #expect(figures["maximumHeartRate"] as? Int == rates.maximum.map { Int($0.rounded()) })
        #expect((figures["laps"] as? [Any])?.count == summary.laps.count)
        let values = try #require(figures["values"] as? [[String: String]])
        let shown = LiveView(size: TerminalSize(columns: 120, rows: 40), capability: .plain).values(snapshot)
        for value in values {
            #expect(shown.contains { $0.label == value["label"] && $0.value == value["text"] }, "\(value)")
        }
        #expect(values.contains { $0["label"] == "distance" })
        #expect(figures["entries"] as? Int == session.entryCount)
        #expect(figures["isOver"] as? Bool == true)
        #expect(figures["controls"] as? [String] == [])
    }

    @Test func `figures have exactly the described members`() async throws {
        let (session, _) = try await served("easy-run")
        let file = try #require(ServedPages.file("openapi.json"))
        let description = try #require(try JSONSerialization.jsonObject(with: Data(file)) as? [String: Any])
        let schemas = (description["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]]
        let required = try #require(schemas?["Figures"]?["required"] as? [String])
        let text = try await body(site().answer(request("/api/sessions/\(session.id)")))
        let figures = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(Set(figures.keys) == Set(required))
    }

    // MARK: The log, entry by entry

    @Test func `the entries are the log's own, from any position on`() async throws {
        let (session, finished) = try await served("easy-run")
        var encoder = SessionLogEncoder()
        try finished.log.forEach { try encoder.append($0) }
        let path = "/api/sessions/\(session.id)/entries"
        let lines = try await body(site().answer(request(path, "GET", [("Accept", "application/x-ndjson")])))
        #expect(lines == String(decoding: encoder.bytes, as: UTF8.self))
        let all = try await body(site().answer(request(path)))
        let events = all.components(separatedBy: "\n\n").filter { $0.hasPrefix("id:") }
        #expect(events.count == session.entryCount)
        #expect(all.hasSuffix("event:ended\ndata:{}\n\n"))
        for place in [1, 7, events.count / 2, events.count - 1] {
            let id = try #require(events[place - 1].split(separator: "\n").first).dropFirst(3)
            #expect(id == "\(place)")
            let rest = try await body(site().answer(request(path, "GET", [("Last-Event-ID", String(id))])))
            #expect(rest.components(separatedBy: "\n\n").filter { $0.hasPrefix("id:") } == Array(events[place...]))
        }
        // At the end there is no reason to reconnect.
        #expect(await site().answer(request(path, "GET", [("Last-Event-ID", "\(events.count)")])).status == 204)
        #expect(await site().answer(request(path, "GET", [("Last-Event-ID", "x")])).status == 400)
        // A log that replaces another is sent from its beginning.
        let anew = try await body(site().answer(request(path, "GET", [("Last-Event-ID", "3.5")])))
        #expect(anew.hasPrefix("event:began\ndata:{}\n\nid:1\n"))
    }

    // MARK: Controls and the key

    @Test func `a control needs the key, a session and valid values`() async throws {
        let (session, _) = try await served("easy-run")
        let path = "/api/sessions/\(session.id)/pause"
        #expect(await site().answer(request(path, "POST")).status == 401)
        #expect(await site().answer(request(path, "POST", withKey + [("Origin", "http://evil.example")])).status == 403)
        #expect(await site().answer(request(path)).status == 405)
        let over = await site().answer(request(path, "POST", withKey))
        #expect(over.status == 409)
        #expect(try await body(over).contains("the session is over"))
        #expect(await site().answer(request("/api/sessions/\(UUID())/pause", "POST", withKey)).status == 404)
    }

    @Test func `the state decides the possible controls`() {
        var snapshot = LiveSnapshot()
        func controls(_ isOver: Bool = false) -> [ServedSession.Control] {
            ServedSession.controls(of: snapshot, isOver: isOver)
        }
        #expect(controls() == [])
        snapshot.phase = .prepared
        #expect(controls() == [.start, .end])
        snapshot.isMirrored = true
        #expect(controls() == [])
        snapshot.phase = .running
        #expect(controls() == [.pause, .lap, .end])
        #expect(controls(true) == [])
        snapshot.phase = .paused
        #expect(controls() == [.resume, .end])
        snapshot.isOutOfReach = true
        #expect(controls() == [])
    }

    @Test func `a key in a link becomes a cookie, and disappears from the address`() async throws {
        let site = site(isLoopback: false)
        let answer = await site.answer(request("/board?columns=3&key=\(key.text)"))
        #expect(answer.status == 303)
        #expect(answer.headers.first { $0.name == "Location" }?.value == "/board?columns=3")
        #expect(answer.headers.first { $0.name == "Set-Cookie" }?.value.hasPrefix("workout-key=\(key.text);") == true)
        let foreign = await site.answer(request("//evil.example/?key=\(key.text)"))
        #expect(foreign.headers.first { $0.name == "Location" }?.value.hasPrefix("//") != true)
        let wrong = await site.answer(request("/board?key=\(WebKey().text)"))
        #expect(wrong.status == 401)
        #expect(!wrong.headers.contains { $0.name == "Set-Cookie" })
        #expect(try await body(wrong).contains("<form"))
        let typed = await site.answer(request("/api/key", "POST", [], "{\"key\":\"\(key.text.uppercased())\"}"))
        #expect(typed.status == 204 && typed.headers.contains { $0.name == "Set-Cookie" })
        #expect(await site.answer(request("/api/key", "POST", [], "{\"key\":\"1\"}")).status == 401)
        #expect(await site.answer(request("/api/key", "POST", [], "nonsense")).status == 400)
    }

    @Test func `a foreign host name gets nothing`() async {
        let asked = WebRequest(method: "GET", target: "/api/sessions", headers: [("Host", "evil.example")])
        #expect(await site().answer(asked).status == 421)
    }

    @Test(arguments: [
        "/", "/board", "/assets/live.js", "/api/sessions", "/nowhere", "/history", "/workouts/x", "/assets/x.js",
    ])
    func `every answer has security headers`(path: String) async throws {
        let answer = await site().answer(request(path))
        let policies = answer.headers.filter { $0.name == "Content-Security-Policy" }.map(\.value)
        #expect(policies.count == 1)
        #expect(policies.first?.hasPrefix("default-src 'none'; ") == true)
        #expect(policies.first?.contains("frame-ancestors 'none'") == true)
        #expect(policies.first?.contains("script-src 'unsafe") == false)
        for name in ["X-Content-Type-Options", "Referrer-Policy", "Cache-Control"] {
            #expect(answer.headers.contains { $0.name == name })
        }
    }

    // MARK: What is stored

    @Test func `stored workouts are listed, and each has its page`() async throws {
        #expect(try await body(site().answer(request("/history"))).contains("No workouts are stored yet"))
        let summary = try await stored.replay("easy-run")
        for path in ["/history", "/api/workouts"] {
            let none = try await body(site().answer(request(path + "?activity=rowing&text=")))
            #expect(!none.contains(summary.id.uuidString), "\(path)")
            let found = try await body(site().answer(request(path + "?text=run+running&min-distance=10m")))
            #expect(found.contains(summary.id.uuidString), "\(path)")
            #expect(await site().answer(request(path + "?min-distance=far")).status == 400, "\(path)")
        }
        let searched = try await body(site().answer(request("/history?activity=rowing&text=%22%3E%3Cscript%3E")))
        #expect(searched.contains("No stored workout matches.") && !searched.contains("\"><script>"))
        let list = try await body(site().answer(request("/api/workouts")))
        #expect(list.contains(summary.id.uuidString))
        #expect(
            try await body(site().answer(request("/history"))).contains("href=\"/workouts/\(summary.id.uuidString)\""))
        let page = await site().answer(request("/workouts/\(summary.id.uuidString)"))
        #expect(page.status == 200)
        #expect(try await body(page).contains(MetricFormat.time(summary.durationInSeconds)))
        #expect(await site().answer(request("/reports/all")).status == 200)
        let shown = try await body(site().answer(request("/api/workouts/\(summary.id.uuidString.prefix(8))")))
        #expect(shown.contains(summary.id.uuidString))
        #expect(await site().answer(request("/api/workouts/\(UUID())")).status == 404)
        #expect(await site().answer(request("/workouts/\(UUID())")).status == 404)
    }

    @Test func `a long history has several pages, each with links to its neighbours`() async throws {
        let start = Date(timeIntervalSinceReferenceDate: 800_000_000)
        let count = HistoryPage.workoutsOnAPage + 3
        let workouts = (0..<count).map { number in
            HKWorkout(
                activityType: .running, start: start + Double(number) * 86_400,
                end: start + Double(number) * 86_400 + 600)
        }
        try stored.database.save(workouts, from: .current)
        func links(_ path: String) async throws -> (workouts: Set<String>, page: String) {
            let page = try await body(site().answer(request(path)))
            return (Set(page.matches(of: #/href="/workouts/([^"]+)"/#).map { String($0.1) }), page)
        }
        let (first, newest) = try await links("/history")
        let (second, oldest) = try await links("/history?page=2")
        #expect(first.count == HistoryPage.workoutsOnAPage && second.count == 3)
        #expect(first.union(second) == Set(workouts.map(\.uuid.uuidString)))
        #expect(newest.contains("href=\"/history?page=2\"") && !newest.contains("Newer workouts"))
        #expect(oldest.contains("href=\"/history\">← Newer workouts") && !oldest.contains("Older workouts"))
        #expect(try await links("/history?page=3").page.contains("No workouts are on this page."))
        for wrong in ["0", "-1", "x", "9999999999"] {
            #expect(await site().answer(request("/history?page=\(wrong)")).status == 404)
        }
    }

    @Test func `an unknown address gets a page in a browser, and JSON in a program`()
        async throws
    {
        let browser = await site().answer(request("/nothing", "GET", [("Accept", "text/html,*/*;q=0.8")]))
        #expect(browser.status == 404)
        let page = try await body(browser)
        #expect(page.contains("<h1>Not found</h1>") && page.contains("href=\"/history\""))
        let program = await site().answer(request("/nothing"))
        #expect(program.status == 404)
        #expect(try await body(program).hasPrefix("{\"error\":"))
    }

    // MARK: Numbers for programs

    @Test func `heart rate and metrics are text`() async throws {
        #expect(await site().answer(request("/heart-rate")).status == 404)
        let (session, _) = try await served()
        #expect(try await body(site().answer(request("/heart-rate"))) == "-")
        let metrics = try await body(site().answer(request("/metrics")))
        #expect(metrics.contains("workout_session_running{session=\"\(session.id.uuidString)\""))
        #expect(metrics.contains("\nworkout_watching_browsers 0\n"))
        for line in metrics.split(separator: "\n") where !line.hasPrefix("#") {
            #expect(line.wholeMatch(of: #/[a-z_]+(\{.*\})? -?[0-9.e+]+/#) != nil, "\(line)")
        }
    }

    @Test func `a client gets the present state, and then the changes`() async throws {
        let site = site()
        var frames = await site.feed.frames().makeAsyncIterator()
        let first = try #require(await frames.next())
        #expect(
            String(decoding: first.events(after: 0, of: nil), as: UTF8.self)
                == "event:sessions\ndata:{\"sessions\":[]}\n\n")
        let (session, _) = try await served("easy-run")
        var seen = first.version
        var text = ""
        while let frame = await frames.next() {
            text += String(decoding: frame.events(after: seen, of: session.id), as: UTF8.self)
            seen = frame.version
            if text.contains("\"isOver\":true,\"isOutOfReach\"") { break }
        }
        #expect(text.contains("event:course\n"))
        #expect(await site.feed.watcherCount == 1)
    }
}
