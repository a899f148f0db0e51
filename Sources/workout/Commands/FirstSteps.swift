import Engine
import Foundation
import HealthKit
import Reports

/// The output of `workout` alone: what to do next with this machine, its sensors and its history, in eight lines.
struct FirstSteps: Equatable {
    var hasAdapter: Bool
    /// The names of the paired sensors.
    var sensors: [String]
    /// The newest stored workout.
    var latest: Latest?

    struct Latest: Equatable {
        var title: String
        var start: Date
        /// The short form that lists show.
        var id: String
    }

    private struct Step {
        var command: String
        var purpose: String
    }

    private static let mostSteps = 4
}

extension FirstSteps {
    /// Checks the machine. Opens the store if it exists, and never creates one.
    ///
    /// - Parameter adapters: The folder in which the kernel lists Bluetooth adapters (Linux,
    ///   net/bluetooth/hci_sysfs.c): `hci0`, `hci1` …
    /// - Throws: If the store or the settings cannot be read.
    init(_ environment: HealthEnvironment, adapters: String = "/sys/class/bluetooth") throws {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: adapters)) ?? []
        hasAdapter = entries.contains { $0.hasPrefix("hci") }
        sensors = try environment.readPairedSensors().map(\.title)
        guard let path = environment.storeFile, FileManager.default.fileExists(atPath: path) else { return }
        latest = try CommandFailure.storeFault { try StoredWorkouts(environment.database).all(limit: 1) }.first.map {
            Latest(
                title: WorkoutTitle.of($0, .autoupdatingCurrent), start: $0.startDate,
                id: String($0.uuid.uuidString.prefix(WorkoutListing.shortestID)))
        }
    }

    func lines(_ page: Page) -> [String] {
        let steps = steps.prefix(Self.mostSteps)
        let width = steps.map(\.command.count).max() ?? 0
        let lines =
            [
                StyledLine(localized("workout records, replays, simulates and analyses workouts."), .bold), "",
                situation(page),
            ]
            + steps.map { step in
                "  " + StyledLine(step.command, .colour(.cyan)).padded(to: width)
                    + StyledLine("   " + Language.current.text(step.purpose))
            }
            + [StyledLine(localized("All commands: workout --help. If readings are missing: workout doctor."), .dim)]
        return lines.map { $0.clipped(to: page.columns, ellipsis: page.ellipsis).text(page.capability.colour) }
    }

    private func situation(_ page: Page) -> StyledLine {
        let machine =
            if let first = sensors.first {
                sensors.count > 1
                    ? localized("%1 sensors are paired.", "\(sensors.count)") : localized("%1 is paired.", first)
            } else if hasAdapter {
                latest == nil
                    ? localized("No sensor is paired yet. Put on your chest strap, then:")
                    : localized("No sensor is paired yet.")
            } else if latest == nil {
                localized("No Bluetooth adapter found. Without one you can:")
            } else {
                localized("No Bluetooth adapter found.")
            }
        guard let latest else { return StyledLine(machine) }
        return StyledLine(machine + " " + localized("Latest workout: %1, %2.", latest.title, page.minute(latest.start)))
    }

    private var steps: [Step] {
        var steps: [Step] = []
        if !sensors.isEmpty {
            steps = [
                Step(command: "workout record --activity running", purpose: "record a workout"),
                Step(command: "workout monitor", purpose: "show live readings"),
            ]
        } else if hasAdapter {
            steps = [
                Step(command: "workout pair", purpose: "find and remember your sensor"),
                Step(command: "workout record --activity running", purpose: "record a workout"),
            ]
        }
        if let latest {
            steps += [
                Step(command: "workout show \(latest.id)", purpose: "show the latest workout"),
                Step(command: "workout report --week", purpose: "create a page of this week"),
            ]
        }
        return steps + [
            Step(command: "workout simulate --speed max --save", purpose: "simulate a workout and save it"),
            Step(command: "workout import FILE", purpose: "import FIT, TCX, GPX or CSV files"),
            Step(command: "workout list", purpose: "list stored workouts"),
            Step(command: "workout serve", purpose: "show the history in a browser"),
        ]
    }
}
