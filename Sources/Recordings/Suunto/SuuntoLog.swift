import Foundation

/// The log of a Suunto device, from XML or JSON.
struct SuuntoLog {
    /// The values of one instant.
    struct Sample {
        /// Seconds since the start.
        var time = Double.nan
        /// Seconds since 2001.
        var date = Double.nan
        var point = TrackPoint()
        var marks: [Mark] = []
        /// The intervals in ms that ended by then.
        var intervals: [Double] = []

        enum Mark { case paused, resumed, lap }
    }

    var samples: [Sample] = []
    /// The intervals from the start on, in ms.
    var intervals: [Double] = []
    var sport: String?
    var device = TrackDevice()
    /// The start in the header, with or without a time zone.
    var start: TableDate.Moment?
    /// The seconds east of UTC in the first time that states them. Nil without any.
    var statedZone: Double?
    /// The figures in the header.
    var session = TrackSession()

    // MARK: As steps of a track

    func steps(zone: TimeZone) -> [TrackStep] {
        let dated = samples.filter { !date(of: $0, zone).isNaN }.map { (date: date(of: $0, zone), sample: $0) }
            .enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(\.element)
        var steps: [TrackStep] = [.workout(byte: 0, goesOn: false), .part]
        if let sport { steps.append(.sport(sport)) }
        steps.append(.session(session))
        if !device.name.isEmpty { steps.append(.device(device)) }
        guard let first = dated.first, let last = dated.last else { return steps }
        let hasLaps = dated.contains { $0.sample.marks.contains { $0 == .lap } }
        if hasLaps { steps.append(.lapBegan(start: first.date)) }
        var pausedAt: Double?
        for (date, sample) in dated {
            for mark in sample.marks {
                switch mark {
                case .paused: pausedAt = pausedAt ?? date
                case .resumed:
                    if let begin = pausedAt, begin < date { steps.append(.pause(TimeSpan(start: begin, end: date))) }
                    pausedAt = nil
                case .lap where date > first.date && date < last.date:
                    steps += [.lapEnded(TrackLap()), .lapBegan(start: date)]
                case .lap: break
                }
            }
            var point = sample.point
            point.time = date
            if point.saysSomething || sample.marks.isEmpty { steps.append(.point(point)) }
            let intervals = sample.intervals.filter(Self.isInterval)
            if !intervals.isEmpty {
                steps.append(.beats(TrackBeats(time: date, intervalsInMilliseconds: intervals)))
            }
        }
        if hasLaps { steps.append(.lapEnded(TrackLap())) }
        return steps + beats(from: first.date, to: last.date)
    }

    private static func isInterval(_ milliseconds: Double) -> Bool { milliseconds > 0 && milliseconds < 100_000 }

    /// Returns the beats, which follow each other from the start on.
    private func beats(from start: Double, to end: Double) -> [TrackStep] {
        var time = start
        var steps: [TrackStep] = []
        for interval in intervals where Self.isInterval(interval) {
            time += interval / 1000
            if time > end { break }
            steps.append(.beats(TrackBeats(time: time, intervalsInMilliseconds: [interval])))
        }
        return steps
    }

    /// The start by a sample that has both a date and a time. It is more reliable than a time zone.
    private var datedStart: Double? {
        samples.first { !$0.date.isNaN && !$0.time.isNaN }.map { $0.date - $0.time }
    }

    /// The clock minus UTC: stated, or that of the header's local start. Nil if it is unknown.
    var secondsFromGMT: Double? {
        if let statedZone { return statedZone }
        guard let start, !start.hasZone, let datedStart else { return nil }
        return start.seconds - datedStart
    }

    private func date(of sample: Sample, _ zone: TimeZone) -> Double {
        if !sample.date.isNaN { return sample.date }
        guard let start else { return .nan }
        if start.hasZone { return start.seconds + sample.time }
        if let datedStart { return datedStart + sample.time }
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: start.seconds))
        return start.seconds - Double(offset) + sample.time
    }

    /// NIST Special Publication 811, appendix B.8.
    static let joulesPerKilocalorie = 4184.0

    // MARK: Names

    /// Sets a number of a sample. Returns false for an unknown name.
    static func set(_ name: String, _ value: Double, in sample: inout Sample) {
        switch name {
        case "Time": sample.time = value
        case "HR": sample.point.heartRate = Self.unrounded(value * 60)
        case "Latitude": sample.point.latitude = value * 180 / .pi
        case "Longitude": sample.point.longitude = value * 180 / .pi
        case "Altitude": sample.point.altitude = value
        case "GPSAltitude": if sample.point.altitude.isNaN { sample.point.altitude = value }
        case "Speed": sample.point.speed = value
        case "Distance": sample.point.distance = value
        case "Cadence": sample.point.cadence = Self.unrounded(value * 60)
        case "Power", "BikePower": sample.point.power = value
        case "Temperature": sample.point.temperature = Self.unrounded(value - 273.15)
        default: break
        }
    }

    /// Removes rounding errors: 1.283333333333333 Hz are 77 per minute.
    private static func unrounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

    /// The usual sports, by the numbers of Movescount's and the app's `ActivityType`.
    static let sports: [Int: String] = [
        3: "running", 4: "cycling", 5: "mountain biking", 6: "swimming", 8: "skating", 10: "yoga", 11: "hiking",
        12: "walking", 13: "sailing", 14: "kayaking", 15: "rowing", 16: "climbing", 17: "indoor cycling",
        19: "triathlon", 20: "alpine skiing", 21: "snowboarding", 22: "cross country skiing", 23: "weight training",
        24: "basketball", 25: "soccer", 33: "tennis", 51: "diving", 66: "golf", 69: "horse riding", 70: "skating",
        71: "indoor rowing", 72: "canoeing", 74: "mountaineering", 78: "ski touring", 82: "trail running",
        83: "openwater swimming", 84: "walking", 85: "snowshoeing", 86: "windsurfing", 88: "roller skiing",
        89: "standup paddling", 91: "kitesurfing", 93: "treadmill", 96: "hiking",
    ]
}

extension TrackPoint {
    /// Whether anything other than its time is known.
    var saysSomething: Bool {
        hasPosition || !heartRate.isNaN || !speed.isNaN || !distance.isNaN || !cadence.isNaN || !power.isNaN
            || !temperature.isNaN || !altitude.isNaN
    }
}
