import Foundation
import SessionLog
import XML

/// The positions of a workout as a GPX 1.1 file, with Garmin's Track Point Extension v2 (heart rate, cadence,
/// temperature, speed and course) and power. A pause ends a segment; a part of several ends a track.
///
/// Every point has a position. Values measured between two positions go into the later one: the latest value of each
/// kind.
struct GPXTrackFile: RowFile {
    static let secondsApart = 0.0
    static let countsPartsAnew = false
    static let holdsLabels = true

    private let outline: WorkoutOutline
    private var xml = XMLOutput()
    private var isInSegment = false
    /// The values measured since the last position.
    private var waiting: TrackMoment?
    private var part = 0
    var leftOut = Omissions()

    /// Values older than this do not go into the next position.
    private static let longestWaitInSeconds = 5.0

    init(_ outline: WorkoutOutline) throws {
        self.outline = outline
        guard outline.hasPositions else {
            throw RecordingWriteError.nothingToHold(
                format: "GPX", reason: "it has no positions, and GPX needs one for every reading",
                advice: "write it as FIT, TCX or CSV")
        }
    }

    mutating func begin(to output: inout [UInt8]) {
        xml.raw(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="OpenHealthKit" xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd \
            http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \
            http://www.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">

            """)
        xml.raw("<metadata>")
        xml.element("name", outline.labels.title)
        xml.element("desc", outline.labels.notes)
        if let start = outline.start, XMLOutput.isInRange(start) {
            xml.raw("<time>")
            xml.date(start)
            xml.raw("</time>")
        }
        xml.element("keywords", outline.labels.tags.isEmpty ? nil : outline.labels.tags.joined(separator: ", "))
        writeExtensions()
        xml.raw("</metadata>\n")
        beginTrack()
        xml.take(to: &output)
    }

    /// Writes the ID of the workout, the device, and the labels that GPX has no element for.
    private mutating func writeExtensions() {
        let device = outline.recorder?.name
        let (gear, effort) = (outline.labels.gear, outline.labels.effort)
        guard outline.header?.ownID != nil || device != nil || gear != nil || effort != nil else { return }
        xml.raw("<extensions xmlns:ohk=\"urn:openhealthkit\">")
        xml.element("ohk:WorkoutID", outline.header?.ownID?.uuidString)
        xml.element("ohk:Device", device)
        xml.element("ohk:Gear", gear)
        xml.element("ohk:Effort", effort.map { "\($0)" })
        xml.raw("</extensions>")
    }

    mutating func write(_ moment: TrackMoment, to output: inout [UInt8]) {
        leftOut.add("RR intervals", count: moment.beatsInMilliseconds.count)
        for (type, _) in moment.others { leftOut.add("readings of \(NeutralType.words(outline.types[type].name))") }
        note(moment)
        guard let position = moment.position else {
            wait(with: moment)
            return
        }
        guard let (latitude, longitude) = TCXPoint.coordinates(position) else {
            return leftOut.add("positions that are not on Earth")
        }
        var point = moment
        if let waiting, moment.seconds >= waiting.seconds,
            moment.seconds - waiting.seconds <= Self.longestWaitInSeconds
        {
            for channel in TrackChannel.allCases where point[channel] == nil { point[channel] = waiting[channel] }
        } else {
            giveUpWaiting()
        }
        waiting = nil
        if !isInSegment { xml.raw("<trkseg>\n") }
        isInSegment = true
        write(point, position, latitude, longitude)
        xml.take(to: &output)
    }

    mutating func write(_ mark: TrackMark, to output: inout [UInt8]) {
        switch mark {
        case .started, .stopped, .lapNamed: break
        case .paused, .resumed:
            giveUpWaiting()
            endSegment()
        case .stretchEnded(let number):
            if outline.stretches.indices.contains(number), outline.stretches[number].isLap { leftOut.add("laps") }
        case .partBegan(let number):
            giveUpWaiting()
            endTrack()
            part = number
            beginTrack()
        case .event(let event, _): leftOut.add("events of kind \(event.kind.rawValue)")
        }
        xml.take(to: &output)
    }

    mutating func finish(to output: inout [UInt8]) {
        giveUpWaiting()
        endTrack()
        xml.raw("</gpx>\n")
        xml.take(to: &output)
    }

    // MARK: Tracks

    private mutating func beginTrack() {
        xml.raw("<trk>\n")
        if part == 0 {
            xml.element("name", outline.labels.title)
            xml.element("desc", outline.labels.notes)
        }
        xml.raw("<type>")
        xml.text(outline.parts[part].activity.activity)
        xml.raw("</type>\n")
    }

    private mutating func endTrack() {
        endSegment()
        xml.raw("</trk>\n")
    }

    private mutating func endSegment() {
        if isInSegment { xml.raw("</trkseg>\n") }
        isInSegment = false
    }

    // MARK: Points

    private static let held: [(channel: TrackChannel, name: String)] = [
        (.heartRate, "heart rates"), (.cadence, "cadences"), (.temperature, "temperatures"), (.speed, "speeds"),
        (.power, "powers"),
    ]

    /// Notes the values of a moment that no point holds.
    private mutating func note(_ moment: TrackMoment) {
        let names: [(TrackChannel, String)] = [
            (.distance, "distances"), (.energy, "energies"), (.strideLength, "stride lengths"),
            (.verticalOscillation, "vertical oscillations"), (.groundContactTime, "ground contact times"),
        ]
        for (channel, name) in names where moment[channel] != nil { leftOut.add(name) }
    }

    private mutating func wait(with moment: TrackMoment) {
        guard Self.held.contains(where: { moment[$0.0] != nil }) else { return }
        guard var gathered = waiting else {
            waiting = moment
            return
        }
        for (channel, name) in Self.held {
            guard let value = moment[channel] else { continue }
            if gathered[channel] != nil { leftOut.add("\(name) without a position") }
            gathered[channel] = value
        }
        gathered.seconds = moment.seconds
        waiting = gathered
    }

    private mutating func giveUpWaiting() {
        guard let moment = waiting else { return }
        for (channel, name) in Self.held where moment[channel] != nil { leftOut.add("\(name) without a position") }
        waiting = nil
    }

    private mutating func write(
        _ point: TrackMoment, _ position: PositionReading, _ latitude: Double, _ longitude: Double
    ) {
        xml.raw("<trkpt lat=\"")
        xml.decimal(latitude)
        xml.raw("\" lon=\"")
        xml.decimal(longitude)
        xml.raw("\">")
        if let altitude = position.altitudeInMeters, altitude.magnitude < 1e9 {
            xml.raw("<ele>")
            xml.decimal(altitude)
            xml.raw("</ele>")
        }
        if XMLOutput.isInRange(point.date) {
            xml.raw("<time>")
            xml.date(point.date)
            xml.raw("</time>")
        }
        if position.horizontalAccuracyInMeters != nil || position.verticalAccuracyInMeters != nil {
            leftOut.add("position accuracies")
        }
        writeExtensions(point, position)
        xml.raw("</trkpt>\n")
    }

    /// Writes the extensions in the order of their schema. Readers look for the name `power` in any namespace, but GPX
    /// requires one other than its own.
    private mutating func writeExtensions(_ point: TrackMoment, _ position: PositionReading) {
        let rate = point[.heartRate].flatMap(TCXPoint.heartRate)
        let cadence = point[.cadence].flatMap(TCXPoint.cadence)
        let power = point[.power].flatMap(TCXPoint.unsignedShort)
        if let value = point[.heartRate], value > 0, rate.map(Double.init) != value {
            leftOut.add("fractional heart rates, or above 254")
        }
        if let value = point[.cadence], cadence.map(Double.init) != value {
            leftOut.add("fractional cadences, or above 254")
        }
        if let value = point[.power], power.map(Double.init) != value {
            leftOut.add("fractional or negative power values")
        }
        let speed = point[.speed].flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        let course = position.courseInDegrees.flatMap { (0...360).contains($0) ? $0 : nil }
        let temperature = point[.temperature].flatMap { $0.magnitude < 1e6 ? $0 : nil }
        let hasExtension = temperature != nil || rate != nil || cadence != nil || speed != nil || course != nil
        guard hasExtension || power != nil else { return }
        xml.raw("<extensions>")
        if let power {
            xml.raw("<power xmlns=\"http://www.garmin.com/xmlschemas/PowerExtension/v1\">")
            xml.integer(power)
            xml.raw("</power>")
        }
        if hasExtension {
            xml.raw("<gpxtpx:TrackPointExtension>")
            let isOfWater = outline.parts[part].types[.temperature] == "waterTemperature"
            element(isOfWater ? "wtemp" : "atemp", temperature)
            element("hr", rate.map(Double.init))
            element("cad", cadence.map(Double.init))
            element("speed", speed)
            element("course", course)
            xml.raw("</gpxtpx:TrackPointExtension>")
        }
        xml.raw("</extensions>")
    }

    private mutating func element(_ name: StaticString, _ value: Double?) {
        guard let value else { return }
        xml.raw("<gpxtpx:")
        xml.raw(name)
        xml.raw(">")
        xml.decimal(value)
        xml.raw("</gpxtpx:")
        xml.raw(name)
        xml.raw(">")
    }
}
