import Analytics
package import Foundation
package import SessionLog

/// A workout of random shape, and what a user sees of it.
package struct RandomWorkout {
    /// Properties besides legs, pauses, dropouts and laps in whole seconds.
    package struct Shape: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// Laps that don't follow each other.
        package static let gapsBetweenLaps = Shape(rawValue: 1)
        /// Heart rates while paused.
        package static let readingsInPauses = Shape(rawValue: 2)
        /// Times in eighths of seconds, which all date formats can represent.
        package static let fractions = Shape(rawValue: 4)
        /// Positions each second.
        package static let route = Shape(rawValue: 8)
        /// Power, except while swimming.
        package static let power = Shape(rawValue: 16)

        package static let everything: Shape = [.gapsBetweenLaps, .readingsInPauses, .fractions, .route, .power]
    }

    package static let start = Date(timeIntervalSince1970: 1_767_254_400)
    package static let distances = [
        "swimming": "distanceSwimming", "cycling": "distanceCycling", "running": "distanceWalkingRunning",
    ]

    package private(set) var entries: [SessionEntry] = []
    /// In seconds since the start.
    package private(set) var laps: [ClosedRange<Double>] = []
    package private(set) var legs: [Double] = []
    package private(set) var pausedInSeconds = 0.0
    /// In beats per minute.
    package private(set) var heartRates: [Double] = []
    /// By the type of the distance, which shows the leg.
    package private(set) var meters: [String: Double] = [:]
    /// In seconds since the start.
    package private(set) var end = 0.0

    private let shape: Shape
    private var random: SeededGenerator
    private var lapStart = 0.0

    package init(seed: UInt64, shape: Shape = []) {
        self.shape = shape
        random = SeededGenerator(seed: seed)
        let activities = chance(0.4) ? ["swimming", "cycling", "running"] : [pick(["running", "cycling"])]
        let whole = activities.count > 1 ? "swimBikeRun" : activities[0]
        append(0, .header(SessionHeader(id: UUID(), activity: ActivityDescription(activity: whole))))
        append(0, .state(.running))
        let hasLaps = chance(0.8)
        for activity in activities {
            if activities.count > 1 {
                legs.append(end)
                let description = ActivityDescription(activity: activity)
                append(end, .activityBegan(ActivityRecord(id: UUID(), activity: description)))
            }
            appendLeg(of: activity, endsWithLap: activities.count > 1, hasLaps: hasLaps)
        }
        append(end, .state(.stopped))
    }

    private mutating func appendLeg(of activity: String, endsWithLap: Bool, hasLaps: Bool) {
        let first = end
        let length = pick([20.0, 60, 200]) + fraction()
        let step = pick([1, 1, 2, 4])
        end = first + length
        let pause = pause(from: first, length)
        let away = first + Double.random(in: 0..<length * (chance(0.3) ? 1 : 100), using: &random)
        var marks = lapMarks(from: first).filter { mark in hasLaps && pause.map { !$0.contains(mark) } ?? true }
        if hasLaps, endsWithLap { marks.append(end) }
        var moments = Set(marks)
        var second = first + 1 + fraction()
        var readings: Set<Double> = []
        var count = 0
        while second <= end {
            let isMeasured = count % step == 0 && !(away..<away + 7).contains(second)
            if isMeasured, second != pause?.lowerBound, second != pause?.upperBound { readings.insert(second) }
            second += 1
            count += 1
        }
        moments.formUnion(readings)
        if let pause { moments.formUnion([pause.lowerBound, pause.upperBound]) }
        var last = first
        for second in moments.sorted() {
            if second == pause?.lowerBound { append(second, .state(.paused)) }
            if second == pause?.upperBound {
                append(second, .state(.running))
                last = second
            }
            if readings.contains(second) {
                let isPaused = pause?.contains(second) ?? false
                appendReadings(of: activity, from: last, to: second, isPaused: isPaused)
                if !isPaused { last = second }
            }
            if marks.contains(second) { appendLap(endingAt: second) }
        }
        pausedInSeconds += pause.map { $0.upperBound - $0.lowerBound } ?? 0
    }

    private mutating func lapMarks(from first: Double) -> [Double] {
        var marks = (0..<2).map { _ in (Double.random(in: first + 2...end - 2, using: &random)).rounded() + fraction() }
        if chance(0.5) { marks.append(end - Double(Int.random(in: 1...5, using: &random))) }
        return marks.filter { $0 > first && $0 < end }
    }

    private mutating func appendLap(endingAt second: Double) {
        // In a third of all cases, the lap began later than the one before ended.
        if shape.contains(.gapsBetweenLaps), second - lapStart > 10, chance(0.3) {
            lapStart += Double(Int.random(in: 2...9, using: &random))
        }
        guard second > lapStart else { return }
        laps.append(lapStart...second)
        append(second, .event(EventRecord(.lap, start: Self.start + lapStart, end: Self.start + second)))
        lapStart = second
    }

    private mutating func pause(from first: Double, _ length: Double) -> ClosedRange<Double>? {
        guard chance(0.4), length > 30 else { return nil }
        let start = (first + Double.random(in: 5...length - 15, using: &random)).rounded() + fraction()
        let end = start + Double(Int.random(in: 6...40, using: &random)) + fraction()
        return start...min(end, first + length - 3)
    }

    private mutating func appendReadings(of activity: String, from last: Double, to second: Double, isPaused: Bool) {
        guard !isPaused || shape.contains(.readingsInPauses) else { return }
        let rate = Double(Int.random(in: 60...180, using: &random))
        appendReading("heartRate", rate, "count/min", second, second)
        guard !isPaused else { return }
        heartRates.append(rate)
        let way = Double(Int.random(in: 100...400, using: &random)) / 100
        let type = Self.distances[activity] ?? ""
        meters[type, default: 0] += way
        appendReading(type, way, "m", last, second)
        if shape.contains(.power), activity != "swimming" {
            let power = Double(Int.random(in: 100...300, using: &random))
            appendReading(activity == "running" ? "runningPower" : "cyclingPower", power, "W", second, second)
        }
        if shape.contains(.route) {
            append(
                second,
                .position(
                    PositionReading(
                        latitudeInDegrees: 47 + second / 1e5, longitudeInDegrees: 8 + second / 1e5,
                        altitudeInMeters: 400 + (second / 10).rounded())))
        }
    }

    private mutating func appendReading(
        _ type: String, _ value: Double, _ unit: String, _ first: Double, _ last: Double
    ) {
        append(
            last,
            .quantity(
                QuantityReading(
                    type, value, unit: unit, start: Self.start + first, end: Self.start + last)))
    }

    private mutating func append(_ second: Double, _ content: SessionEntry.Content) {
        entries.append(SessionEntry(Self.start + second, content))
    }

    private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }

    private mutating func fraction() -> Double {
        shape.contains(.fractions) ? Double(Int.random(in: 0..<8, using: &random)) / 8 : 0
    }
}
