import Analytics
import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import StoredWorkouts

/// A summary for people, at most as wide as the terminal. Missing data is stated in words.
struct SummaryTable: Sendable {
    var page = Page()

    init(page: Page = Page()) {
        self.page = page
    }

    init(columns: Int, capability: TerminalCapability = .plain, timeZone: TimeZone = .current) {
        page = Page(columns: columns, capability: capability, timeZone: timeZone)
    }

    /// Returns the lines. Either part may be absent: a stored workout has no file.
    /// - Parameter chart: A chart below the workout's figures.
    func lines(workout: WorkoutSummary?, file: FileSummary? = nil, chart: WorkoutChart? = nil) -> [String] {
        var lines: [StyledLine] = []
        if let workout { lines += SummaryTable(page: page.at(workout.timeZone)).lines(workout) }
        if let chart { lines += chart.lines(page) }
        if let file {
            if !lines.isEmpty { lines.append(StyledLine()) }
            lines += self.lines(file)
        }
        return lines.map { $0.clipped(to: columns, ellipsis: ellipsis).text(capability.colour) }
    }

    private var columns: Int { page.columns }
    private var capability: TerminalCapability { page.capability }
    private var ellipsis: String { page.ellipsis }
    private var dash: String { page.dash }
    private func day(_ date: Date) -> String { page.day(date) }
    private func clock(_ date: Date) -> String { page.clock(date) }
    private func zoneName(_ date: Date) -> String { page.zoneName(date) }

    // MARK: The workout

    private func lines(_ workout: WorkoutSummary) -> [StyledLine] {
        var lines = header(workout)
        lines.append(StyledLine())
        lines += statistics(workout)
        lines += section(localized("Zones"), zones(workout.zoneShares))
        let speeds = localized("%1 zones", SpeedForm(workout).title)
        for (title, time) in [(localized("Power zones"), workout.powerZones), (speeds, workout.speedZones)] {
            guard let time else { continue }
            lines += section(
                title,
                zones(
                    WorkoutSummary.shares(
                        of: time.zones.map { WorkoutSummary.Zone(zone: $0.number, seconds: Double($0.seconds)) },
                        below: Double(time.below))))
        }
        lines += section(localized("Legs"), activities(workout.activities))
        lines += section(
            localized("Laps"),
            laps(workout.laps) { workout.activity(at: $0) })
        lines += section(
            localized("Pauses"),
            workout.pauses.map { pause in
                StyledLine("  \(clock(pause.start)) \(dash) \(clock(pause.end))   ")
                    + StyledLine(MetricFormat.time(pause.end.timeIntervalSince(pause.start)))
            })
        lines += section(
            localized("Sensors"),
            workout.sensors.map {
                StyledLine("  \(localizedDevice($0.name))")
                    + StyledLine($0.kind.map { "  " + Language.current.text($0) } ?? "", .dim)
            })
        if let labels = workout.labels {
            let rows = [
                (localized("Notes"), labels.notes),
                (localized("Tags"), labels.tags.isEmpty ? nil : labels.tags.joined(separator: ", ")),
                (localized("Gear"), labels.gear), (localized("Effort"), labels.effort.map(MetricFormat.effort)),
            ]
            let said = rows.flatMap { label, text in
                (text?.split(separator: "\n", omittingEmptySubsequences: false) ?? []).enumerated().flatMap {
                    row($0.offset == 0 ? label : "", [String($0.element)])
                }
            }
            if !said.isEmpty { lines += [StyledLine()] + said }
        }
        if let source = workout.source {
            lines += [StyledLine()] + row(localized("Saved by"), [source]) + row("ID", [workout.id.uuidString])
        }
        return lines
    }

