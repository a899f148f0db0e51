import Foundation
import SessionLog
import XML

/// Finds the tracks of a GPX file.
///
/// Only the names of elements count, whatever their prefixes, because programs write heart rates and other values under
/// any prefix, inside any extension or beside it.
struct GPXGrammar: TrackGrammar {
    private enum Tag: UInt8, CaseIterable {
        case gpx, trk, trkseg, trkpt, rte, wpt
        case type, ele, time, speed, course, hAcc, vAcc
        case hr, heartrate, heartRate, HeartRate, heart_rate, bpm
        case cad, cadence, Cadence
        case power, PowerInWatts, watts, Power, Watts
        case atemp, temp, temperature, Temperature
        case wtemp
        // Labels of the file or the track.
        case metadata, name, desc, keywords, author
        // Elements of a workout that this package wrote.
        case WorkoutID, Device, Gear, Effort

        static let names = allCases.map { String(describing: $0) }
    }

    static let names = Tag.names
    static let attributes = ["lat", "lon", "creator"]
    static let mayBeEmpty = Tag.trkpt.rawValue

    private enum Attribute: Int { case lat, lon, creator }

    /// The meaning of the next text. Nil if it is not read.
    private var field: Tag?
    private var isInTrack = false
    /// Whether names here belong to neither the file nor a track.
    private var isElsewhere = false
    /// The labels of the file.
    private var labels = WorkoutLabels()
    private var creator: String?
    private var identity: UUID?
    private(set) var otherContent: UnsupportedContent?

    mutating func begin(_ elements: inout TrackElements) {
        field = nil
        guard let tag = Tag(rawValue: elements.scanner.element) else { return }
        switch tag {
        case .trkpt:
            endOpen(&elements)
            guard isInTrack else { return }
            var new = TrackPoint()
            new.latitude = number(.lat, elements)
            new.longitude = number(.lon, elements)
            if !new.hasPosition {
                elements.scanner.warnings.addOnce(byte: elements.scanner.tokenByte, "a point has no position on earth")
            }
            elements.point = new
        case .trk:
            endOpen(&elements)
            isInTrack = true
            isElsewhere = false
            elements.append(.workout(byte: elements.scanner.tokenByte, goesOn: true))
            elements.append(.part)
            if let creator { elements.append(.device(TrackDevice(name: creator))) }
            if let identity { elements.append(.identity(identity)) }
            if labels != WorkoutLabels() { elements.append(.labels(labels)) }
        case .trkseg:
            endOpen(&elements)
            if isInTrack { elements.append(.segment) }
        case .WorkoutID, .Device, .Gear, .Effort, .keywords: if !isInTrack { field = tag }
        case .name, .desc: if elements.point == nil, !isElsewhere { field = tag }
        case .author: isElsewhere = true
        case .metadata: isElsewhere = false
        case .type: if isInTrack, elements.point == nil { field = tag }
        case .gpx:
            elements.isOpen = true
            creator = elements.scanner.value(Attribute.creator.rawValue).map(XMLText.string)
        case .rte, .wpt:
            isElsewhere = true
            otherContent = UnsupportedContent(
                "route", "routes",
                "it contains waypoints or a route, not a recorded track; export the activity itself")
        default: if elements.point != nil { field = tag }
        }
    }

    private func number(_ name: Attribute, _ elements: borrowing TrackElements) -> Double {
        elements.scanner.value(name.rawValue).flatMap(XMLNumber.value) ?? .nan
    }

    mutating func end(_ elements: inout TrackElements) -> TrackStep? {
        field = nil
        switch Tag(rawValue: elements.scanner.element) {
        case .trkpt:
            return elements.takePoint()
        case .trk:
            // If a point is still open, this was meant to be its end.
            isInTrack = elements.point != nil
            endOpen(&elements)
        case .gpx: elements.isOpen = false
        case .rte, .wpt, .author: isElsewhere = false
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
        case .type: elements.append(.sport(XMLText.string(text)))
        case .Device: creator = XMLText.string(text)
        case .WorkoutID: identity = UUID(uuidString: XMLText.string(text))
        case .name, .desc: say(elements.words(), field, &elements)
        case .keywords: labels.tags = elements.words().map(WorkoutLabels.tags(in:)) ?? []
        case .Gear: labels.gear = elements.words()
        default:
            guard let number = elements.number() else { return }
            switch field {
            case .Effort: labels.effort = number
            case .ele: elements.point?.altitude = number
            case .speed: elements.point?.speed = number
            case .course: elements.point?.course = number
            case .hAcc: elements.point?.horizontalAccuracy = number
            case .vAcc: elements.point?.verticalAccuracy = number
            case .hr, .heartrate, .heartRate, .HeartRate, .heart_rate, .bpm: elements.point?.heartRate = number
            case .cad, .cadence, .Cadence: elements.point?.cadence = number
            case .power, .PowerInWatts, .watts, .Power, .Watts: elements.point?.power = number
            case .atemp, .temp, .temperature, .Temperature: elements.point?.temperature = number
            case .wtemp: elements.point?.waterTemperature = number
            default: break
            }
        }
    }

    /// Sets the name or description of the track, or of the file.
    private mutating func say(_ text: String?, _ field: Tag, _ elements: inout TrackElements) {
        guard let text, let title = identity == nil ? WorkoutLabels.title(fromStranger: text) : text else { return }
        var said = isInTrack ? WorkoutLabels() : labels
        if field == .name { said.title = title } else { said.notes = title }
        if isInTrack { elements.append(.labels(said)) } else { labels = said }
    }
}
