import SessionLog
import XML

/// Zwift's workouts (`.zwo`): XML whose elements are steps, with powers as shares of the threshold power.
extension WorkoutPlan {
    private enum Tag: UInt8, CaseIterable {
        case workout_file, name, sportType, workout
        case SteadyState, Warmup, Cooldown, Ramp, IntervalsT, FreeRide, MaxEffort
        case textevent

        static let names = allCases.map { "\($0)" }
    }

    private enum Attribute: Int, CaseIterable {
        case Duration, Power, PowerLow, PowerHigh, Cadence, CadenceResting
        case Repeat, OnDuration, OffDuration, OnPower, OffPower
        case PowerOnLow, PowerOnHigh, PowerOffLow, PowerOffHigh
        case timeoffset, message

        static let names = allCases.map { "\($0)" }
    }

    static func zwift(_ source: RecordingSource) throws(RecordingError) -> WorkoutPlan {
        let path = source.path
        var scanner = XMLScanner(
            try source.open().stream, elements: Tag.names, attributes: Attribute.names, keepsText: true,
            capacity: 1 << 20)
        var name: String?
        var steps: [Step] = []
        var open: [Tag] = []
        var isRoot = false
        var isComplete = false
        /// Which steps the element made that is open.
        var own: Range<Int>?

        func number(_ attribute: Attribute) -> Double? {
            guard let text = scanner.value(attribute.rawValue), let number = XMLNumber.value(of: text),
                number.isFinite
            else { return nil }
            return number
        }
        func refused(_ reason: String) -> RecordingError {
            .refused(path: path, reason: "step \(steps.count + 1) (byte \(scanner.tokenByte)): \(reason)")
        }
        func need(_ attribute: Attribute, or others: Attribute...) throws(RecordingError) -> Double {
            for candidate in [attribute] + others {
                if let number = number(candidate) { return number }
            }
            throw refused("\(attribute) is missing")
        }
        func made(_ tag: Tag) throws(RecordingError) -> [Step] {
            let cadence = number(.Cadence)
            /// The middle of a range, if one power is not stated.
            func power(_ one: Attribute, _ low: Attribute, _ high: Attribute) throws(RecordingError) -> Double {
                if let power = number(one) { return power }
                let bound = try need(one, or: low)
                return (bound + (number(high) ?? bound)) / 2
            }
            func steady(_ seconds: Double, _ power: Double, _ cadence: Double?) -> Step {
                Step(seconds, .share(from: power, to: power), cadencePerMinute: cadence)
            }
            switch tag {
            case .SteadyState:
                return [steady(try need(.Duration), try power(.Power, .PowerLow, .PowerHigh), cadence)]
            case .Warmup, .Cooldown, .Ramp:
                let from = try need(.PowerLow, or: .Power)
                let to = number(.PowerHigh) ?? from
                return [Step(try need(.Duration), .share(from: from, to: to), cadencePerMinute: cadence)]
            case .IntervalsT:
                let times = try need(.Repeat)
                guard times >= 1, times <= Double(mostSteps) else { throw refused("Repeat is from 1 to \(mostSteps)") }
                let on = steady(try need(.OnDuration), try power(.OnPower, .PowerOnLow, .PowerOnHigh), cadence)
                let off = steady(
                    try need(.OffDuration), try power(.OffPower, .PowerOffLow, .PowerOffHigh), number(.CadenceResting)
                )
                return (0..<Int(times)).flatMap { _ in [on, off] }
            case .FreeRide: return [Step(try need(.Duration), .free, cadencePerMinute: cadence)]
            case .MaxEffort:
                return [Step(try need(.Duration), .free, cadencePerMinute: cadence, notes: [Note("Max!")])]
            case .workout_file, .name, .sportType, .workout, .textevent: return []
            }
        }
        do {
            while case let token = try scanner.next(), token != .finished {
                guard let tag = Tag(rawValue: scanner.element) else {
                    if !isRoot, token == .start || token == .empty {
                        throw RecordingError.refused(path: path, reason: unknown)
                    }
                    if open.last == .workout, token == .start || token == .empty {
                        throw refused("\(scanner.elementName) is not a known step")
                    }
                    continue
                }
                switch token {
                case .start, .empty:
                    if tag == .workout_file { isRoot = true }
                    if open.contains(.workout), tag == .textevent {
                        guard let own, let text = scanner.value(Attribute.message.rawValue) else { break }
                        Self.add(XMLText.string(text), at: number(.timeoffset) ?? 0, to: &steps, own)
                    } else if open.contains(.workout) {
                        let made = try made(tag)
                        guard steps.count + made.count <= mostSteps else {
                            throw refused(tooManySteps)
                        }
                        own = steps.count..<steps.count + made.count
                        steps += made
                    }
                    if token == .start { open.append(tag) }
                case .end:
                    if tag == .workout_file { isComplete = true }
                    if let place = open.lastIndex(of: tag) { open.removeSubrange(place...) }
                case .text:
                    let text = XMLText.string(scanner.text)
                    if open.last == .name { name = text }
                    if open.last == .sportType, text.lowercased() != "bike" {
                        throw RecordingError.refused(
                            path: path, reason: "it is a plan of the sport \(text); only those of bike have powers")
                    }
                case .finished: break
                }
            }
        } catch let error as RecordingError {
            throw error
        } catch let error as ByteStreamFault {
            throw RecordingError(error)
        } catch {
            throw .refused(path: path, reason: "\(error)")
        }
        guard isRoot else { throw .refused(path: path, reason: unknown) }
        guard isComplete else { throw .refused(path: path, reason: "it is cut: </workout_file> is missing") }
        return try checked(name, steps, path)
    }

    /// Adds a sentence to the step that is shown then; the time counts from the start of the element.
    private static func add(_ text: String, at offset: Double, to steps: inout [Step], _ own: Range<Int>) {
        var start = offset
        for place in own {
            let seconds = steps[place].seconds ?? .infinity
            if start < seconds || place == own.last {
                steps[place].notes.append(Note(text, at: max(0, start)))
                steps[place].notes.sort { $0.start < $1.start }
                return
            }
            start -= seconds
        }
    }
}
