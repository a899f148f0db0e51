public import CoreLocation
import Engine
public import HealthKit
import SessionLog
import Synchronization

/// The sensors of the device that the app runs on, in a world with ``HealthKitWorld/Sensors/script``. The test controls what they measure.
///
/// Their samples have the device `HKDevice.local()`, like those of a watch's own sensors. Types that the builder's data source does
/// not collect, and readings during a pause, are not collected. Heart rates of a strap are collected in addition.
public final class ScriptedWatch: Sendable {
    let listener = SessionListener<Link>()

    /// From the watch to the session that reads it.
    final class Link: Sendable {
        let now: @Sendable () -> Date
        let taken: Taken
        private let take: @Sendable ([SessionEntry]) -> Void
        let state: Mutex<State>

        struct State {
            /// Until when the distance, the energy and other sums are measured.
            var measured: Date
            /// The session knows of the watch.
            var isPresent = false
        }

        init(
            from start: Date, _ taken: Taken, now: @escaping @Sendable () -> Date,
            take: @escaping @Sendable ([SessionEntry]) -> Void
        ) {
            state = Mutex(State(measured: start))
            self.taken = taken
            self.now = now
            self.take = take
        }

        func send(_ batch: [SessionEntry]) async {
            taken.handedOver()
            take(batch)
            await taken.all()
        }
    }

    static let sensor = "local"

    /// Measures at the current time of the world's clock. Waits until a session listens, and returns when the session has processed
    /// the readings and its delegates were called. Nil means not measured.
    ///
    /// Distance and energy are the amounts since the last measurement, or since the workout began. Their types, and those of cadence
    /// and power, depend on the activity: `distanceCycling`, `cyclingCadence`, `cyclingPower`, `runningPower` …
    ///
    /// - Parameters:
    ///   - heartRate: The heart rate in bpm.
    ///   - distanceInMeters: The distance, 0 or more.
    ///   - cadencePerMinute: Revolutions of the crank, for cycling only.
    ///   - powerInWatts: The power, for cycling and running.
    ///   - activeEnergyInKilocalories: The active energy. Once the watch measures it, energy is not estimated anymore.
    ///   - location: A position of the route. It gets the current date.
    /// - Throws: ``WorldError`` if no session listens within ten seconds, and for a type that the activity does not have.
    public func send(
        heartRate: Double? = nil, distanceInMeters: Double? = nil, cadencePerMinute: Double? = nil,
        powerInWatts: Double? = nil, activeEnergyInKilocalories: Double? = nil, location: CLLocation? = nil
    ) async throws {
        let (link, activity) = try await listening()
        var readings: [Reading] = []
        func add(_ value: Double?, _ unit: HKUnit, _ name: String, _ type: HKQuantityTypeIdentifier?) throws {
            guard let value else { return }
            guard let type else { throw WorldError("A workout of \(activity) has no type of \(name).") }
            readings.append(Reading(HKQuantityType(type), HKQuantity(unit: unit, doubleValue: value)))
        }
        let minute = HKUnit.count().unitDivided(by: .minute())
        try add(heartRate, minute, "heart rate", .heartRate)
        try add(distanceInMeters, .meter(), "distance", Self.distance(activity))
        try add(cadencePerMinute, minute, "cadence", activity == "cycling" ? .cyclingCadence : nil)
        try add(powerInWatts, .watt(), "power", Self.power(activity))
        try add(activeEnergyInKilocalories, .kilocalorie(), "energy", .activeEnergyBurned)
        await send(readings, location.map(PositionReading.init), over: nil, to: link)
    }

    /// Measures a quantity of any type.
    ///
    /// - Parameter duration: The duration of the measurement, up to now. Nil: for a cumulative type, since the last measurement;
    ///   otherwise this moment.
    /// - Throws: ``WorldError`` if the quantity doesn't fit the type, and if no session listens within ten seconds.
    public func send(_ quantity: HKQuantity, of type: HKQuantityType, over duration: Duration? = nil) async throws {
        guard quantity.is(compatibleWith: type.canonicalUnit) else {
            throw WorldError("\(quantity) is not a quantity of \(type.identifier), which is in \(type.canonicalUnit).")
        }
        await send([Reading(type, quantity)], nil, over: duration, to: try await listening().link)
    }

    // MARK: The session

    private struct Reading {
        let type: HKQuantityType
        let quantity: HKQuantity

        init(_ type: HKQuantityType, _ quantity: HKQuantity) {
            self.type = type
            self.quantity = quantity
        }

        func entry(from start: Date, to end: Date) -> SessionEntry {
            let unit = type.recordingUnit
            return SessionEntry(
                end,
                .quantity(
                    QuantityReading(
                        type.swiftName, quantity.doubleValue(for: unit), unit: unit.unitString, start: start, end: end,
                        sensor: ScriptedWatch.sensor)))
        }
    }

    private let activity = Mutex("")

    private func listening() async throws -> (link: Link, activity: String) {
        let link = try await listener.link(to: "watch")
        return (link, activity.withLock { $0 })
    }

    private func send(
        _ readings: [Reading], _ position: PositionReading?, over duration: Duration?, to link: Link
    ) async {
        let end = link.now()
        let sums = readings.filter { $0.type.aggregationStyle == .cumulative }
        let (last, isPresent) = link.state.withLock { state in
            defer {
                if !sums.isEmpty { state.measured = max(state.measured, end) }
                state.isPresent = true
            }
            return (min(state.measured, end), state.isPresent)
        }
        let start = duration.map { end - $0 / .seconds(1) }
        let status = SensorStatus(
            id: Self.sensor, kind: .simulated, presence: .present, device: HKDevice.local().properties)
        var batch = isPresent ? [] : [SessionEntry(end, .sensor(status))]
        batch += readings.map { reading in
            reading.entry(from: start ?? (reading.type.aggregationStyle == .cumulative ? last : end), to: end)
        }
        if let position { batch.append(SessionEntry(end, .position(position))) }
        await link.send(batch)
    }

    private static func distance(_ activity: String) -> HKQuantityTypeIdentifier? {
        switch activity {
        case "running", "walking", "hiking": .distanceWalkingRunning
        case "cycling", "handCycling": .distanceCycling
        case "swimming": .distanceSwimming
        case "rowing": .distanceRowing
        case "wheelchairWalkPace", "wheelchairRunPace": .distanceWheelchair
        case "paddleSports": .distancePaddleSports
        case "skatingSports": .distanceSkatingSports
        case "crossCountrySkiing": .distanceCrossCountrySkiing
        case "downhillSkiing", "snowboarding", "snowSports": .distanceDownhillSnowSports
        default: nil
        }
    }

    private static func power(_ activity: String) -> HKQuantityTypeIdentifier? {
        switch activity {
        case "running": .runningPower
        case "cycling", "handCycling": .cyclingPower
        default: nil
        }
    }

    func sensor(of activity: ActivityDescription) -> any Sensor {
        self.activity.withLock { $0 = activity.activity }
        return ScriptedWatchSensor(watch: self)
    }
}

/// The watch as a session's sensor.
struct ScriptedWatchSensor: Sensor {
    let pace = SessionTimeline.Pace.wall
    let fixedStart: Date? = nil
    let watch: ScriptedWatch

    func batches(from start: Date, time: any TimeSource) -> CountedBatches {
        let taken = Taken()
        let live = LiveBatches { [watch] take in
            let link = ScriptedWatch.Link(from: start, taken) {
                time.now()
            } take: {
                take($0)
            }
            watch.listener.begin(link)
            await taken.end()
            watch.listener.end(link)
        }
        return CountedBatches(live: live, taken: taken)
    }
}