    private func header(_ workout: WorkoutSummary) -> [StyledLine] {
        let title = StyledLine(workout.title(page.timeZone), .bold)
        let sameDay = day(workout.start) == day(workout.end)
        let end = sameDay ? clock(workout.end) : "\(day(workout.end)), \(clock(workout.end))"
        let start = "\(day(workout.start)), \(clock(workout.start))"
        let when = StyledLine("\(start) \(dash) \(end) \(zoneName(workout.start))")
        var facts = workout.labels == nil ? [] : [ActivityTitle.of(workout.activity)]
        facts.append(localized("duration %1", MetricFormat.time(workout.durationInSeconds)))
        facts.append(localized("elapsed time %1", MetricFormat.time(workout.elapsedInSeconds)))
        facts.append(counted(workout.laps.count, "lap"))
        facts.append(counted(workout.pauses.count, "pause"))
        let head =
            title.width + 2 + when.width <= columns
            ? [StyledLine.spread(title, when, columns: columns, ellipsis: ellipsis)] : [title, when]
        return head + packed(facts, after: StyledLine())
    }

    private func statistics(_ workout: WorkoutSummary) -> [StyledLine] {
        let heartRate = "HKQuantityTypeIdentifierHeartRate"
        let rates = workout.statistics.filter { $0.identifier == heartRate && $0.count != 0 }
        let others = workout.statistics.filter { $0.identifier != heartRate }.sorted { $0.identifier < $1.identifier }
        var rows =
            rates.isEmpty
            ? [
                (
                    localized("Heart rate"),
                    [workout.source == nil ? localized("no heart rate in this recording") : localized("none stored")]
                )
            ]
            : rates.map { (localized("Heart rate"), texts($0, unit: "bpm")) }
        rows += others.compactMap { statistics in
            let texts = texts(statistics, of: workout)
            guard !texts.isEmpty else { return nil }
            let form = SpeedForm(identifier: statistics.identifier, in: workout.activity)
            let label = form?.title ?? QuantityLabel.of(statistics.identifier, among: others.map(\.identifier))
            return (label, texts)
        }
        if let beats = workout.beats { rows.append((localized("Heart-rate variability"), texts(beats))) }
        if let first = workout.electrocardiograms.first {
            let seconds = workout.electrocardiograms.reduce(0) { $0 + $1.end.timeIntervalSince($1.start) }
            rows.append(
                (
                    localized("Electrocardiogram"),
                    [MetricFormat.time(seconds), localized("%1 Hz", "\(Int(first.samplesPerSecond.rounded()))")]
                ))
        }
        if let route = workout.route {
            rows.append(
                (localized("Route"), [counted(route.points, "point"), MetricFormat.distance(route.distanceInMeters)]))
        }
        let widest = rows.map { DisplayWidth.of($0.0) }.max() ?? 0
        return rows.flatMap { row($0.0, $0.1, width: min(widest + 2, 30)) }
    }

    /// Returns a speed in the form of its sport. JSON has metres per second.
    private func texts(_ statistics: WorkoutSummary.Statistics, of workout: WorkoutSummary) -> [String] {
        guard statistics.unit == "m/s", let form = SpeedForm(identifier: statistics.identifier, in: workout.activity)
        else { return texts(statistics, unit: statistics.unit) }
        let text = form.text(
            least: statistics.minimum,
            mean: workout.meanSpeed(statistics.identifier) ?? statistics.average ?? statistics.arithmeticMean,
            greatest: statistics.maximum)
        return text.map { [$0] } ?? []
    }

    private func texts(_ statistics: WorkoutSummary.Statistics, unit: String) -> [String] {
        if let sum = statistics.sum { return [QuantityLabel.value(sum, unit: unit, of: statistics.identifier)] }
        let unit = unit == "count/min" ? "/min" : unit
        var parts: [String] = []
        if let minimum = statistics.minimum { parts.append(localized("min") + " \(MetricFormat.short(minimum))") }
        if let average = statistics.average ?? statistics.arithmeticMean {
            parts.append(localized("avg") + " \(MetricFormat.fixed(average, 1))")
        }
        if let maximum = statistics.maximum { parts.append(localized("max") + " \(MetricFormat.short(maximum))") }
        return parts.isEmpty ? [] : [parts.joined(separator: "  ") + " \(unit)"]
    }

