public import GATT

/// A structured workout: steps that a rider follows, each with a target, which a trainer can hold.
public struct WorkoutPlan: Sendable, Equatable {
    public enum Target: Sendable, Equatable {
        /// Watts, which change evenly from the first to the second.
        case power(from: Double, to: Double)
        /// The same as shares of the rider's threshold power: 0.85 is 85 %.
        case share(from: Double, to: Double)
        /// The gradient of a road in percent.
        case grade(Double)
        /// As the rider likes.
        case free
    }

    /// A sentence for the rider.
    public struct Note: Sendable, Equatable {
        /// When it is shown, in seconds since the start of the step.
        public var start: Double
        public var text: String

        public init(_ text: String, at start: Double = 0) { (self.text, self.start) = (text, start) }
    }

    public struct Step: Sendable, Equatable {
        /// Nil for a step that goes on until the rider ends it.
        public var seconds: Double?
        public var target: Target
        /// Turns of the crank.
        public var cadencePerMinute: Double?
        public var notes: [Note]

        public init(_ seconds: Double?, _ target: Target, cadencePerMinute: Double? = nil, notes: [Note] = []) {
            self.seconds = seconds
            self.target = target
            self.cadencePerMinute = cadencePerMinute
            self.notes = notes
        }
    }

    public var name: String?
    /// In their order. Never empty.
    public var steps: [Step]

    public init(name: String? = nil, steps: [Step]) { (self.name, self.steps) = (name, steps) }

    /// Nil if a step ends when the rider likes.
    public var seconds: Double? {
        steps.reduce(0.0) { sum, step in sum.flatMap { sum in step.seconds.map { sum + $0 } } }
    }

    /// Whether a target depends on the rider's threshold power.
    public var needsThresholdPower: Bool {
        steps.contains { step in
            if case .share = step.target { true } else { false }
        }
    }

    /// The same plan in watts.
    public func inWatts(thresholdPowerInWatts threshold: Double) -> WorkoutPlan {
        var plan = self
        for place in plan.steps.indices {
            guard case .share(let from, let to) = plan.steps[place].target else { continue }
            plan.steps[place].target = .power(from: from * threshold, to: to * threshold)
        }
        return plan
    }

    // MARK: Limits

    static let mostSteps = 10_000
    static let tooManySteps = "the plan has more than \(mostSteps) steps"
    static let mostBytesInMegabytes = 16
    static let longestStep = 24.0 * 3600
    static let mostWatts = 4000.0
    static let mostShare = 10.0
    static let steepestGrade = 40.0

    /// What is impossible in a step, or nil.
    static func fault(of step: Step) -> String? {
        if let seconds = step.seconds, !(seconds > 0 && seconds <= longestStep) {
            return "a step lasts from 1 second to 24 hours"
        }
        switch step.target {
        case .power(let from, let to):
            return (0...mostWatts).contains(from) && (0...mostWatts).contains(to) ? nil : "powers are from 0 to 4000 W"
        case .share(let from, let to):
            return (0...mostShare).contains(from) && (0...mostShare).contains(to)
                ? nil : "powers are from 0 to 1000 % of the threshold power"
        case .grade(let percent):
            return percent.magnitude <= steepestGrade ? nil : "gradients are from -40 to 40 %"
        case .free: return nil
        }
    }
}

extension WorkoutPlan {
    /// Reads a workout of Zwift (`.zwo`), an `.erg` or `.mrc` file, a FIT workout, or a plan as text, whatever its name.
    /// - Throws: ``RecordingError/refused(path:reason:)`` with the line or the step that is wrong: a plan is followed as a whole, or not at all.
    public init(_ source: RecordingSource) throws(RecordingError) {
        let start = try source.start()
        if start.xmlRoot != nil {
            self = try Self.zwift(source)
        } else if FITFormat().recognizes(start) {
            self = try Self.fit(source)
        } else {
            let bytes = try source.all(atMost: Self.mostBytesInMegabytes, which: "no plan")
            guard !bytes.contains(0) else { throw .refused(path: source.path, reason: Self.unknown) }
            // Old programs for Windows write their own characters.
            let text =
                String(validating: bytes, as: UTF8.self)
                ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            let isCourse = text.uppercased().contains("[COURSE HEADER]")
            self = try isCourse ? Self.course(text, source.path) : Self.plain(text, source.path)
        }
    }

    static let unknown = "it is not a plan of a workout; supported: .zwo, .erg, .mrc, FIT workouts, and plans as text"

    /// - Parameter place: Names each step, such as `line 3`.
    static func checked(
        _ name: String?, _ steps: [Step], _ path: String, place: (Int) -> String = { "step \($0 + 1)" }
    ) throws(RecordingError) -> WorkoutPlan {
        guard !steps.isEmpty else { throw .refused(path: path, reason: "the plan has no steps") }
        guard steps.count <= mostSteps else {
            throw .refused(path: path, reason: tooManySteps)
        }
        for (index, step) in steps.enumerated() {
            if let fault = fault(of: step) { throw .refused(path: path, reason: "\(place(index)): \(fault)") }
        }
        let name = name?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return WorkoutPlan(name: name?.isEmpty == true ? nil : name, steps: steps)
    }
}

/// Where a rider is in a plan. Pure: each call has the time, in seconds of the session without its pauses.
public struct PlanCourse: Sendable, Equatable {
    public let plan: WorkoutPlan
    /// The number of the step, from 0 on. As many as there are steps if the plan is over.
    public private(set) var index = 0
    private var start = 0.0
    /// The factor of all powers. 1 for those of the plan.
    public var intensity = 1.0

    /// - Parameter plan: In watts.
    public init(_ plan: WorkoutPlan) { self.plan = plan }

    public var step: WorkoutPlan.Step? { index < plan.steps.count ? plan.steps[index] : nil }

    /// Goes on to the step of that time.
    /// - Returns: How many steps ended.
    public mutating func advance(to seconds: Double) -> Int {
        let before = index
        while let length = step?.seconds, seconds >= start + length {
            start += length
            index += 1
        }
        return index - before
    }

    /// Ends the step now.
    public mutating func skip(at seconds: Double) {
        guard index < plan.steps.count else { return }
        index += 1
        start = seconds
    }

    /// Seconds since the start of the step.
    public func elapsed(at seconds: Double) -> Double { max(0, seconds - start) }

    /// Nil for a step that the rider ends, and behind the plan.
    public func left(at seconds: Double) -> Double? { step?.seconds.map { max(0, $0 - elapsed(at: seconds)) } }

    /// Nil if the rider is free.
    public func target(at seconds: Double) -> FitnessMachineTarget? {
        guard let step else { return nil }
        switch step.target {
        case .power(let from, let to):
            let part = step.seconds.map { min(elapsed(at: seconds) / $0, 1) } ?? 0
            return .power(watts: Int(((from + (to - from) * part) * intensity).rounded()))
        case .grade(let percent): return .grade(percent: percent)
        case .share, .free: return nil
        }
    }

    /// The latest sentence of the step.
    public func note(at seconds: Double) -> String? {
        step?.notes.last { $0.start <= elapsed(at: seconds) }?.text
    }
}
