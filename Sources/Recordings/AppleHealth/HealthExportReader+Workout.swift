import Foundation
import XML

/// A workout whose end tag has not come yet, with its open children.
struct HealthWorkoutInProgress {
    var workout: HealthWorkout
    private var entries: [HealthMetadata.Entry] = []
    private var activity: (HealthWorkoutActivity, entries: [HealthMetadata.Entry])?
    private var event: (HealthWorkoutEvent, entries: [HealthMetadata.Entry])?
    private var route: (HealthWorkoutRoute, entries: [HealthMetadata.Entry])?

    init(_ workout: HealthWorkout) { self.workout = workout }

    mutating func begin(_ event: HealthWorkoutEvent) { self.event = (event, []) }
    mutating func begin(_ activity: HealthWorkoutActivity) { self.activity = (activity, []) }
    mutating func begin(_ route: HealthWorkoutRoute) { self.route = (route, []) }

    mutating func add(_ entry: HealthMetadata.Entry) {
        if event != nil {
            event?.entries.append(entry)
        } else if route != nil {
            route?.entries.append(entry)
        } else if activity != nil {
            activity?.entries.append(entry)
        } else {
            entries.append(entry)
        }
    }

    mutating func add(_ statistics: HealthWorkoutStatistics) {
        if activity != nil { activity?.0.statistics.append(statistics) } else { workout.statistics.append(statistics) }
    }

    mutating func add(file: String) { route?.0.files.append(file) }

    mutating func add(_ point: HealthRoutePoint) { route?.0.points.append(point) }

    mutating func end(_ tag: HealthExportTag) {
        switch tag {
        case .workoutEvent:
            guard let (begun, entries) = event.take() else { return }
            var done = begun
            if !entries.isEmpty { done.metadata = HealthMetadata(entries) }
            if activity != nil { activity?.0.events.append(done) } else { workout.events.append(done) }
        case .workoutActivity:
            guard let (begun, entries) = activity.take() else { return }
            var done = begun
            if !entries.isEmpty { done.metadata = HealthMetadata(entries) }
            workout.activities.append(done)
        case .workoutRoute:
            guard let (begun, entries) = route.take() else { return }
            var done = begun
            if !entries.isEmpty { done.metadata = HealthMetadata(entries) }
            workout.routes.append(done)
        default:
            break
        }
    }

    consuming func finished() -> HealthWorkout {
        if !entries.isEmpty { workout.metadata = HealthMetadata(entries) }
        return workout
    }
}

extension HealthExportReader {
    mutating func beginWorkout() -> Bool {
        guard let start = date(.startDate), let end = date(.endDate) else {
            return skipped(.workout, "its start or end is missing or not readable as a date")
        }
        workout = HealthWorkoutInProgress(
            HealthWorkout(
                activityType: text(.workoutActivityType) ?? "",
                duration: quantity(.duration, .durationUnit),
                totalDistance: quantity(.totalDistance, .totalDistanceUnit),
                totalEnergyBurned: quantity(.totalEnergyBurned, .totalEnergyBurnedUnit),
                source: source(), startDate: start, endDate: end, creationDate: date(.creationDate),
                byte: scanner.tokenByte))
        return true
    }

    private mutating func quantity(_ value: HealthExportAttribute, _ unit: HealthExportAttribute) -> HealthQuantity? {
        guard let number = number(value) else { return nil }
        return HealthQuantity(value: number, unit: text(unit) ?? "")
    }

    mutating func beginActivity() -> Bool {
        guard let start = date(.startDate) else {
            return skipped(.workoutActivity, "its start is missing or not readable as a date")
        }
        let activity = HealthWorkoutActivity(
            uuid: text(.uuid).flatMap(UUID.init(uuidString:)), activityType: text(.workoutActivityType),
            startDate: start, endDate: date(.endDate), duration: quantity(.duration, .durationUnit))
        workout?.begin(activity)
        return true
    }

    mutating func beginEvent() -> Bool {
        guard let start = date(.date) else {
            return skipped(.workoutEvent, "its date is missing or not readable")
        }
        var seconds = 0.0
        if let duration = number(.duration), duration > 0 {
            // All exports known so far state minutes.
            switch text(.durationUnit) {
            case "s": seconds = duration
            case "hr", "h": seconds = duration * 3600
            case "ms": seconds = duration / 1000
            default: seconds = duration * 60
            }
        }
        let event = HealthWorkoutEvent(type: text(.type) ?? "", startDate: start, durationInSeconds: seconds)
        workout?.begin(event)
        return true
    }

    mutating func addStatistics() -> Bool {
        guard let type = text(.type), !type.isEmpty else { return skipped(.workoutStatistics, "it has no type") }
        let statistics = HealthWorkoutStatistics(
            type: type, startDate: date(.startDate), endDate: date(.endDate), average: number(.average),
            minimum: number(.minimum), maximum: number(.maximum), sum: number(.sum), unit: text(.unit))
        workout?.add(statistics)
        return true
    }

    mutating func beginRoute() -> Bool {
        let route = HealthWorkoutRoute(
            source: source(), startDate: date(.startDate), endDate: date(.endDate), creationDate: date(.creationDate))
        workout?.begin(route)
        return true
    }

    mutating func addFile() {
        guard let path = text(.path), !path.isEmpty else { return skip(.fileReference, "it names no file") }
        workout?.add(file: path)
    }

    mutating func addPoint() -> Bool {
        guard let date = date(.date), let latitude = number(.latitude), let longitude = number(.longitude),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return skipped(.location, "it has no readable date and position") }
        let measured = HealthRouteMeasures(
            altitude: number(.altitude), horizontalAccuracy: number(.horizontalAccuracy),
            verticalAccuracy: number(.verticalAccuracy), course: number(.course), speed: number(.speed))
        workout?.add(
            HealthRoutePoint(date: date, position: measured.position(latitude: latitude, longitude: longitude)))
        return true
    }
}
