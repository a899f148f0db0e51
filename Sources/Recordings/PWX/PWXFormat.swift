import SessionLog
import XML

/// PWX, the workout format of TrainingPeaks and related programs.
///
/// Each `workout` element is a workout. Its samples count seconds from its start, which has no time zone and is taken
/// as UTC. Its segments are laps. A duration contains the time that was stopped, which is stated beside it. Elements and
/// units: Peaksware's schema PWX 1.0 (m/s, W, m, °C, beats and turns per minute).
public struct PWXFormat: RecordingFormat {
    /// `pwx`.
    public let name = "pwx"
    /// The name in sentences.
    public let title = "PWX"
    /// `pwx`.
    public let endings = ["pwx"]

    private let activity: String?

    /// - Parameter activity: The activity to use if the file states none: a case of `HKWorkoutActivityType`.
    public init(activity: String? = nil) { self.activity = activity }

    /// Returns whether the root of the XML is `pwx`.
    public func recognizes(_ start: FileStart) -> Bool { start.xmlRoot == "pwx" }

    /// Reads a recording of each `workout`, in order of time.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        try TrackFile<PWXGrammar>.read(source, format: self, activity: activity)
    }
}

/// Finds the segments and samples of a PWX file.
struct PWXGrammar: TrackGrammar {
    private enum Tag: UInt8, CaseIterable {
        case pwx, workout, segment, summarydata, sample, device
        // Elements of a workout.
        case sportType, time, make, model, title, cmt
        // Elements of a summary.
        case beginning, duration, durationstopped
        // Elements of a sample.
        case timeoffset, hr, spd, pwr, cad, dist, lat, lon, alt, temp

        static let names = allCases.map { "\($0)" }
    }

    static let names = Tag.names
    static let attributes: [String] = []
    static let mayBeEmpty = Tag.sample.rawValue

    /// The meaning of the next text. Nil if it is not read.
    private var field: Tag?
    /// The start of the workout.
    private var start = Double.nan
    private var device: TrackDevice?
    private var isInSegment = false
    private var summary: Summary?

    /// What a workout or a segment states.
    private struct Summary {
        var beginning = Double.nan
        var duration = Double.nan
        var stopped = Double.nan
        var meters = Double.nan

        var activeSeconds: Double { stopped > 0 && stopped < duration ? duration - stopped : duration }
    }

    let otherContent: UnsupportedContent? = nil

    mutating func begin(_ elements: inout TrackElements) {
        field = nil
        guard let tag = Tag(rawValue: elements.scanner.element) else { return }
        switch tag {
        case .pwx: elements.isOpen = true
        case .workout:
            endOpen(&elements)
            (start, isInSegment, summary, device) = (.nan, false, nil, nil)
            elements.append(.workout(byte: elements.scanner.tokenByte, goesOn: false))
            elements.append(.part)
        case .segment: isInSegment = true
        case .summarydata: if elements.point == nil { summary = Summary() }
        case .device: device = TrackDevice()
        case .sample:
            endOpen(&elements)
            elements.point = TrackPoint()
        case .beginning, .duration, .durationstopped: if summary != nil { field = tag }
        case .make, .model: if device != nil { field = tag }
        case .sportType: field = tag
        case .title, .cmt: if !isInSegment, device == nil, elements.point == nil { field = tag }
        // The time of a sample is ignored, because it only repeats the offset.
        case .time: if elements.point == nil { field = tag }
        case .dist: if elements.point != nil || summary != nil { field = tag }
        case .timeoffset, .hr, .spd, .pwr, .cad, .lat, .lon, .alt, .temp:
            if elements.point != nil { field = tag }
        }
    }

    mutating func end(_ elements: inout TrackElements) -> TrackStep? {
        field = nil
        switch Tag(rawValue: elements.scanner.element) {
        case .sample:
            return elements.takePoint()
        case .device:
            if let device, !device.name.isEmpty { elements.append(.device(device)) }
            device = nil
        case .segment: isInSegment = false
        case .summarydata:
            if let summary, !start.isNaN { append(summary, &elements) }
            summary = nil
        case .workout: endOpen(&elements)
        case .pwx: elements.isOpen = false
        default: break
        }
        return nil
    }

    private func append(_ summary: Summary, _ elements: inout TrackElements) {
        let begins = start + summary.beginning
        guard !isInSegment else {
            guard !begins.isNaN, !summary.duration.isNaN else { return }
            elements.append(.lapBegan(start: begins))
            let lap = TrackLap(
                elapsedSeconds: summary.duration, seconds: summary.activeSeconds, distanceInMeters: summary.meters)
            elements.append(.lapEnded(lap))
            return
        }
        // Without a time that was stopped, the samples show the length of the workout.
        var session = TrackSession(distanceInMeters: summary.meters)
        if summary.activeSeconds < summary.duration {
            (session.start, session.seconds) = (begins, summary.duration)
            session.activeSeconds = summary.activeSeconds
        }
        elements.append(.session(session))
    }

    mutating func take(_ elements: inout TrackElements) {
        guard let field else { return }
        self.field = nil
        let text = elements.scanner.text
        switch field {
        case .sportType: elements.append(.sport(XMLText.string(text)))
        case .make: device?.name = XMLText.string(text)
        case .model:
            let make = device?.name ?? ""
            device?.name = make + (make.isEmpty ? "" : " ") + XMLText.string(text)
        case .time:
            start = elements.date() ?? .nan
        case .title, .cmt:
            var labels = WorkoutLabels()
            if field == .title {
                labels.title = elements.words().flatMap(WorkoutLabels.title(fromStranger:))
            } else {
                labels.notes = elements.words()
            }
            elements.append(.labels(labels))
        default:
            guard let number = elements.number() else { return }
            switch field {
            case .beginning: if number.magnitude <= TrackLap.longest { summary?.beginning = number }
            case .duration: if number <= TrackLap.longest { summary?.duration = number }
            case .durationstopped: summary?.stopped = number
            case .timeoffset: elements.point?.time = start + number
            case .hr: elements.point?.heartRate = number
            case .spd: elements.point?.speed = number
            case .pwr: elements.point?.power = number
            case .cad: elements.point?.cadence = number
            case .dist:
                if elements.point != nil { elements.point?.distance = number } else { summary?.meters = number }
            case .lat: elements.point?.latitude = number
            case .lon: elements.point?.longitude = number
            case .alt: elements.point?.altitude = number
            case .temp: elements.point?.temperature = number
            default: break
            }
        }
    }
}
