import Foundation
import SessionLog
import XML

/// A workout as a TCX file: Garmin's Training Center Database v2 with Activity Extension v2 (speed, power, running
/// figures).
///
/// Laps hold tracks, and a pause ends a track. The stretches before, between and after laps become laps of their own,
/// because every point of a TCX file is in a lap. An extension marks them for this package's own reader. A workout with
/// several parts is a `MultiSportSession`.
struct TCXTrackFile: RowFile {
    static let secondsApart = 0.0
    static let countsPartsAnew = true
    static let holdsLabels = true

    private let outline: WorkoutOutline
    private let stretches: [WorkoutSpan]
    private var xml = XMLOutput()
    private var stretch = 0
    private var part = 0
    private var isInLap = false
    private var isInTrack = false
    /// Whether the activity has a lap.
    private var hasLap = false
    /// The energy of the laps so far.
    private var kilocalories = 0.0
    /// The date of the last point written.
    private var lastPoint = Date.distantPast
    /// The end of a pause after which there is no point yet.
    private var resumed: Date?
    var leftOut = Omissions()

    init(_ outline: WorkoutOutline) throws {
        self.outline = outline
        stretches = outline.stretchesWithoutRest
        var dates: [Date] = [outline.start ?? .distantPast, outline.end ?? .distantPast]
        for stretch in stretches { dates += [stretch.start, stretch.end] }
        guard dates.allSatisfy(XMLOutput.isInRange) else {
            throw RecordingWriteError.nothingToHold(
                format: "TCX", reason: "its dates are not of the years 1 to 9999", advice: "write it as session log")
        }
    }

