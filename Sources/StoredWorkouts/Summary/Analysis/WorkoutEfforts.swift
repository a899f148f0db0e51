package import Analytics
package import SessionLog

/// The best effort over a distance or a time.
package struct BestEffort: Sendable, Equatable {
    package enum Measure: UInt8, Sendable, CaseIterable {
        /// The shortest time for a distance.
        case distance = 1
        /// The highest mean power over a time.
        case power
        /// The highest mean speed over a time.
        case speed
    }

    /// Efforts with the same key can be compared.
    package struct Key: Sendable, Hashable {
        /// A case name of `HKWorkoutActivityType`.
        package var activity: String
        package var measure: Measure
        /// Metres of a distance, seconds of a time.
        package var length: Double

        package init(_ activity: String, _ measure: Measure, _ length: Double) {
            self.activity = activity
            self.measure = measure
            self.length = length
        }
    }

    package var key: Key
    /// Seconds for a distance, watts, or metres per second.
    package var value: Double
    /// When it began, in seconds since the start of the workout. Nil for a mean over a time.
    package var startInSeconds: Double?

    package init(_ key: Key, _ value: Double, startInSeconds: Double? = nil) {
        self.key = key
        self.value = value
        self.startInSeconds = startInSeconds
    }

    /// Whether it is faster than any human, so that positions or counts must be wrong. The fastest measured are 12.4 m/s on a track
    /// (Usain Bolt, Berlin 2009) and 50 m of freestyle in 20.9 s.
    var isImpossible: Bool {
        guard let fastest = Self.fastestInMetersPerSecond[key.activity] else { return false }
        switch key.measure {
        case .power: return false
        case .speed: return value > fastest
        case .distance: return key.length > fastest * value
        }
    }

    private static let fastestInMetersPerSecond = ["running": 12.5, "walking": 12.5, "hiking": 12.5, "swimming": 2.5]

    package func isBetter(than other: BestEffort) -> Bool {
        key.measure == .distance ? value < other.value : value > other.value
    }
}

/// The best efforts of a workout, and its ascent and descent: computed from its log, for comparisons with other workouts.
package struct WorkoutEfforts: Sendable, Equatable {
    /// For each leg of a multisport workout, in its own sport.
    package var efforts: [BestEffort] = []
    /// Nil without altitudes.
    package var climb: AltitudeCourse.Climb?

    package init(efforts: [BestEffort] = [], climb: AltitudeCourse.Climb? = nil) {
        self.efforts = efforts
        self.climb = climb
    }

    /// Computes them with the folds ``DistanceAnalysis`` and ``WorkoutAnalysis``.
    package init(_ entries: some Sequence<SessionEntry>) {
        var fold = Fold()
        for entry in entries { fold.take(entry) }
        self = fold.efforts
    }

    fileprivate struct Fold {
        private var distance = DistanceAnalysis(for: .efforts)
        private var motion = LegMotion()

        mutating func take(_ entry: SessionEntry) {
            distance.take(entry)
            motion.take(entry)
        }

        var efforts: WorkoutEfforts {
            var all = WorkoutEfforts(climb: distance.climb)
            for leg in distance.legs {
                all.efforts += leg.efforts.map {
                    BestEffort(.init(leg.activity, .distance, $0.meters), $0.seconds, startInSeconds: $0.start)
                }
            }
            all.efforts += motion.efforts
            all.efforts.removeAll(where: \.isImpossible)
            return all
        }
    }

    /// Mean power and speed of each leg, which is analyzed separately.
    private struct LegMotion {
        var efforts: [BestEffort] = []
        private var activity = "other"
        private var analysis = WorkoutAnalysis(.init(), for: .efforts)
        private var isPaused = false

        mutating func take(_ entry: SessionEntry) {
            if case .quantity = entry.content { analysis.take(entry) } else { takeOther(entry) }
        }

        private mutating func takeOther(_ entry: SessionEntry) {
            switch entry.content {
            case .header(let header): activity = header.activity.activity
            case .activityBegan(let part):
                analysis.take(SessionEntry(entry.date, .state(.stopped)))
                close()
                activity = part.activity.activity
                analysis = WorkoutAnalysis(.init(), for: .efforts)
                analysis.take(SessionEntry(entry.date, .state(.running)))
                if isPaused { analysis.take(SessionEntry(entry.date, .state(.paused))) }
                return
            case .state(let phase): isPaused = phase == .paused
            case .position: return
            default: break
            }
            analysis.take(entry)
            if case .state(.stopped) = entry.content { close() }
        }

        private mutating func close() {
            // The speed in a transition is not a record.
            guard activity != "transition" else { return }
            for (measure, curve) in [(BestEffort.Measure.power, analysis.powers), (.speed, analysis.speeds)] {
                efforts += curve.efforts.filter { $0.mean > 0 }.map {
                    BestEffort(.init(activity, measure, Double($0.seconds)), $0.mean)
                }
            }
            analysis = WorkoutAnalysis(.init(), for: .efforts)
        }
    }
}

extension WorkoutEfforts {
    /// Computes those of a stored workout.
    package init(_ workout: HKWorkout, in database: any HealthDatabase) throws {
        let entries = try StoredWorkoutEntries(workout, in: database, only: Self.types, withRoutes: true)
        self.init(entries)
        if let failure = entries.failure { throw failure }
    }

    /// The types that it reads, beside the positions of the route.
    static let types: Set<HKSampleType> = Set(
        TypeCatalogue.quantityTypes.filter { type in
            let name = type.swiftName
            return name.hasPrefix("distance") || name.hasSuffix("Power") || name.hasSuffix("Speed")
        })

    fileprivate static let typeNames = Set(types.compactMap { ($0 as? HKQuantityType)?.swiftName })
}

/// The efforts of a recording that is being stored, without waiting for the store.
struct LoggedEfforts {
    private var fold = WorkoutEfforts.Fold()
    private var isRead = KindCache<Bool>()
    private var measures: Set<Substring> = []
    private var isPlain = true

    /// Nil for a recording that the store may order in another way: one with pauses, with several activities, with
    /// values that an app added, or with two sensors for one measure. Its efforts are computed from the store, so that
    /// they are the same each time.
    var efforts: WorkoutEfforts? { isPlain ? fold.efforts : nil }

    mutating func take(_ entry: SessionEntry) {
        guard isPlain else { return }
        if let reading = entry.numbers, let isRead = isRead[reading.kind] {
            if isRead { fold.take(entry) }
            return
        }
        takeOther(entry)
    }

    // A separate function, so that only such an entry is copied.
    @inline(never)
    private mutating func takeOther(_ entry: SessionEntry) {
        switch entry.content {
        case .quantity(let reading):
            guard WorkoutEfforts.typeNames.contains(reading.type) else { return isRead.note(false, of: reading.kind) }
            isPlain = reading.origin == nil && measures.insert(Self.measure(reading.type)).inserted
            isRead.note(true, of: reading.kind)
            fold.take(entry)
        case .beats, .waveform: break
        case .activityBegan, .state(.paused): isPlain = false
        default: fold.take(entry)
        }
    }

    /// The same for the types of one measure, such as the distances of several sports.
    private static func measure(_ type: String) -> Substring {
        type.hasPrefix("distance") ? "distance" : type.hasSuffix("Power") ? "power" : "speed"
    }
}
