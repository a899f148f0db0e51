import Foundation
import Testing

@testable import workout

@Suite struct ServeRouteTests {
    private let id = UUID()

    @Test func `the site has exactly the described routes and methods`() throws {
        let file = try #require(ServedPages.file("openapi.json"))
        let description = try #require(try JSONSerialization.jsonObject(with: Data(file)) as? [String: Any])
        let paths = try #require(description["paths"] as? [String: [String: Any]])
        var described: Set<String> = []
        for (path, operations) in paths {
            let filled = path.replacing("{control}", with: "pause").replacing("{id}", with: id.uuidString)
            let route = try #require(ServeRoute(filled.split(separator: "/").map(String.init)), "\(path)")
            #expect(operations[route.method.lowercased()] != nil, "\(path)")
            #expect(!route.isPage, "\(path)")
            described.insert("\(route)".prefix { $0 != "(" }.description)
        }
        #expect(
            described == [
                "sessions", "session", "feed", "entries", "control", "workouts", "workout", "access", "key",
                "heartRate",
                "metrics",
            ])
    }

    @Test func `pages are found by their addresses`() {
        #expect(ServeRoute([]) == .page("live.html"))
        #expect(ServeRoute(["sessions", id.uuidString]) == .page("live.html"))
        #expect(ServeRoute(["board"]) == .page("board.html"))
        #expect(ServeRoute(["reports", "month"]) == .spanPage(.month))
        #expect(ServeRoute(["api", "sessions", id.uuidString, "lap"]) == .control(id, .lap))
        #expect(ServeRoute(["api", "live"]) == .feed(session: nil))
    }

    @Test(arguments: [
        ["x"], ["sessions", "x"], ["api"], ["api", "sessions", "x"], ["assets"], ["reports", "decade"],
        ["api", "sessions", "00000000-0000-0000-0000-000000000000", "fly"], ["a", "b", "c", "d", "e"],
    ])
    func `an unknown address is not found`(parts: [String]) {
        #expect(ServeRoute(parts) == nil)
    }

    @Test func `only the form for the key and its style are public`() throws {
        let all = [
            [], ["board"], ["overlay"], ["history"], ["workouts", "x"], ["reports", "all"], ["heart-rate"], ["metrics"],
            ["openapi.json"], ["api", "live"], ["api", "sessions"], ["api", "workouts"],
            ["api", "sessions", id.uuidString],
            ["api", "sessions", id.uuidString, "entries"], ["api", "sessions", id.uuidString, "end"],
        ]
        for parts in all {
            let route = try #require(ServeRoute(parts))
            #expect(!route.isPublic, "\(parts)")
        }
        for parts in [["key"], ["assets", "key.js"], ["api", "access"], ["api", "key"]] {
            let route = try #require(ServeRoute(parts))
            #expect(route.isPublic, "\(parts)")
        }
    }

    @Test(arguments: ["", "x", "-1", "1.2.3", "0.5", "-1.5", "1.x", ".", "99999999999999999999"])
    func `an invalid position is rejected`(text: String) {
        #expect(EntryStream.Place(text) == nil)
    }

    @Test func `a position is encoded and decoded`() {
        for place in [EntryStream.Place(), .init(index: 120), .init(epoch: 2, index: 0), .init(epoch: 3, index: 9)] {
            #expect(EntryStream.Place("\(place)") == place)
        }
    }
}
