import ArgumentParser
import Foundation
import HealthKit
import SessionLog
import StoredWorkouts
import Testing

@testable import workout

/// The workouts that a filter selects.
@Suite struct WorkoutFilterTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private func workout(
        _ activity: HKWorkoutActivityType = .running, hour: Double = 0, minutes: Double = 30, kilometers: Double? = nil,
        device: String? = nil, _ label: (inout WorkoutLabels.Change) -> Void = { _ in }
    ) throws -> HKWorkout {
        var change = WorkoutLabels.Change()
        label(&change)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        return try HKWorkout.validated(
            ObjectIdentity(
                device: device.map {
                    HKDevice(
                        name: $0, manufacturer: nil, model: nil, hardwareVersion: nil, firmwareVersion: nil,
                        softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
                }, metadata: WorkoutLabels(nil).applying(change).added(to: nil)),
            configuration: configuration, start: Self.start + hour * 3_600,
            end: Self.start + hour * 3_600 + minutes * 60,
            totals: WorkoutTotals(distance: kilometers.map { HKQuantity(unit: .meter(), doubleValue: $0 * 1_000) }))
    }

    private func isFound(_ workout: HKWorkout, _ arguments: String...) throws -> Bool {
        var filter = try WorkoutFilterArguments.parse(arguments).filter
        filter.timeZone = .gmt
        return filter.matches(workout)
    }

    @Test func `words are found in title, notes, tags, gear, activity and device`() throws {
        let ride = try workout(.cycling, device: "Edge 530") { change in
            (change.title, change.notes, change.gear) = ("To the Lake", "windy", "Blue bike")
            change.addedTags = ["commute"]
        }
        for text in ["lake", "LAKE windy", "blue", "commute", "cycling", "edge", ""] {
            #expect(try isFound(ride, "--text", text))
        }
        #expect(try !isFound(ride, "--text", "lake sunny"))
        // 06:13 UTC.
        #expect(try isFound(workout(), "--text", "morning run"))
    }

    @Test func `tags, distances, durations and devices filter the list`() throws {
        let run = try workout(minutes: 40, kilometers: 8, device: "Forerunner") { $0.addedTags = ["race", "hills"] }
        #expect(try isFound(run, "--tag", "Race", "--tag", "hills") && !isFound(run, "--tag", "race", "--tag", "flat"))
        #expect(try isFound(run, "--min-distance", "5km", "--max-distance", "8km"))
        #expect(try !isFound(run, "--min-distance", "5mi") && !isFound(run, "--max-distance", "800m"))
        #expect(try isFound(run, "--min-duration", "40m") && !isFound(run, "--max-duration", "39m"))
        #expect(try isFound(run, "--device", "runner") && !isFound(run, "--device", "edge"))
        #expect(try !isFound(workout(), "--min-distance", "0m"), "without a distance it is in no range")
    }

    @Test func `invalid filters are rejected`() {
        for arguments in [
            ["--min-distance", "5"], ["--min-distance", "9km", "--max-distance", "5km"], ["--min-duration", "soon"],
            ["--min-duration", "2h", "--max-duration", "1h"], ["--from", "2026-02", "--to", "2026-01"],
        ] {
            #expect(throws: (any Error).self) { try WorkoutFilterArguments.parse(arguments) }
        }
        #expect(throws: (any Error).self) { try Export.parse(["8F3A", "--tag", "race"]) }
        #expect(throws: (any Error).self) { try Export.parse([]) }
        #expect(throws: Never.self) { try Export.parse(["--tag", "race"]) }
    }

    @Test func `the store and the filter agree`() throws {
        let runs = StoredRuns()
        let all = try (0..<8).map {
            try workout($0 % 2 == 0 ? .running : .cycling, hour: Double($0), kilometers: Double($0))
        }
        try runs.database.save(all, from: .current)
        let stored = StoredWorkouts(runs.database)
        for filter in [
            WorkoutFilter(), WorkoutFilter(start: Self.start + 7_200, end: Self.start + 18_000),
            WorkoutFilter(activity: .cycling), WorkoutFilter(ids: [all[3].uuid]),
            WorkoutFilter(activity: .running, distance: 2_000...5_000),
        ] {
            #expect(try stored.all(filter) == all.reversed().filter(filter.matches))
        }
        #expect(try stored.all(WorkoutFilter(distance: 2_000...5_000), limit: 2).count == 2)
    }

    @Test(arguments: [(4, "Night"), (5, "Morning"), (11, "Morning"), (12, "Afternoon"), (17, "Evening"), (22, "Night")])
    func `a workout without a title is named by time of day and activity`(hour: Int, name: String) throws {
        let midnight = try #require(Calendar.gregorian(.gmt).dateInterval(of: .day, for: Self.start)?.start)
        let start = midnight + Double(hour) * 3_600
        let labels = WorkoutLabels(nil)
        #expect(WorkoutTitle.of(labels, "running", start, .gmt) == "\(name) Run")
        #expect(
            WorkoutTitle.of(labels, "traditionalStrengthTraining", start, .gmt)
                == "\(name) Traditional Strength Training")
        var named = labels
        named.title = "Parkrun"
        #expect(WorkoutTitle.of(named, "running", start, .gmt) == "Parkrun")
    }

    @Test func `labels keep other metadata, and an empty text removes one`() {
        var change = WorkoutLabels.Change()
        (change.title, change.gear) = ("Lake", "Bike")
        change.addedTags = ["b", "a"]
        let metadata = WorkoutLabels(nil).applying(change).added(to: ["Other": 1])
        #expect(metadata?["Other"] as? Int == 1)
        #expect(WorkoutLabels(metadata).tags == ["a", "b"])
        var later = WorkoutLabels.Change()
        (later.title, later.removedTags) = ("", ["a"])
        let left = WorkoutLabels(metadata).applying(later)
        #expect(left.title == nil && left.gear == "Bike" && left.tags == ["b"])
    }

    // MARK: Browsing

    @Test func `keys move, search and open`() throws {
        let workouts = try (0..<30).map { number in
            try workout(hour: Double(-number)) { $0.title = number == 20 ? "Lake" : "Run \(number)" }
        }
        var list = BrowseList(workouts)
        list.press(.down)
        list.press(.right)
        #expect(list.selected == 11)
        list.press(.up)
        #expect(list.selection == workouts[10])
        for key: Key in [.character("G"), .down] { list.press(key) }
        #expect(list.selected == 29)
        list.press(.character("/"))
        for letter in "lake" { list.press(.character(letter)) }
        #expect(list.shown == [workouts[20]] && list.isSearching)
        list.press(.enter)
        list.press(.enter)
        #expect(list.openedAtLine == 0)
        list.press(.down)
        #expect(list.openedAtLine == 1)
        list.press(.character("q"))
        #expect(list.openedAtLine == nil && !list.isOver)
        list.press(.escape)
        #expect(list.shown.count == 30 && list.selection == workouts[20])
        list.press(.character("q"))
        #expect(list.isOver)
    }

    @Test(arguments: [(30, 8), (80, 24), (140, 40)])
    func `the screen is filled and never overflows`(columns: Int, rows: Int) throws {
        let workouts = try (0..<50).map { try workout(hour: Double(-$0), kilometers: 10) }
        var list = BrowseList(workouts)
        for _ in 0..<4 { list.press(.right) }
        let size = TerminalSize(columns: columns, rows: rows)
        let preview = (0..<60).map { "line \($0)" }
        let frame = BrowseFrame(list: list, preview: preview).lines(size, .plain)
        #expect(frame.count <= rows)
        #expect(frame.allSatisfy { DisplayWidth.of($0) <= columns })
        #expect(frame.contains { $0.contains(">") } && frame.contains { $0.contains("line 0") })
        list.press(.enter)
        for _ in 0..<9 { list.press(.right) }
        let opened = BrowseFrame(list: list, preview: preview).lines(size, .plain)
        #expect(opened.count <= rows && opened.last == "line 59")
    }

    @Test func `the pager is the user's, if the output is a terminal`() {
        #expect(Pager.command(["TERM": "xterm"], isTerminal: true) == "less -FRX")
        #expect(Pager.command(["TERM": "xterm", "PAGER": "more"], isTerminal: true) == "more")
        for (environment, isTerminal) in [
            (["PAGER": "cat"], true), (["PAGER": ""], true), (["TERM": "dumb"], true), (["PAGER": "more"], false),
        ] {
            #expect(Pager.command(environment, isTerminal: isTerminal) == nil)
        }
    }
}
