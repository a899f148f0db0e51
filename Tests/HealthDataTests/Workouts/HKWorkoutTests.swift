import Archiving
import Foundation
import HealthData
import SessionLog
import Testing

struct HKWorkoutTests {
    private func event(
        _ type: HKWorkoutEventType, _ start: TimeInterval, for seconds: TimeInterval = 0
    ) -> HKWorkoutEvent {
        HKWorkoutEvent(
            type: type, dateInterval: DateInterval(start: time(start), end: time(start + seconds)), metadata: nil)
    }

    private func configuration(_ activity: HKWorkoutActivityType) -> HKWorkoutConfiguration {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        return configuration
    }

    private func activity(
        _ type: HKWorkoutActivityType, _ start: TimeInterval, _ end: TimeInterval?
    ) -> HKWorkoutActivity {
        HKWorkoutActivity(
            workoutConfiguration: configuration(type), start: time(start), end: end.map { time($0) }, metadata: nil)
    }

    private func sum(_ identifier: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit) -> HKStatistics {
        var total = RunningStatistics(.arithmetic)
        total.add(value, start: time(0), end: time(100))
        return HKStatistics(
            quantityType: HKQuantityType(identifier), startDate: time(0), endDate: time(100),
            options: [.cumulativeSum, .mostRecent, .duration], unit: unit, total: total)
    }

    private func statistics(_ list: HKStatistics...) -> [HKQuantityType: HKStatistics] {
        Dictionary(uniqueKeysWithValues: list.map { ($0.quantityType, $0) })
    }

    // MARK: Deprecated initialisers

    @Test func `a workout without events lasts from start to end and has one activity of the same length`() throws {
        let workout = HKWorkout(activityType: .cycling, start: time(0), end: time(100))
        #expect(workout.workoutActivityType == .cycling)
        #expect(abs(workout.duration - 100) < 1e-6)
        #expect(workout.workoutEvents == nil)
        #expect(workout.sampleType == .workoutType())
        #expect(workout.allStatistics.isEmpty)
        let activity = try #require(workout.workoutActivities.first)
        #expect(workout.workoutActivities.count == 1)
        #expect(activity.workoutConfiguration.activityType == .cycling)
        #expect(activity.startDate == workout.startDate)
        #expect(activity.endDate == workout.endDate)
        #expect(activity.duration == workout.duration)
        #expect(activity.uuid != workout.uuid)
    }

