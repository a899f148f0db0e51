import Foundation
import SessionLog
import XML

/// Finds the laps and points of a TCX file (Garmin's Training Center Database, versions 1 and 2, with the activity
/// extensions).
///
/// Only the names of elements count, whatever their prefixes and nesting. An element that begins where it cannot be
/// ends the one that was not closed.
struct TCXGrammar: TrackGrammar {
    private enum Tag: UInt8, CaseIterable {
        case activity, run, multiSportSession, transition, lap, track, trackpoint, creator, author, course, workout
        // Elements of a point.
        case time, latitudeDegrees, longitudeDegrees, altitudeMeters, distanceMeters, heartRateBpm, value, cadence,
            runCadence, speed, watts, temperature
        // Elements of a workout that this package wrote.
        case workoutID, activityType, title, tags, gear, effort
        // Notes and plan of an activity.
        case notes, plan
        // Elements of a lap.
        case totalTimeSeconds, calories, betweenLaps
        case averageHeartRateBpm, maximumHeartRateBpm
        // Elements of the device or program that made the file.
        case name, unitId, productID, versionMajor, versionMinor
        case trainingCenterDatabase

        static let names = allCases.map { tag in
            let name = String(describing: tag)
            return name.prefix(1).uppercased() + name.dropFirst()
        }
    }

    static let names = Tag.names
    static let attributes = ["Sport", "StartTime"]
    static let mayBeEmpty = Tag.lap.rawValue

    private enum Attribute: Int { case sport, startTime }

    private var lap: TrackLap?
    private var device: TrackDevice?
    /// The meaning of the next text. Nil if it is not read.
    private var field: Tag?
    private var isInSession = false
    private var isInActivity = false
    private var isPulse = false
    private var isInAuthor = false
    private var isInPlan = false
    private(set) var otherContent: UnsupportedContent?

    mutating func begin(_ elements: inout TrackElements) {
        field = nil
        guard let tag = Tag(rawValue: elements.scanner.element) else { return }
        switch tag {
        case .trackpoint:
            endPoint(&elements)
            if isInActivity { elements.point = TrackPoint() }
        case .time, .latitudeDegrees, .longitudeDegrees, .altitudeMeters, .cadence, .runCadence, .speed, .watts,
            .temperature:
            if elements.point != nil { field = tag }
        case .distanceMeters: if elements.point != nil || lap != nil { field = tag }
        case .heartRateBpm:
            isPulse = elements.point != nil
            if isPulse { field = .value }
        case .value: if isPulse, elements.point != nil { field = .value }
        case .averageHeartRateBpm, .maximumHeartRateBpm: isPulse = false
        case .totalTimeSeconds, .calories: if elements.point == nil, lap != nil { field = tag }
        case .lap: beginLap(&elements)
        case .betweenLaps: lap?.isLap = false
        case .track:
            endPoint(&elements)
            if isInActivity { elements.append(.segment) }
        case .activity, .run:
            beginActivity(elements.scanner.value(Attribute.sport.rawValue).map(XMLText.string), &elements)
        case .transition:
            // The transition from one sport to the next becomes a lap without a sport.
            beginActivity("Transition", &elements)
            beginLap(&elements)
        case .multiSportSession:
            endOpen(&elements)
            isInSession = true
            // The previous activity may not have been closed. Entries are read again from this byte, without its state.
            isInActivity = false
            elements.append(.workout(byte: elements.scanner.tokenByte, goesOn: false))
        case .creator: if isInActivity { device = TrackDevice() }
        case .author: isInAuthor = true
        case .name where isInPlan: field = tag
        case .name, .unitId, .productID, .versionMajor, .versionMinor: if device != nil, !isInAuthor { field = tag }
        case .workoutID, .activityType, .title, .tags, .gear, .effort: if isInActivity { field = tag }
        case .notes: if isInActivity || isInSession, lap == nil, elements.point == nil { field = tag }
        case .plan: isInPlan = isInActivity
        case .course: otherContent = .course
        case .workout: otherContent = otherContent ?? .plan
        case .trainingCenterDatabase: elements.isOpen = true
        }
    }

