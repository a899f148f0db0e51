import Foundation

/// The resources of the server, by path. Pure.
enum ServeRoute: Equatable {
    /// A page of the folder Pages, by the name of its file.
    case page(String)
    case asset(String)
    case history
    case workoutPage(String)
    case spanPage(ReportSpan)
    case feed(session: UUID?)
    case sessions
    case session(UUID)
    case entries(UUID)
    case control(UUID, ServedSession.Control)
    case workouts
    case workout(String)
    case access
    case key
    case heartRate
    case metrics
    case description

    init?(_ parts: [String]) {
        switch parts.count {
        case 0: self = .page("live.html")
        case 1: self.init(single: parts[0])
        case 2 where parts[0] == "sessions" && UUID(uuidString: parts[1]) != nil: self = .page("live.html")
        case 2 where parts[0] == "assets": self = .asset(parts[1])
        case 2 where parts[0] == "workouts": self = .workoutPage(parts[1])
        case 2 where parts[0] == "reports":
            guard let span = ReportSpan(rawValue: parts[1]) else { return nil }
            self = .spanPage(span)
        case 2...4 where parts[0] == "api": self.init(interface: Array(parts.dropFirst()))
        default: return nil
        }
    }

    private init?(single part: String) {
        switch part {
        case "board", "overlay", "key": self = .page(part + ".html")
        case "history": self = .history
        case "heart-rate": self = .heartRate
        case "metrics": self = .metrics
        case "openapi.json": self = .description
        default: return nil
        }
    }

    private init?(interface parts: [String]) {
        switch (parts[0], parts.count) {
        case ("live", 1): self = .feed(session: nil)
        case ("sessions", 1): self = .sessions
        case ("access", 1): self = .access
        case ("key", 1): self = .key
        case ("workouts", 1): self = .workouts
        case ("workouts", 2): self = .workout(parts[1])
        case ("sessions", 2...):
            guard let id = UUID(uuidString: parts[1]) else { return nil }
            self.init(of: id, parts.count > 2 ? parts[2] : nil)
        default: return nil
        }
    }

    private init?(of id: UUID, _ part: String?) {
        switch part {
        case nil: self = .session(id)
        case "live": self = .feed(session: id)
        case "entries": self = .entries(id)
        case let part?:
            guard let control = ServedSession.Control(rawValue: part) else { return nil }
            self = .control(id, control)
        }
    }

    /// The only method allowed besides HEAD.
    var method: String {
        switch self {
        case .control, .key: "POST"
        default: "GET"
        }
    }

    /// Whether it needs no key: the form that takes the key, and its style.
    var isPublic: Bool {
        switch self {
        case .page("key.html"), .asset, .access, .key: true
        default: false
        }
    }

    /// Whether it is for people and not for programs.
    var isPage: Bool {
        switch self {
        case .page, .history, .workoutPage, .spanPage: true
        default: false
        }
    }
}
