import Engine
import HealthKit
import Reports
import SessionLog

/// The live view in a pipe: a line if something changed, and one every so often.
///
/// Pure: pass each snapshot, print the returned lines. A line reads `00:05:00  running  142 bpm  zone 3  1.02 km`.
struct PlainLiveLine: Sendable {
    /// The session time between two lines while only numbers change.
    var intervalInSeconds: Double
    private var last: LiveSnapshot?
    private var lastLineAt = -Double.infinity

    init(intervalInSeconds: Double = 60) {
        self.intervalInSeconds = intervalInSeconds
    }

    /// Returns the lines that are due, oldest first, usually none.
    mutating func lines(for snapshot: LiveSnapshot) -> [String] {
        defer { last = snapshot }
        let time = MetricFormat.paddedClock(snapshot.durationInSeconds)
        var lines = Self.news(snapshot.messages, after: last?.messages ?? []).map {
            time + "  " + Language.current.message($0)
        }
        lines += Self.news(snapshot.warnings, after: last?.warnings ?? []).map {
            time + "  " + Language.current.message("warning: " + $0)
        }
        let passed = snapshot.durationInSeconds - lastLineAt
        let changed =
            last?.phase != snapshot.phase || last?.isOutOfReach != snapshot.isOutOfReach
            || last?.lapNumber != snapshot.lapNumber || last?.plan?.step != snapshot.plan?.step
            || last?.sensors.map(\.presence) != snapshot.sensors.map(\.presence)
            || last?.companions.map(\.isConnected) != snapshot.companions.map(\.isConnected)
        if changed || (passed >= intervalInSeconds && !snapshot.isOutOfReach) || passed < 0 {
            lines.append(Self.text(snapshot))
            lastLineAt = snapshot.durationInSeconds
        }
        return lines.map(DisplayWidth.printable)
    }

    /// Returns one line of all values, without escape sequences.
    static func text(_ snapshot: LiveSnapshot) -> String {
        var parts = [
            MetricFormat.paddedClock(snapshot.durationInSeconds),
            snapshot.isOutOfReach ? localized("out of reach") : state(snapshot.phase),
        ]
        parts.append(snapshot.heartRateInBeatsPerMinute.map(MetricFormat.heartRate) ?? localized("no heart rate"))
        if let zone = snapshot.zone { parts.append(localized("zone %1", "\(zone)")) }
        if snapshot.lapNumber > 1 { parts.append(localized("lap %1", "\(snapshot.lapNumber)")) }
        if let plan = snapshot.plan, !plan.isOver {
            if plan.count > 1 { parts.append(localized("step %1 of %2", "\(plan.step)", "\(plan.count)")) }
            parts.append(localized("target %1", plan.target ?? localized("free")))
        }
        if let distance = snapshot.distanceInMeters { parts.append(MetricFormat.distance(distance)) }
        if let pace = snapshot.paceInSecondsPerKilometer {
            parts.append(MetricFormat.pace(pace))
        } else if let pace = snapshot.swimPaceInSecondsPerMeter {
            parts.append(MetricFormat.swimPace(pace))
        } else if let speed = snapshot.speedInMetersPerSecond {
            parts.append(MetricFormat.speed(speed))
        }
        if let power = snapshot.powerInWatts { parts.append(MetricFormat.power(power)) }
        if let energy = snapshot.energyInKilocalories { parts.append(MetricFormat.energy(energy)) }
        parts += snapshot.sensors.filter { $0.presence != .present }.map {
            $0.name + " " + Language.current.text($0.presence.rawValue)
        }
        parts += snapshot.companions.filter { !$0.isConnected }.map { $0.name + " " + localized("out of reach") }
        return DisplayWidth.printable(parts.joined(separator: "  "))
    }

    private static func state(_ phase: SessionPhase) -> String {
        Language.current.text(phase == .notStarted ? "waiting" : phase.rawValue)
    }

    /// Returns the elements appended to a list that may have dropped its oldest ones meanwhile.
    private static func news(_ now: [String], after before: [String]) -> ArraySlice<String> {
        for kept in stride(from: min(before.count, now.count), through: 0, by: -1)
        where before.suffix(kept).elementsEqual(now.prefix(kept)) {
            return now.dropFirst(kept)
        }
        return now[...]
    }
}

extension PlainLiveLine {
    /// Writes the lines that are due until `until` returns, and then those of the last snapshot.
    ///
    /// Reads the session as often as a screen does: at most ten times per second of `clock`. Rethrows errors of
    /// `until`. Signals keep their meaning, since there is nothing to restore.
    func run(
        clock: some Clock<Duration> = ContinuousClock(),
        snapshot: @escaping @Sendable () -> LiveSnapshot,
        write: @escaping @Sendable (String) -> Void,
        until: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: PlainLiveLine?.self) { group in
            group.addTask {
                var output = self
                while !Task.isCancelled {
                    output.lines(for: snapshot()).forEach(write)
                    // Cancelled: the work is done.
                    do { try await clock.sleep(for: TerminalScreen.shortestRefresh) } catch { break }
                }
                return output
            }
            group.addTask {
                try await until()
                return nil
            }
            while let output = try await group.next() {
                group.cancelAll()
                guard var output else { continue }
                output.lines(for: snapshot()).forEach(write)
            }
        }
    }
}
