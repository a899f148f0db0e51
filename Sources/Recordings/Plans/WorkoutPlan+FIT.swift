/// FIT workouts, as head units and training sites write them: messages `workout` and `workout_step` (FIT profile, types `wkt_step_duration` and
/// `wkt_step_target`).
extension WorkoutPlan {
    static func fit(_ source: RecordingSource) throws(RecordingError) -> WorkoutPlan {
        var reader = Reader()
        let warnings = try FITFile.decode(source.open(), into: &reader)
        if let warning = warnings.first { throw .invalid(source.path, warning) }
        guard reader.isWorkout else { throw .refused(path: source.path, reason: unknown) }
        guard reader.sport == nil || reader.sport == Reader.cycling else {
            throw .refused(
                path: source.path, reason: "it is a plan of another sport; only those of cycling have powers")
        }
        var steps: [Step] = []
        /// Where the steps of each message begin.
        var starts: [Int] = []
        for (index, raw) in reader.steps.enumerated() {
            func refused(_ reason: String) -> RecordingError {
                .refused(path: source.path, reason: "step \(index + 1): \(reason)")
            }
            starts.append(steps.count)
            if raw.durationType == Reader.repeats {
                guard let first = raw.duration, let times = raw.targetValue, first < index, times > 0 else {
                    throw refused("it repeats steps that are not before it")
                }
                let body = Array(steps[starts[Int(first)]...])
                guard steps.count + body.count * Int(times - 1) <= mostSteps else {
                    throw refused(tooManySteps)
                }
                for _ in 1..<times { steps += body }
                continue
            }
            let seconds: Double?
            switch raw.durationType {
            case Reader.time: seconds = raw.duration.map { Double($0) / 1000 }
            case Reader.open, nil: seconds = nil
            default:
                throw refused(
                    "it ends at a distance, a heart rate or a count; only times, and steps that you end, are followed")
            }
            if raw.durationType == Reader.time, seconds == nil { throw refused("its duration is missing") }
            var notes: [Note] = []
            if let text = raw.notes ?? raw.name { notes.append(Note(text)) }
            switch raw.targetType {
            case Reader.power:
                guard let low = raw.low, let high = raw.high, low > 0 || high > 0 else {
                    throw refused("its power is a zone by number; only watts and percents are followed")
                }
                // Up to 1000 they are percents, and above that watts (type `workout_power`).
                guard (low <= 1000) == (high <= 1000) || low == 0 else { throw refused("it mixes percents and watts") }
                let middle = (low == 0 ? Double(high) : Double(low) + (Double(high) - Double(low)) / 2)
                let target: Target =
                    high <= 1000
                    ? .share(from: middle / 100, to: middle / 100) : .power(from: middle - 1000, to: middle - 1000)
                steps.append(Step(seconds, target, notes: notes))
            case Reader.cadence:
                let cadence = raw.low.flatMap { low in raw.high.map { (Double(low) + Double($0)) / 2 } }
                steps.append(Step(seconds, .free, cadencePerMinute: cadence, notes: notes))
            default: steps.append(Step(seconds, .free, notes: notes))
            }
        }
        return try checked(reader.name, steps, source.path)
    }

    private struct Reader: FITMessageReader {
        static let cycling: UInt8 = 2
        // Type `wkt_step_duration`.
        static let time: UInt8 = 0
        static let open: UInt8 = 5
        static let repeats: UInt8 = 6
        // Type `wkt_step_target`.
        static let cadence: UInt8 = 3
        static let power: UInt8 = 4

        struct RawStep {
            var name: String?
            var notes: String?
            var durationType: UInt8?
            var duration: UInt32?
            var targetType: UInt8?
            var targetValue: UInt32?
            var low: UInt32?
            var high: UInt32?
        }

        /// Type `file`.
        private static let workoutFile: UInt8 = 5

        var isWorkout = false
        var name: String?
        var sport: UInt8?
        var steps: [RawStep] = []

        mutating func read(_ message: FITMessage) {
            switch message.number {
            case FITProfile.MessageNumber.fileID:
                isWorkout = isWorkout || message.exactly(FITProfile.FileID.type) == Self.workoutFile
            case FITProfile.MessageNumber.workout:
                name = message.string(FITProfile.Workout.name) ?? name
                sport = message.exactly(FITProfile.Workout.sport) ?? sport
            case FITProfile.MessageNumber.workoutStep:
                guard steps.count <= WorkoutPlan.mostSteps else { return }
                typealias Field = FITProfile.WorkoutStep
                steps.append(
                    RawStep(
                        name: message.string(Field.name), notes: message.string(Field.notes),
                        durationType: message.exactly(Field.durationType),
                        duration: message.exactly(Field.durationValue),
                        targetType: message.exactly(Field.targetType), targetValue: message.exactly(Field.targetValue),
                        low: message.exactly(Field.low), high: message.exactly(Field.high)))
            default: break
            }
        }
    }
}