    @Test func `events are sorted, and pauses shorten the workout and its activity`() {
        let workout = HKWorkout(
            activityType: .running, start: time(0), end: time(100),
            workoutEvents: [event(.resume, 30), event(.lap, 0, for: 50), event(.pause, 10)],
            totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 300),
            totalDistance: HKQuantity(unit: .mile(), doubleValue: 2), metadata: [HKMetadataKeyIndoorWorkout: false])
        #expect(workout.workoutEvents?.map(\.type) == [.lap, .pause, .resume])
        #expect(abs(workout.duration - 80) < 1e-6)
        #expect(workout.workoutActivities.first?.duration == workout.duration)
        #expect(workout.workoutActivities.first?.workoutEvents.count == 3)
        #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) == 300)
        #expect(workout.totalDistance?.doubleValue(for: .mile()) == 2)
        #expect(workout.totalSwimmingStrokeCount == nil)
        #expect(workout.metadata?[HKMetadataKeyIndoorWorkout] as? Bool == false)
    }

    @Test func `a given duration is kept, and 0 means the whole time`() {
        func workout(_ duration: TimeInterval) -> HKWorkout {
            HKWorkout(
                activityType: .running, start: time(0), end: time(100), duration: duration, totalEnergyBurned: nil,
                totalDistance: nil, metadata: nil)
        }
        #expect(workout(42).duration == 42)
        #expect(abs(workout(0).duration - 100) < 1e-6)
    }

    @Test func `strokes and flights have initializers of their own`() {
        let strokes = HKQuantity(unit: .count(), doubleValue: 800)
        let swim = HKWorkout(
            activityType: .swimming, start: time(0), end: time(100), workoutEvents: nil, totalEnergyBurned: nil,
            totalDistance: nil, totalSwimmingStrokeCount: strokes, device: .local(), metadata: nil)
        #expect(swim.totalSwimmingStrokeCount == strokes)
        #expect(swim.device == .local())
        let climb = HKWorkout(
            activityType: .stairClimbing, start: time(0), end: time(100), workoutEvents: nil, totalEnergyBurned: nil,
            totalDistance: nil, totalFlightsClimbed: strokes, device: nil, metadata: nil)
        #expect(climb.totalFlightsClimbed == strokes)
    }

    @Test func `a workout that ends before it starts traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKWorkout(
                activityType: .running, start: Date(timeIntervalSince1970: 1), end: Date(timeIntervalSince1970: 0))
        }
    }

    @Test func `a distance in kilocalories traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = HKWorkout(
                activityType: .running, start: Date(timeIntervalSince1970: 0), end: Date(timeIntervalSince1970: 1),
                duration: 1, totalEnergyBurned: nil, totalDistance: HKQuantity(unit: .kilocalorie(), doubleValue: 1),
                metadata: nil)
        }
    }

    // MARK: From builders, files and the store

    @Test func `totals come from the statistics, and the distance from the activity's type`() throws {
        let figures = statistics(
            sum(.activeEnergyBurned, 200, .kilocalorie()), sum(.distanceCycling, 30, .meterUnit(with: .kilo)),
            sum(.distanceWalkingRunning, 100, .meter()), sum(.flightsClimbed, 4, .count()),
            sum(.swimmingStrokeCount, 9, .count()))
        let workout = try HKWorkout.validated(
            ObjectIdentity(), configuration: configuration(.cycling), start: time(0), end: time(100),
            statistics: figures)
        #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) == 200)
        #expect(workout.totalDistance?.doubleValue(for: .meter()) == 30_000)
        #expect(workout.totalFlightsClimbed?.doubleValue(for: .count()) == 4)
        #expect(workout.totalSwimmingStrokeCount?.doubleValue(for: .count()) == 9)
        #expect(workout.statistics(for: HKQuantityType(.distanceCycling)) != nil)
        #expect(workout.statistics(for: HKQuantityType(.heartRate)) == nil)
        #expect(workout.workoutActivities.first?.allStatistics.count == 5)
    }

    @Test func `the distance of a multisport workout is the sum over its sports`() throws {
        let figures = statistics(
            sum(.distanceSwimming, 750, .meter()), sum(.distanceCycling, 20, .meterUnit(with: .kilo)),
            sum(.distanceWalkingRunning, 5, .meterUnit(with: .kilo)), sum(.distanceRowing, 1, .meter()))
        let parts = [
            activity(.running, 60, 100), activity(.swimming, 0, 20), activity(.transition, 20, 25),
            activity(.cycling, 25, 60),
        ]
        let workout = try HKWorkout.validated(
            ObjectIdentity(), configuration: configuration(.swimBikeRun), start: time(0), end: time(100),
            activities: parts, statistics: figures)
        #expect(workout.totalDistance?.doubleValue(for: .meter()) == 25_750)
        #expect(
            workout.workoutActivities.map(\.workoutConfiguration.activityType) == [
                .swimming, .transition, .cycling, .running,
            ])
    }

    @Test func `a pause across two activities shortens both`() throws {
        let workout = try HKWorkout.validated(
            ObjectIdentity(), configuration: configuration(.running), start: time(0), end: time(100),
            events: [event(.pause, 40), event(.resume, 60), event(.segment, 30, for: 40)],
            activities: [activity(.running, 0, 50), activity(.running, 50, 100)])
        #expect(workout.workoutActivities.map { ($0.duration * 1000).rounded() } == [40_000, 40_000])
        #expect(
            workout.workoutActivities.map { $0.workoutEvents.map(\.type) } == [
                [.segment, .pause], [.segment, .resume],
            ])
    }

    @Test func `the activity of a plain workout always has the same UUID`() throws {
        let identity = ObjectIdentity()
        func read() throws -> HKWorkout {
            try HKWorkout.validated(identity, configuration: configuration(.yoga), start: time(0), end: time(1))
        }
        #expect(try read().workoutActivities == read().workoutActivities)
    }

    @Test func `invalid events and activities are errors, not traps`() {
        func workout(
            _ type: HKWorkoutActivityType = .running, events: [HKWorkoutEvent] = [],
            activities: [HKWorkoutActivity] = []
        ) throws {
            _ = try HKWorkout.validated(
                ObjectIdentity(), configuration: configuration(type), start: time(0), end: time(100), events: events,
                activities: activities)
        }
        #expect(throws: SampleError.eventOutside(kind: "pause", date: time(101), start: time(0), end: time(100))) {
            try workout(events: [event(.pause, 101)])
        }
        #expect(throws: SampleError.eventOutside(kind: "lap", date: time(90), start: time(0), end: time(100))) {
            try workout(events: [event(.lap, 90, for: 20)])
        }
        #expect(throws: SampleError.activityOutside(start: time(50), end: nil)) {
            try workout(activities: [activity(.running, 50, nil)])
        }
        #expect(throws: SampleError.activityOutside(start: time(50), end: time(101))) {
            try workout(activities: [activity(.running, 50, 101)])
        }
        #expect(throws: SampleError.activitiesOverlap(at: time(49))) {
            try workout(activities: [activity(.running, 49, 60), activity(.running, 0, 50)])
        }
        #expect(throws: SampleError.activityNotAllowed(activity: "cycling", workout: "running")) {
            try workout(activities: [activity(.cycling, 0, 50)])
        }
        #expect(throws: SampleError.activityNotAllowed(activity: "rowing", workout: "swimBikeRun")) {
            try workout(.swimBikeRun, activities: [activity(.rowing, 0, 50)])
        }
        #expect(throws: Never.self) { try workout(events: [event(.resume, 50), event(.pause, 60)]) }
    }

    @Test func `a workout survives archiving with all properties`() throws {
        let workout = try HKWorkout.validated(
            ObjectIdentity(device: .local(), metadata: [HKMetadataKeyIndoorWorkout: true]),
            configuration: configuration(.running), start: time(0), end: time(100),
            events: [event(.pause, 40), event(.resume, 60)],
            activities: [activity(.running, 0, 50), activity(.running, 50, 100)],
            statistics: statistics(
                sum(.distanceWalkingRunning, 3000, .meter()), sum(.activeEnergyBurned, 200, .kilocalorie())))
        let read = try #require(try archivedAndRead(workout))
        #expect(read == workout)
        #expect(read.workoutActivityType == .running)
        #expect(read.duration == workout.duration)
        #expect(read.workoutEvents == workout.workoutEvents)
        #expect(read.workoutActivities == workout.workoutActivities)
        #expect(read.workoutActivities.map(\.duration) == workout.workoutActivities.map(\.duration))
        #expect(read.totalDistance == workout.totalDistance)
        #expect(read.totalEnergyBurned == workout.totalEnergyBurned)
        #expect(
            read.statistics(for: HKQuantityType(.distanceWalkingRunning))?.sumQuantity()?.doubleValue(for: .meter())
                == 3000)
        #expect(read.metadata?[HKMetadataKeyIndoorWorkout] as? Bool == true)
        #expect(read.device == .local())
    }

    @Test(arguments: [
        (HKWorkoutActivityType.running, "distanceWalkingRunning" as String?), (.other, "distanceWalkingRunning"),
        (.handCycling, "distanceCycling"), (.swimming, "distanceSwimming"), (.wheelchairRunPace, "distanceWheelchair"),
        (.snowboarding, "distanceDownhillSnowSports"), (.crossCountrySkiing, "distanceCrossCountrySkiing"),
        (.rowing, "distanceRowing"), (.paddleSports, "distancePaddleSports"), (.skatingSports, "distanceSkatingSports"),
        (.swimBikeRun, nil as String?),
    ])
    func `each activity has its distance`(activity: HKWorkoutActivityType, type: String?) {
        #expect(activity.distanceType?.swiftName == type)
    }
}
