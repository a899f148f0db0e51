import Analytics
import HealthKit
import Reports
import StoredWorkouts

/// The charts of one workout: heart rate, pace or speed, power, cadence and elevation over the same time axis.
struct WorkoutTracks {
    var report: AnalysisReport
    var course: WorkoutTimeline
    /// The workout compared with it, drawn thinner behind it on its own time.
    var other: WorkoutTimeline?

    /// The map tiles behind the route, if the user named a map.
    var tiles: MapLayer?

    /// The distances of both, if the charts are drawn over distance instead of time.
    var distances: (own: DistanceCourse, other: DistanceCourse)?

    var axis: TimeAxis {
        if let distances { return Self.axis(distances.own.totalInMeters, distances.other.totalInMeters) }
        let start = report.summary.start
        return TimeAxis(
            seconds: 0...max(1, course.lengthInSeconds, other?.lengthInSeconds ?? 0),
            pauses: other == nil ? course.pauses : [],
            laps: other == nil ? report.summary.laps.map { $0.end.timeIntervalSince(start) } : []
        ) { MetricFormat.shortTime($0) }
    }

    private static func axis(_ own: Double, _ other: Double) -> TimeAxis {
        let unit = MetricFormat.distanceUnit
        var axis = TimeAxis(seconds: 0...max(1, own, other)) { MetricFormat.short($0 / unit.meters) + " " + unit.name }
        axis.steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200].map { $0 * unit.meters }
        axis.unit = unit
        return axis
    }

    /// The charts. Empty if nothing was measured.
    var markup: Markup {
        let (axis, tracks) = (axis, all)
        let drawn = tracks.compactMap { $0.markup(axis) }
        var page = Markup()
        if !drawn.isEmpty { page.append(Self.group(drawn, axis)) }
        let missing = tracks.filter { $0.trace.isEmpty }.map { Language.current.inSentence($0.title) }
        if !missing.isEmpty { page.reason(localized("Not recorded: %1", missing.joined(separator: ", "))) }
        return page
    }

    /// Groups charts over one time axis. A pointer over one of them shows the values of all.
    static func group(_ tracks: [Markup], _ axis: TimeAxis, isOfDays: Bool = false) -> Markup {
        var page = Markup()
        page.element(
            "div",
            [
                "class": "tracks", "data-from": "\(axis.seconds.lowerBound)",
                "data-to": "\(axis.seconds.upperBound)", "data-days": isOfDays ? "true" : nil,
                "data-meters": axis.unit.map { "\($0.meters)" }, "data-unit": axis.unit?.name,
            ]
        ) { page in
            for track in tracks { page.append(track) }
        }
        return page
    }

    private var all: [TimeTrack] { [heartRate, speed, power, cadence, elevation] }

    private func own(_ trace: Trace) -> Trace {
        distances.map { distances in trace.placed { distances.own.meters(atSeconds: $0) } } ?? trace
    }

    private var heartRate: TimeTrack {
        var track = TimeTrack(localized("Heart rate"), unit: "bpm", own(course.heartRate), style: "line heart") {
            MetricFormat.heartRate($0)
        }
        track.leastRange = 20
        track.other = second(\.heartRate)
        track.bands = report.summary.zones.compactMap { zone in
            report.bounds(ofZone: zone.zone).map { ($0, PageStyle.zone(zone.zone)) }
        }
        return track
    }

    /// Drawn on a speed scale, so that standing still is at the bottom. Labels are paces if the activity uses them.
    private var speed: TimeTrack {
        let form = report.speedForm
        let meters = form.metersOfUnit
        var track = TimeTrack(form.title, unit: form.unit, own(course.speed), style: "line speed") { form.text($0) }
        track.other = second(\.speed)
        switch form {
        case .speed:
            track.form = .number(decimals: 1)
            track.shown = { $0 * 3_600 / meters }
            track.rows = Ticks.values(0...200, step: 10).map { $0 * meters / 3_600 }
        case .pace:
            track.form = .minutes
            track.shown = { $0 > 0.3 ? meters / $0 : nil }
            track.rows = [120, 150, 180, 210, 240, 270, 300, 330, 360, 420, 480, 600, 900, 1200, 1800].map {
                meters / $0
            }
        case .swimPace:
            track.form = .minutes
            track.shown = { $0 > 0.03 ? meters / $0 : nil }
            track.rows = [50, 60, 75, 90, 105, 120, 135, 150, 180, 210, 240, 300, 600].map { meters / $0 }
        }
        return track
    }

    private var power: TimeTrack {
        var track = TimeTrack(localized("Power"), unit: "W", own(course.power), style: "line power") {
            MetricFormat.power($0)
        }
        track.other = second(\.power)
        track.leastRange = 50
        return track
    }

    private var cadence: TimeTrack {
        var track = TimeTrack(localized("Cadence"), unit: "/min", own(course.cadence), style: "line cadence") {
            MetricFormat.cadence($0)
        }
        track.other = second(\.cadence)
        track.leastRange = 20
        return track
    }

    private var elevation: TimeTrack {
        let (unit, meters) = DistanceUnits.current == .metric ? ("m", 1) : ("ft", DistanceUnits.metersPerFoot)
        var track = TimeTrack(localized("Elevation"), unit: unit, own(course.altitude), style: "line height") {
            MetricFormat.fixed($0 / meters, 0) + " \(unit)"
        }
        track.shown = { $0 / meters }
        if meters != 1, let bounds = course.altitude.bounds {
            // Round feet, and some around the values: a quiet line has more room than its values.
            let feet = (bounds.lowerBound / meters - 150)...(bounds.upperBound / meters + 150)
            let inside = bounds.lowerBound / meters...max(bounds.upperBound, bounds.lowerBound + 40) / meters
            track.rows = Ticks.values(feet, step: Ticks.step(inside, count: 4)).map { $0 * meters }
        }
        track.other = second(\.altitude)
        track.isArea = other == nil
        track.leastRange = 40
        return track
    }

    private func second(_ trace: KeyPath<WorkoutTimeline, Trace>) -> (trace: Trace, style: StaticString)? {
        other.map { other in
            let trace = other[keyPath: trace]
            return (
                distances.map { distances in trace.placed { distances.other.meters(atSeconds: $0) } } ?? trace,
                "line second"
            )
        }
    }

    /// The route alone, in one colour.
    var plainRoute: Markup? {
        let length = report.summary.route.map { ", " + MetricFormat.distance($0.distanceInMeters) } ?? ""
        return RoutePicture(course.places, colourings: [])?
            .markup(
                title: localized("Route, north up") + length, tiles: tiles, units: Self.scaleUnits,
                time: MetricFormat.shortTime
            ) {
                MetricFormat.distance($0)
            }
    }

    private static var scaleUnits: [RoutePicture.LengthUnit] {
        DistanceUnits.current == .metric
            ? [("m", 1), ("km", 1000)] : [("ft", DistanceUnits.metersPerFoot), ("mi", DistanceUnits.metersPerMile)]
    }

    /// Nil unless positions differ.
    var route: Markup? {
        let form = report.speedForm
        let picture = RoutePicture(
            course.places,
            colourings: [
                .init(key: "heart-rate", title: localized("heart rate"), trace: course.heartRate) {
                    MetricFormat.heartRate($0)
                },
                .init(key: "speed", title: form.name, trace: course.speed) { form.text($0) },
                .init(key: "power", title: localized("power"), trace: course.power) { MetricFormat.power($0) },
                .init(key: localized("elevation"), title: localized("elevation"), trace: course.altitude) {
                    MetricFormat.fixed($0, 0) + " m"
                },
            ])
        let length = report.summary.route.map { ", " + MetricFormat.distance($0.distanceInMeters) } ?? ""
        return picture?.markup(
            title: localized("Route, north up") + length, tiles: tiles, units: Self.scaleUnits,
            time: MetricFormat.shortTime
        ) {
            MetricFormat.distance($0)
        }
    }
}