    mutating func begin(to output: inout [UInt8]) {
        xml.raw(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
            xmlns:ns3="http://www.garmin.com/xmlschemas/ActivityExtension/v2" xmlns:ohk="urn:openhealthkit" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2 \
            http://www.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd">
              <Activities>

            """)
        if isMultisport {
            xml.raw("<MultiSportSession><Id>")
            xml.date(outline.start ?? .distantPast)
            xml.raw("</Id>\n")
        }
        beginActivity()
        xml.take(to: &output)
    }

    mutating func write(_ moment: TrackMoment, to output: inout [UInt8]) {
        leftOut.add("RR intervals", count: moment.beatsInMilliseconds.count)
        for (type, _) in moment.others { leftOut.add("readings of \(NeutralType.words(outline.types[type].name))") }
        guard XMLOutput.isInRange(moment.date) else { return leftOut.add("readings after 9999") }
        guard TCXPoint.holdsAny(of: moment) else { return TCXPoint.say(what: moment, &leftOut) }
        beginLap()
        guard isInLap else { return leftOut.add("readings outside every lap") }
        // The point itself shows a pause that ends with it.
        if resumed == moment.date { resumed = nil }
        writeResumption(until: moment.date)
        beginTrack()
        TCXPoint.write(moment, sport: sport, to: &xml, &leftOut)
        lastPoint = moment.date
        xml.take(to: &output)
    }

    private mutating func beginTrack() {
        if !isInTrack { xml.raw("<Track>\n") }
        isInTrack = true
    }

    /// Writes the end of a pause after which there is no point yet, up to the end of a lap.
    private mutating func writeResumption(until date: Date) {
        if let resumed, resumed <= date { writeTime(resumed) }
        resumed = nil
    }

    /// Writes a point with only a time, at the start or end of a pause, as devices do.
    private mutating func writeTime(_ date: Date) {
        guard isInLap, date > lastPoint, stretches.indices.contains(stretch), date > stretches[stretch].start,
            XMLOutput.isInRange(date)
        else { return }
        beginTrack()
        xml.raw("<Trackpoint><Time>")
        xml.date(date)
        xml.raw("</Time></Trackpoint>\n")
        lastPoint = date
    }

    mutating func write(_ mark: TrackMark, to output: inout [UInt8]) {
        switch mark {
        case .started, .stopped, .lapNamed: break
        case .paused(let date):
            beginLap()
            writeResumption(until: date)
            writeTime(date)
            endTrack()
        case .resumed(let date):
            endTrack()
            resumed = date
        case .stretchEnded(let number):
            beginLap()
            endLap()
            stretch = number + 1
        case .partBegan(let number):
            endActivity()
            part = number
            beginActivity()
        case .event(let event, _): leftOut.add("events of kind \(event.kind.rawValue)")
        }
        xml.take(to: &output)
    }

    mutating func finish(to output: inout [UInt8]) {
        if stretches.indices.contains(stretch) { beginLap() }
        endActivity()
        if kilocalories.withoutNoise != kilocalories.rounded() { leftOut.note("fractions of a kilocalorie") }
        if isMultisport { xml.raw("</MultiSportSession>\n") }
        xml.raw("  </Activities>\n")
        xml.raw("<Author xsi:type=\"Application_t\"><Name>OpenHealthKit</Name><Build><Version>")
        xml.raw("<VersionMajor>0</VersionMajor><VersionMinor>1</VersionMinor></Version></Build>")
        xml.raw("<LangID>en</LangID><PartNumber>000-00000-00</PartNumber></Author>\n")
        xml.raw("</TrainingCenterDatabase>\n")
        xml.take(to: &output)
    }

    // MARK: Activities

    private var isMultisport: Bool { outline.parts.count > 1 }

    private var sport: TCXSport { TCXSport(outline.parts[part].activity.activity) }

    private mutating func beginActivity() {
        let of = outline.parts[part]
        if !sport.isExact { leftOut.note("the activity “\(of.activity.activity)”, which TCX calls \(sport.name)") }
        if isMultisport { xml.raw(part == 0 ? "<FirstSport>\n" : "<NextSport>\n") }
        xml.raw("<Activity Sport=\"")
        xml.text(sport.name)
        xml.raw("\">\n<Id>")
        xml.date(part == 0 ? outline.start ?? of.span.start : of.span.start)
        xml.raw("</Id>\n")
        hasLap = false
    }

    private mutating func endActivity() {
        endLap()
        if !hasLap { writeEmptyLap() }
        // The labels of the workout are in its first activity.
        let labels = part == 0 ? outline.labels : WorkoutLabels()
        xml.element("Notes", labels.notes)
        if let device = outline.recorder { write(device) }
        writeExtensions(labels)
        xml.raw("</Activity>\n")
        if isMultisport { xml.raw(part == 0 ? "</FirstSport>\n" : "</NextSport>\n") }
    }

    /// Writes the ID of the workout, and the labels that TCX has no element for.
    private mutating func writeExtensions(_ labels: WorkoutLabels) {
        var said = labels
        said.notes = nil
        let id = outline.header?.ownID
        guard id != nil || said != WorkoutLabels() else { return }
        xml.raw("<Extensions>")
        xml.element("ohk:WorkoutID", id?.uuidString)
        if id != nil, !sport.isExact { xml.element("ohk:ActivityType", outline.parts[part].activity.activity) }
        xml.element("ohk:Title", said.title)
        xml.element("ohk:Tags", said.tags.isEmpty ? nil : said.tags.joined(separator: ", "))
        xml.element("ohk:Gear", said.gear)
        xml.element("ohk:Effort", said.effort.map { "\($0)" })
        xml.raw("</Extensions>\n")
    }

    private mutating func write(_ device: DeviceDescription) {
        let version = (device.softwareVersion ?? device.firmwareVersion ?? "0").split(separator: ".")
        func number(_ index: Int) -> Int { version.indices.contains(index) ? Int(UInt16(version[index]) ?? 0) : 0 }
        xml.raw("<Creator xsi:type=\"Device_t\"><Name>")
        xml.text(device.name ?? device.model ?? "unnamed")
        xml.raw("</Name><UnitId>")
        xml.integer(Int(device.localIdentifier.flatMap { UInt32($0) } ?? 0))
        xml.raw("</UnitId><ProductID>")
        let numbers = FITManufacturer.numbers(manufacturer: device.manufacturer, model: device.model)
        xml.integer(Int(numbers?.product ?? 0))
        xml.raw("</ProductID><Version><VersionMajor>")
        xml.integer(number(0))
        xml.raw("</VersionMajor><VersionMinor>")
        xml.integer(number(1))
        xml.raw("</VersionMinor></Version></Creator>\n")
    }

    // MARK: Laps

    private mutating func beginLap() {
        guard !isInLap, stretches.indices.contains(stretch) else { return }
        isInLap = true
        hasLap = true
        let lap = stretches[stretch]
        xml.raw("<Lap StartTime=\"")
        xml.date(lap.start)
        xml.raw("\">\n<TotalTimeSeconds>")
        xml.decimal(lap.activeSeconds.withoutNoise)
        xml.raw("</TotalTimeSeconds><DistanceMeters>")
        xml.decimal(max(0, lap[.distance].sum).withoutNoise)
        xml.raw("</DistanceMeters>")
        if let speed = lap[.speed].greatest, speed >= 0, speed.isFinite {
            xml.raw("<MaximumSpeed>")
            xml.decimal(speed)
            xml.raw("</MaximumSpeed>")
        }
        xml.raw("<Calories>")
        xml.integer(wholeKilocalories(of: lap))
        xml.raw("</Calories>")
        writeRate("AverageHeartRateBpm", lap.meanHeartRate)
        writeRate("MaximumHeartRateBpm", lap[.heartRate].greatest)
        xml.raw("<Intensity>Active</Intensity>")
        if !sport.isRunning, let cadence = lap[.cadence].mean.flatMap(TCXPoint.cadence) {
            xml.raw("<Cadence>")
            xml.integer(cadence)
            xml.raw("</Cadence>")
        }
        xml.raw("<TriggerMethod>Manual</TriggerMethod>\n")
    }

    /// Returns the energy of a lap, rounded so that the laps add up to the energy of the workout.
    private mutating func wholeKilocalories(of lap: WorkoutSpan) -> Int {
        let before = kilocalories.rounded()
        kilocalories += max(0, lap[.energy].sum)
        return TCXPoint.unsignedShort(kilocalories.rounded() - before) ?? 0
    }

    private mutating func writeRate(_ name: StaticString, _ rate: Double?) {
        guard let rate = rate.flatMap(TCXPoint.heartRate) else { return }
        xml.raw("<")
        xml.raw(name)
        xml.raw("><Value>")
        xml.integer(rate)
        xml.raw("</Value></")
        xml.raw(name)
        xml.raw(">")
    }

    private mutating func endTrack() {
        if isInTrack { xml.raw("</Track>\n") }
        isInTrack = false
    }

    private mutating func endLap() {
        if isInLap { writeResumption(until: stretches[stretch].end) }
        if isInTrack, stretch == stretches.count - 1 { writeTime(stretches[stretch].end) }
        endTrack()
        guard isInLap else { return }
        isInLap = false
        let lap = stretches[stretch]
        let watts = (
            lap[.power].mean.flatMap(TCXPoint.unsignedShort), lap[.power].greatest.flatMap(TCXPoint.unsignedShort)
        )
        let speed = lap.meanSpeed.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        let cadence = lap[.cadence].greatest.flatMap(TCXPoint.cadence)
        let hasFigures = speed != nil || watts.0 != nil || cadence != nil
        let hasExtensions = hasFigures || !lap.isLap
        if hasExtensions { xml.raw("<Extensions>") }
        if hasFigures {
            xml.raw("<ns3:LX>")
            if let speed {
                xml.raw("<ns3:AvgSpeed>")
                xml.decimal(speed.withoutNoise)
                xml.raw("</ns3:AvgSpeed>")
            }
            if let cadence, !sport.isRunning {
                xml.raw("<ns3:MaxBikeCadence>")
                xml.integer(cadence)
                xml.raw("</ns3:MaxBikeCadence>")
            }
            if sport.isRunning, let cadence, let mean = lap[.cadence].mean.flatMap(TCXPoint.cadence) {
                xml.raw("<ns3:AvgRunCadence>")
                xml.integer(mean)
                xml.raw("</ns3:AvgRunCadence><ns3:MaxRunCadence>")
                xml.integer(cadence)
                xml.raw("</ns3:MaxRunCadence>")
            }
            if let mean = watts.0, let greatest = watts.1 {
                xml.raw("<ns3:AvgWatts>")
                xml.integer(mean)
                xml.raw("</ns3:AvgWatts><ns3:MaxWatts>")
                xml.integer(greatest)
                xml.raw("</ns3:MaxWatts>")
            }
            xml.raw("</ns3:LX>")
        }
        if !lap.isLap { writeBetweenLaps() }
        if hasExtensions { xml.raw("</Extensions>") }
        xml.raw("</Lap>\n")
    }

    /// Writes the lap of a part in which nothing was measured.
    private mutating func writeEmptyLap() {
        let span = outline.parts[part].span
        xml.raw("<Lap StartTime=\"")
        xml.date(XMLOutput.isInRange(span.start) ? span.start : outline.start ?? .distantPast)
        xml.raw("\"><TotalTimeSeconds>")
        xml.decimal(span.activeSeconds)
        xml.raw("</TotalTimeSeconds><DistanceMeters>0</DistanceMeters><Calories>0</Calories>")
        xml.raw("<Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod>")
        xml.raw("<Extensions>")
        writeBetweenLaps()
        xml.raw("</Extensions></Lap>\n")
    }

    /// Marks a lap of the file that is not a lap of the workout.
    private mutating func writeBetweenLaps() { xml.element("ohk:BetweenLaps", "1") }
}

/// The three sports of TCX.
struct TCXSport {
    let name: String
    /// Whether the name describes the activity completely.
    let isExact: Bool
    let isBiking: Bool
    var isRunning: Bool { name == "Running" }

    init(_ activity: String) {
        name = activity == "running" ? "Running" : activity == "cycling" ? "Biking" : "Other"
        isExact = activity == "running" || activity == "cycling" || activity == "other"
        isBiking = activity == "cycling" || activity == "handCycling"
    }
}
