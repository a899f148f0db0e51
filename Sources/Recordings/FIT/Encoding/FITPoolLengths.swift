import Foundation
import SessionLog

/// The lengths of a pool swim while its file is written: FIT profile, message `length`.
///
/// Each segment of such a swim is a length. The strokes since the previous length belong to it and are kept until it is
/// written.
struct FITPoolLengths {
    /// Strokes that belong to no length yet, and the time of the last of them in seconds since 2001.
    private(set) var strokes = 0.0
    private(set) var latest = 0.0
    /// The number of lengths written so far.
    private(set) var count = 0
    private var active = 0
    private var strokesOfLap = 0.0
    private var firstOfLap = 0
    private var activeBeforeLap = 0
    private var firstOfSession = 0
    private var activeBeforeSession = 0
    private var strokesOfSession = 0.0

    static let type = "swimmingStrokeCount"

    mutating func add(strokes more: Double, at seconds: Double) {
        strokes += more
        latest = max(latest, seconds)
    }

    /// Returns the kept strokes and resets them.
    mutating func takeStrokes() -> Double {
        defer { strokes = 0 }
        return strokes
    }

    /// Returns the message of the length that ends here, or nil if FIT cannot express its dates.
    mutating func message(_ event: EventRecord) -> [FITFieldValue]? {
        guard let start = FITTime.number(event.start) else { return nil }
        let seconds = max(0, event.end.timeIntervalSince(event.start))
        let written = (Double(start) + seconds).rounded(.up)
        let milliseconds = (seconds * 1000).rounded()
        guard written < 0xFFFF_FFFF, milliseconds < 0xFFFF_FFFF else { return nil }
        let strokes = strokes.rounded()
        let stated = event.metadata["HKSwimmingStrokeStyle"]
        let style: Int64? = if case .number(let number)? = stated { Self.strokes[number] } else { nil }
        // An unknown stroke style still shows that somebody swam.
        let isActive = stated != nil || strokes > 0
        typealias Field = FITProfile.Length
        var fields = [
            FITFieldValue(FITProfile.timestamp.number, .uint32, Int64(written)),
            FITFieldValue(254, .uint16, Int64(min(count, 65_534))),
            FITFieldValue(0, .enum, 28), FITFieldValue(1, .enum, 1),
            FITFieldValue(Field.startTime.number, .uint32, Int64(start)),
            FITFieldValue(Field.totalElapsedTime.number, .uint32, Int64(milliseconds)),
            FITFieldValue(4, .uint32, Int64(milliseconds)),
        ]
        if strokes > 0, strokes < 65_535 {
            fields.append(FITFieldValue(Field.totalStrokes.number, .uint16, Int64(strokes)))
            strokesOfLap += strokes
            strokesOfSession += strokes
            self.strokes = 0
        }
        if let style { fields.append(FITFieldValue(Field.swimStroke.number, .enum, style)) }
        fields.append(FITFieldValue(Field.lengthType.number, .enum, isActive ? 1 : 0))
        count += 1
        if isActive { active += 1 }
        return fields
    }

    /// Returns the fields about lengths of the lap that ends now.
    ///
    /// - Parameter covered: The number of lengths in the distance of the lap. One length message of a drill may cover
    ///   several.
    mutating func fieldsOfLap(covered: Double?) -> [FITFieldValue] {
        defer { (firstOfLap, activeBeforeLap, strokesOfLap) = (count, active, 0) }
        guard count > firstOfLap, count < 65_535 else { return [] }
        return [
            FITFieldValue(35, .uint16, Int64(firstOfLap)), FITFieldValue(32, .uint16, Int64(count - firstOfLap)),
            FITFieldValue(40, .uint16, Self.number(active - activeBeforeLap, covered)),
            FITFieldValue(10, .uint32, Int64(strokesOfLap)),
        ]
    }

    private static func number(_ active: Int, _ covered: Double?) -> Int64 {
        let whole = covered?.rounded() ?? 0
        return max(Int64(active), whole < 65_535 ? Int64(whole) : 0)
    }

    /// Ends the session and returns its fields about lengths. The lengths after it belong to the next one.
    mutating func endSession(covered: Double?) -> [FITFieldValue] {
        defer { (firstOfSession, activeBeforeSession, strokesOfSession) = (count, active, 0) }
        guard count > firstOfSession, count < 65_535 else { return [] }
        return [
            FITFieldValue(33, .uint16, Int64(count - firstOfSession)),
            FITFieldValue(47, .uint16, Self.number(active - activeBeforeSession, covered)),
            FITFieldValue(10, .uint32, Int64(strokesOfSession)),
        ]
    }

    /// `swim_stroke` by `HKSwimmingStrokeStyle`. Kicking with a board is a drill.
    private static let strokes: [Double: Int64] = [1: 5, 2: 0, 3: 1, 4: 2, 5: 3, 6: 4]
}

extension FITActivityFile {
    var isPoolSwim: Bool {
        let activity = outline.parts[part].activity
        return activity.activity == "swimming" && activity.swimmingLocation == .pool && outline.hasSegments
    }

    /// Returns the number of pool lengths in the distance of a lap or part, or nil if it was not swum in a pool.
    func lengthsCovered(in span: WorkoutSpan, part: Int) -> Double? {
        guard let pool = outline.parts[part].activity.lapLengthInMeters, pool > 0, let meters = span[.distance].total
        else { return nil }
        return max(0, meters / pool)
    }

    /// Removes the strokes from a moment of a pool swim and keeps them for the next length.
    mutating func holdStrokes(of moment: inout TrackMoment) {
        guard isPoolSwim,
            let place = moment.others.firstIndex(where: { outline.types[$0.type].name == FITPoolLengths.type })
        else { return }
        lengths.add(strokes: moment.others.remove(at: place).value, at: moment.seconds)
    }

    mutating func writeLength(_ event: EventRecord) {
        guard let message = lengths.message(event) else { return leftOut.add("lengths before 1998") }
        encoder.message(FITProfile.MessageNumber.length, local: 0, message)
    }

    /// Writes strokes that belong to no length into the developer field of their type.
    mutating func writeRestOfStrokes() {
        guard lengths.strokes > 0,
            let type = outline.types.firstIndex(where: { $0.name == FITPoolLengths.type })
        else { return }
        var moment = TrackMoment(seconds: lengths.latest)
        moment.others.append((type, lengths.takeStrokes()))
        guard let time = FITTime.number(moment.date) else { return }
        writeRecord(moment, time)
    }
}
