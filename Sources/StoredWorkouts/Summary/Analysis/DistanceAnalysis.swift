package import Analytics
package import SessionLog

/// How far, how high and how hard along a workout: a pure fold over the entries of its log. Splits, climbs and best efforts by
/// distance are made of it.
///
/// Seconds are the clock's since the start. What sensors sent in a pause does not count, but the clock goes on.
package struct DistanceAnalysis: Sendable {
    /// Empty for ``Purpose/efforts``, as are those of the legs.
    package var distance: DistanceCourse { distanceOfLegs ?? legs.first?.distance ?? DistanceCourse() }
    /// Nil until there is a second leg.
    private var distanceOfLegs: DistanceCourse?
    package private(set) var altitude = AltitudeCourse()
    /// When it ended, in seconds since the start; nil while it goes on.
    package private(set) var endInSeconds: Double?

    /// The activities of a multisport workout, in order. A workout without any is one leg.
    package private(set) var legs: [Leg] = []

    /// What was covered in one activity, on the clock of the workout.
    package struct Leg: Sendable {
        /// A case name of `HKWorkoutActivityType`.
        package var activity: String
        package fileprivate(set) var distance = DistanceCourse()
        fileprivate var fastest: FastestStretches
        /// Some distance is that of minutes, or of the whole workout: nobody knows how fast its parts were.
        fileprivate(set) var isCoarse = false

        fileprivate init(activity: String) {
            self.activity = activity
            fastest = FastestStretches(ofMeters: DistanceCourse.comparedDistances(in: activity))
        }
    }

    /// What is asked of it.
    package enum Purpose: Sendable {
        /// Best efforts and the whole climb: memory does not grow with the workout.
        case efforts
        /// All figures.
        case figures
    }

    private let purpose: Purpose
    private var climbing = RunningClimb()
    private var heartRates: (seconds: PacedNumbers, values: [Double]) = (PacedNumbers(), [])
    private var pausing = SessionPauses()
    private var start: Date?
    /// A workout has one distance at a time; several kinds would be added up. Another one takes over when the first is silent.
    private var measured: (kind: ReadingKind, end: Double)?
    private static let silenceInSeconds = 5.0
    /// What readings of a kind are taken for; those that have to be converted, or looked at one by one, are not noted.
    private var figures = KindCache<Figure>()

    private enum Figure { case heartRate, distance, other }

    package init(for purpose: Purpose = .figures) {
        self.purpose = purpose
    }

    /// Metres up and down of the whole workout; nil without altitudes.
    package var climb: AltitudeCourse.Climb? { climbing.climb }

    /// What the log says next. Nothing counts behind the end.
    package mutating func take(_ entry: SessionEntry) {
        if let reading = entry.numbers, let figure = figures[reading.kind], take(reading, as: figure) { return }
        takeOther(entry)
    }

    /// Takes a reading that counts whole. False for any other, of which nothing was taken.
    private mutating func take(_ reading: ReadingNumbers, as figure: Figure) -> Bool {
        if figure == .other { return true }
        guard start != nil, endInSeconds == nil, reading.value.isFinite, reading.start <= reading.end,
            reading.isAdded || pausing.countsWhole(from: reading.start, to: reading.end)
        else { return false }
        let from = seconds(at: reading.start)
        if figure == .heartRate {
            noteHeartRate(reading.value, at: from)
            return true
        }
        guard let kind = measured?.kind, ObjectIdentifier(kind) == reading.kind else { return false }
        cover(reading.value, kind, from: from, to: seconds(at: reading.end))
        return true
    }

    // Apart, so that only such an entry is copied.
    @inline(never)
    private mutating func takeOther(_ entry: SessionEntry) {
        let share = pausing.take(entry)
        if endInSeconds != nil { return }
        switch (share, entry.content) {
        case (.nothing, _): break
        case (.parts(let readings), _): for reading in readings { take(reading) }
        case (.all, .quantity(let reading)): take(reading)
        case (.all, .position(let position)):
            if let altitude = position.altitudeInMeters, start != nil {
                climbing.add(altitude, at: seconds(at: entry.date))
                if purpose == .figures { self.altitude.add(altitude, at: seconds(at: entry.date)) }
            }
        case (.all, .header(let header)) where legs.isEmpty: legs = [Leg(activity: header.activity.activity)]
        case (.all, .activityBegan(let part)):
            // The first leg usually begins with the workout.
            if legs.last?.fastest.totalInMeters == 0 { legs.removeLast() }
            if !legs.isEmpty { distanceOfLegs = distance }
            legs.append(Leg(activity: part.activity.activity))
            // Its first readings may be of another kind at once.
            measured = nil
        case (.all, .state(.running)): start = start ?? entry.date
        case (.all, .state(.stopped)), (.all, .state(.ended)):
            if start != nil { endInSeconds = seconds(at: entry.date) }
        default: break
        }
    }

    private func seconds(at date: Date) -> Double { start.map { date.timeIntervalSince($0) } ?? 0 }

    private mutating func take(_ reading: QuantityReading) {
        if figures[reading.kind] == nil { note(reading.kind) }
        guard start != nil, reading.start <= reading.end else { return }
        let (from, to) = (seconds(at: reading.start), seconds(at: reading.end))
        if reading.isHeartRate {
            if let value = reading.value(in: "count/min") { noteHeartRate(value, at: from) }
        } else if reading.type.hasPrefix("distance") {
            if let measured, measured.kind.type != reading.type, from < measured.end + Self.silenceInSeconds { return }
            if let meters = reading.value(in: "m") { cover(meters, reading.kind, from: from, to: to) }
        }
    }

    private mutating func note(_ kind: ReadingKind) {
        if kind.isHeartRate {
            if kind.unit == "count/min" { figures.note(.heartRate, of: kind) }
        } else if kind.type.hasPrefix("distance") {
            if kind.unit == "m" { figures.note(.distance, of: kind) }
        } else {
            figures.note(.other, of: kind)
        }
    }

    private mutating func noteHeartRate(_ value: Double, at second: Double) {
        guard purpose == .figures, value > 0, second >= heartRates.seconds.last ?? 0 else { return }
        heartRates.seconds.append(second)
        heartRates.values.append(value)
    }

    private mutating func cover(_ meters: Double, _ kind: ReadingKind, from: Double, to: Double) {
        // What was covered by an instant was covered since the last reading.
        let length = to > from ? to - from : measured.map { activeSeconds(from: $0.end, to: to) } ?? 0
        measured = (kind, to)
        if legs.isEmpty { legs = [Leg(activity: "other")] }
        let leg = legs.count - 1
        legs[leg].fastest.add(meters, from: from, to: to)
        if length > SecondlySeries.longestReadingInSeconds { legs[leg].isCoarse = true }
        guard purpose == .figures else { return }
        distanceOfLegs?.add(meters, from: from, to: to)
        legs[leg].distance.add(meters, from: from, to: to)
    }

    // MARK: What it comes to

    /// Seconds between two moments without the pauses.
    package func activeSeconds(from begin: Double, to end: Double) -> Double {
        let pauses = pausing.all
        // A workout may have thousands, and this is asked of every reading of an instant.
        var next = pauses.partitioningIndex { $0.end.map { seconds(at: $0) > begin } ?? true }
        var active = end - begin
        while next < pauses.count, seconds(at: pauses[next].start) < end {
            let pauseEnd = pauses[next].end.map(seconds) ?? end
            active -= max(0, min(end, pauseEnd) - max(begin, seconds(at: pauses[next].start)))
            next += 1
        }
        return active
    }

    /// When so many seconds without pauses had passed, by the clock.
    package func seconds(atActiveSeconds active: Double) -> Double {
        pausing.all.reduce(active) { clock, pause in
            let start = seconds(at: pause.start)
            return start < clock ? clock + max(0, (pause.end.map(seconds) ?? start) - start) : clock
        }
    }

    /// Weighted by time; nil without a heart rate in between.
    package func averageHeartRate(from begin: Double, to end: Double) -> Double? {
        let first = heartRates.seconds.partitioningIndex { $0 >= begin }
        let last = heartRates.seconds.partitioningIndex { $0 >= end }
        guard first < last else { return nil }
        let seconds = Array(heartRates.seconds[first..<last])
        var statistics = RunningStatistics(.temporal)
        statistics.add(Array(heartRates.values[first..<last]), starts: seconds, ends: seconds, in: seconds.indices)
        return statistics.average
    }

    /// A kilometre, a mile or a hundred metres of a workout.
    package struct Split: Sendable, Equatable {
        package var number: Int
        package var stretch: DistanceSplit
        /// Without pauses.
        package var activeSeconds: Double
        package var averageHeartRate: Double?

        /// What the pace would have been on the level, in metres a second; nil without altitudes.
        package var gradeAdjustedSpeed: Double? {
            activeSeconds > 0 ? stretch.levelMeters.map { $0 / activeSeconds } : nil
        }
    }

    /// Kilometres, miles or hundreds of metres of a leg; empty without distances, and if they are those of minutes.
    package func splits(of leg: Leg, meters length: Double) -> [Split] {
        leg.isCoarse
            ? []
            : leg.distance.splits(ofMeters: length, altitude).enumerated().map { index, stretch in
                Split(
                    number: index + 1, stretch: stretch,
                    activeSeconds: activeSeconds(from: stretch.start, to: stretch.end),
                    averageHeartRate: averageHeartRate(from: stretch.start, to: stretch.end))
            }
    }
}

extension DistanceAnalysis.Leg {
    /// The fastest stretches of the lengths that athletes of the sport compare.
    package var efforts: [DistanceCourse.Effort] {
        isCoarse ? [] : fastest.efforts
    }
}

extension DistanceAnalysis {
    /// Of a stored workout.
    package init(_ workout: HKWorkout, in database: any HealthDatabase) throws {
        self.init()
        let entries = try StoredWorkoutEntries(workout, in: database, only: Self.types, withRoutes: true)
        for entry in entries { take(entry) }
        if let failure = entries.failure { throw failure }
    }

    /// What it is made of, with the positions of the route.
    private static let types: Set<HKSampleType> = Set(
        TypeCatalogue.quantityTypes.filter {
            $0 == HKQuantityType(.heartRate) || $0.swiftName.hasPrefix("distance")
        })
}

extension DistanceCourse {
    /// In metres; empty for a sport whose distances nobody compares.
    package static func comparedDistances(in activity: String) -> [Double] {
        switch activity {
        case "running", "walking", "hiking", "wheelchairRunPace", "wheelchairWalkPace": runningDistancesInMeters
        case "cycling", "handCycling": cyclingDistancesInMeters
        case "swimming": swimmingDistancesInMeters
        default: []
        }
    }
}