    private func zones(_ zones: [WorkoutSummary.ZoneShare]) -> [StyledLine] {
        let longest = zones.map(\.seconds).max() ?? 0
        let bar = min(40, columns - 25)
        return zones.map { zone in
            let share = zone.share.map { MetricFormat.fixed($0 * 100, 0) + " %" } ?? ""
            var line = StyledLine(zone.zone == 0 ? " <1" : "  \(zone.zone)").padded(to: 5)
            if bar >= 5 {
                let fraction = longest > 0 ? zone.seconds / longest : 0
                line += StyledLine(
                    HorizontalBar.text(fraction, columns: bar, unicode: capability.unicode),
                    zone.zone == 0 ? .plain : .zone(zone.zone, of: zones.map(\.zone).max() ?? 1))
            }
            return line + "  " + right(MetricFormat.time(zone.seconds), 8) + right(share, 7)
        }
    }

    private func activities(_ activities: [WorkoutSummary.Activity]) -> [StyledLine] {
        activities.enumerated().map { index, activity in
            let rate =
                activity.averageHeartRate.map { "   " + localized("avg %1 bpm", MetricFormat.fixed($0, 0)) } ?? ""
            return right("\(index + 1)", 5) + right(clock(activity.start), 11)
                + right(MetricFormat.time(activity.durationInSeconds), 11)
                + StyledLine("   " + ActivityTitle.of(activity.activity) + rate)
        }
    }

    /// - Parameter sport: Returns the activity at a time, since each leg of a workout has its own figure.
    private func laps(_ laps: [WorkoutSummary.Lap], sport: (Date) -> String) -> [StyledLine] {
        guard !laps.isEmpty else { return [] }
        let times = LapTimeFormat(laps)
        let figures = laps.map { SpeedForm(sport($0.start)) }
        let isMixed = figures.contains(.speed) && figures.contains { $0 != .speed }
        let title = isMixed ? localized("pace, speed") : figures[0] == .speed ? localized("speed") : localized("pace")
        let byStart = Dictionary(zip(laps.map(\.start), figures)) { first, _ in first }
        var columns: [(title: String, value: (WorkoutSummary.Lap) -> String)] = [
            (localized("start"), { clock($0.start) }), (localized("time"), { times.text($0) }),
        ]
        if laps.contains(where: { $0.distanceInMeters != nil }) {
            columns.append((localized("distance"), { $0.distanceInMeters.map(MetricFormat.distance) ?? "" }))
            columns.append((title, { speed(of: $0, byStart[$0.start] ?? .pace) }))
        }
        if laps.contains(where: { $0.averageHeartRate != nil }) {
            columns.append((localized("avg bpm"), { $0.averageHeartRate.map { MetricFormat.fixed($0, 0) } ?? "" }))
            columns.append((localized("max bpm"), { $0.maximumHeartRate.map { MetricFormat.fixed($0, 0) } ?? "" }))
        }
        let cells = laps.map { lap in columns.map { $0.value(lap) } }
        let widths = columns.indices.map { index in
            let texts = [columns[index].title] + cells.map { $0[index] }
            return max(11, (texts.map(DisplayWidth.of).max() ?? 0) + 2)
        }
        // If the terminal is narrow, the columns on the right are left out first.
        var shown = widths.count
        while shown > 1, 5 + widths.prefix(shown).reduce(0, +) > self.columns { shown -= 1 }
        func line(_ first: StyledLine, _ texts: [String], _ style: TextStyle = .plain) -> StyledLine {
            zip(texts, widths).prefix(shown).reduce(first) { $0 + right($1.0, $1.1, style) }
        }
        return [line(StyledLine("    #", .dim), columns.map(\.title), .dim)]
            + cells.enumerated().map { line(right("\($0 + 1)", 5), $1) }
    }

    private func speed(of lap: WorkoutSummary.Lap, _ form: SpeedForm) -> String {
        guard let distance = lap.distanceInMeters, distance > 0, lap.durationInSeconds > 0 else { return "" }
        return form.text(of: distance, in: lap.durationInSeconds)
    }

    // MARK: The file