    private mutating func beginActivity(_ sport: String?, _ elements: inout TrackElements) {
        endOpen(&elements)
        if !isInSession { elements.append(.workout(byte: elements.scanner.tokenByte, goesOn: false)) }
        isInActivity = true
        elements.append(.part)
        if let sport { elements.append(.sport(sport)) }
    }

    private mutating func beginLap(_ elements: inout TrackElements) {
        endOpen(&elements)
        guard isInActivity else { return }
        lap = TrackLap()
        let start = elements.scanner.value(Attribute.startTime.rawValue).flatMap {
            TrackScan.date($0, byte: elements.scanner.tokenByte, &elements.scanner.warnings)
        }
        elements.append(.lapBegan(start: start ?? .nan))
    }

    private mutating func endPoint(_ elements: inout TrackElements) {
        elements.endPoint()
        isPulse = false
    }

    mutating func endOpen(_ elements: inout TrackElements) {
        endPoint(&elements)
        if let lap { elements.append(.lapEnded(lap)) }
        lap = nil
    }

    mutating func end(_ elements: inout TrackElements) -> TrackStep? {
        field = nil
        guard let tag = Tag(rawValue: elements.scanner.element) else { return nil }
        switch tag {
        case .trackpoint:
            isPulse = false
            return elements.takePoint()
        case .heartRateBpm: isPulse = false
        case .lap: endOpen(&elements)
        case .activity, .run, .transition:
            endOpen(&elements)
            isInActivity = false
        case .multiSportSession: isInSession = false
        case .creator:
            if let device { elements.append(.device(device)) }
            device = nil
        case .author: isInAuthor = false
        case .plan: isInPlan = false
        case .trainingCenterDatabase: elements.isOpen = false
        default: break
        }
        return nil
    }

    mutating func take(_ elements: inout TrackElements) {
        guard let field else { return }
        self.field = nil
        let text = elements.scanner.text
        switch field {
        case .time:
            let time = elements.date()
            elements.point?.time = time ?? .nan
        case .name where isInPlan, .title, .notes, .tags, .gear: say(elements.words(), field, &elements)
        case .name: device?.name = XMLText.string(text)
        case .unitId: device?.unit = XMLText.string(text)
        case .productID: device?.product = UInt16(XMLText.string(text))
        case .versionMajor: device?.version = XMLText.string(text)
        case .versionMinor: device?.version += "." + XMLText.string(text)
        case .activityType: elements.append(.sport(XMLText.string(text)))
        case .workoutID: if let id = UUID(uuidString: XMLText.string(text)) { elements.append(.identity(id)) }
        default:
            guard let number = elements.number() else { return }
            switch field {
            case .latitudeDegrees: elements.point?.latitude = number
            case .longitudeDegrees: elements.point?.longitude = number
            case .altitudeMeters: elements.point?.altitude = number
            case .distanceMeters:
                if elements.point != nil { elements.point?.distance = number } else { lap?.distanceInMeters = number }
            case .value: elements.point?.heartRate = number
            case .cadence: elements.point?.cadence = number
            // If the device has a `Cadence` too, that is the cadence of the crank and wins.
            case .runCadence: if elements.point?.cadence.isNaN == true { elements.point?.cadence = number }
            case .temperature: elements.point?.temperature = number
            case .speed: elements.point?.speed = number
            case .watts: elements.point?.power = number
            case .totalTimeSeconds: if TrackLap.longest >= number { lap?.seconds = number }
            case .calories: lap?.kilocalories = number
            case .effort:
                var said = WorkoutLabels()
                said.effort = number
                elements.append(.labels(said))
            default: break
            }
        }
    }

    private func say(_ text: String?, _ field: Tag, _ elements: inout TrackElements) {
        guard let text else { return }
        var said = WorkoutLabels()
        switch field {
        case .notes: said.notes = text
        case .tags: said.tags = WorkoutLabels.tags(in: text)
        case .gear: said.gear = text
        // The plan that was followed, or the workout's own title, which comes after it in the file.
        default: said.title = text
        }
        elements.append(.labels(said))
    }
}