    private func lines(_ file: FileSummary) -> [StyledLine] {
        let recording = file.recording
        var facts = [recording.format, counted(recording.records, "record")]
        if recording.sessions > 0 { facts.append(counted(recording.sessions, "session")) }
        if recording.workouts > 1 {
            facts.append(localized("workout %1 of %2", "\(recording.workout)", "\(recording.workouts)"))
        }
        if recording.laps > 0 { facts.append(counted(recording.laps, "lap")) }
        var lines = row(localized("File"), [facts.joined(separator: ", ")])
        var says: [String] = []
        if let elapsed = recording.elapsedInSeconds {
            says.append(localized("elapsed time %1", MetricFormat.time(elapsed)))
        }
        if let timer = recording.timerInSeconds { says.append(localized("duration %1", MetricFormat.time(timer))) }
        if !says.isEmpty { lines += row("  " + localized("states"), says) }
        let rates = recording.heartRate
        if let mean = rates.mean {
            let values =
                "\(localized("min")) \(MetricFormat.short(rates.minimum))  "
                + "\(localized("mean")) \(MetricFormat.fixed(mean, 1))"
            let maximum = "  \(localized("max")) \(MetricFormat.short(rates.maximum)) bpm"
            lines += row("  " + localized("heart rate"), [values + maximum, counted(rates.count, "value")])
        } else {
            let column = recording.columnThatMayBeHeartRate
            lines += row(
                "  " + localized("heart rate"),
                [
                    column.map { localized("none read; --columns heart-rate=%1 reads it", $0) }
                        ?? localized("no heart rate in this file")
                ])
        }
        if let rr = file.rr { lines += row("  RR", texts(rr)) }
        if !recording.leftOut.isEmpty {
            let names = localized(
                "left out: %1", recording.leftOut.map(Language.current.message).joined(separator: ", "))
            lines += StyledLine.wrapped(names, columns: columns, first: "  ", indent: "    ", .dim)
        }
        return lines + warnings(recording.warnings)
    }

    private func warnings(_ warnings: [RecordingWarning]) -> [StyledLine] {
        let shown = 10
        var lines = warnings.prefix(shown).flatMap { warning in
            StyledLine.wrapped(
                localized("byte %1", "\(warning.byte)") + ": " + Language.current.message(warning.message),
                columns: columns, first: "  ! ", indent: "    ",
                .colour(.yellow))
        }
        if warnings.count > shown {
            let more = counted(warnings.count - shown, "more warning")
            lines.append(StyledLine("    and \(more); --json lists all", .dim))
        }
        return lines
    }

    // MARK: Pieces

    private func texts(_ beats: BeatSummary) -> [String] {
        var parts = [counted(beats.count, "interval")]
        if let sdnn = beats.sdnnInMilliseconds { parts.append("SDNN \(MetricFormat.milliseconds(sdnn))") }
        if let rmssd = beats.rmssdInMilliseconds { parts.append("RMSSD \(MetricFormat.milliseconds(rmssd))") }
        return parts
    }

    private func section(_ title: String, _ lines: [StyledLine]) -> [StyledLine] {
        lines.isEmpty ? [] : [StyledLine(), StyledLine(title, .bold)] + lines
    }

    /// Returns a label, and its values side by side.
    private func row(_ label: String, _ values: [String], width: Int = 14) -> [StyledLine] {
        let width = max(width, 14)
        let label = StyledLine(label, .dim).clipped(to: width - 1, ellipsis: ellipsis)
        return packed(values, after: label.padded(to: width))
    }

    /// Puts as many pieces on a line as fit, or one below the other if not even two do.
    private func packed(_ pieces: [String], after start: StyledLine) -> [StyledLine] {
        var lines = [start]
        for (index, piece) in pieces.enumerated() {
            let line = lines[lines.count - 1]
            if index == 0 {
                lines[lines.count - 1] = line + StyledLine(piece)
            } else if line.width + 3 + DisplayWidth.of(piece) <= columns {
                lines[lines.count - 1] = line + "   " + StyledLine(piece)
            } else {
                lines.append(.spaces(start.width) + StyledLine(piece))
            }
        }
        return lines
    }

    private func right(_ text: String, _ width: Int, _ style: TextStyle = .plain) -> StyledLine {
        .spaces(width - DisplayWidth.of(text)) + StyledLine(text, style)
    }

    private func counted(_ count: Int, _ noun: String) -> String { localizedCount(count, noun) }
}
