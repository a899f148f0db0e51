package import Analytics
package import SessionLog

/// Distance, altitude and effort along a workout: a pure fold over the entries of its log. Splits, climbs and best efforts by
/// distance come from it.
///
/// Seconds count from the start, including pauses. Readings in a pause do not count.
package struct DistanceAnalysis: Sendable {
    /// Empty for ``Purpose/efforts``, also in the legs.
    package var distance: DistanceCourse { distanceOfLegs ?? legs.first?.distance ?? DistanceCourse() }
    /// Nil until there is a second leg.
    private var distanceOfLegs: DistanceCourse?
    package private(set) var altitude = AltitudeCourse()
    /// The end, in seconds since the start. Nil until then.
    package private(set) var endInSeconds: Double?

    /// The activities of a multisport workout, in order. A workout without activities is one leg.
    package private(set) var legs: [Leg] = []

    /// The distance of one activity, in the time of the workout.
    package struct Leg: Sendable {
        /// A case name of `HKWorkoutActivityType`.
        package var activity: String
        package fileprivate(set) var distance = DistanceCourse()
        fileprivate var fastest: FastestStretches
        /// The distance of readings that cover minutes or the whole workout, so that the speed of their parts is unknown.
        fileprivate var coarseInMeters = 0.0

        fileprivate init(activity: String) {
            self.activity = activity
            fastest = FastestStretches(ofMeters: DistanceCourse.comparedDistances(in: activity))
        }

        /// Whether so much is coarse that splits and best efforts would be guesses. A lost signal is not enough.
        fileprivate var isCoarse: Bool { coarseInMeters > fastest.totalInMeters / 10 }
    }

    /// What the analysis is for.
    package enum Purpose: Sendable {
        /// Best efforts and the whole climb. Memory does not grow with the workout.
        case efforts
        /// All figures.
        case figures
    }

    private let purpose: Purpose
    private var climbing = RunningClimb()
    private var heartRates: (seconds: PacedNumbers, values: [Double]) = (PacedNumbers(), [])
    private var pausing = SessionPauses()
    private var start: Date?
    /// The kind of distance that counts, because the sum of several would be too much. Another kind takes over if it is silent.
    private var measured: (kind: ReadingKind, end: Double)?
    private static let silenceInSeconds = 5.0
    /// The role of each kind of reading. Kinds that must be converted or checked one by one are not noted.
    private var figures = KindCache<Figure>()

    private enum Figure { case heartRate, distance, other }

    package init(for purpose: Purpose = .figures) {
        self.purpose = purpose
    }

    /// The ascent and descent of the whole workout. Nil without altitudes.
    package var climb: AltitudeCourse.Climb? { climbing.climb }

    /// Adds the next entry of the log. Nothing counts after the end.
    package mutating func take(_ entry: SessionEntry) {
        if let reading = entry.numbers, let figure = figures[reading.kind], take(reading, as: figure) { return }
        takeOther(entry)
    }

    /// Adds a reading that counts as a whole. Returns false for any other, and adds nothing.
    private mutating func take(_ reading: ReadingNumbers, as figure: Figure) -> Bool {
        if figure == .other { return true }
        guard start != nil, endInSeconds == nil, reading.value.isFinite, reading.start <= reading.end,
            pausing.countsWhole(from: reading.start, to: reading.end)
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

    // A separate function, so that only such an entry is copied.
    @inline(never)
    private mutating func takeOther(_ entry: SessionEntry) {
        let share = pausing.take(entry)
        if endInSeconds != nil { return }
        switch (share, entry.content) {
        case (.nothing, _): break
        case (.parts(let readings), _): for reading in readings { take(reading) }
        case (.all, .quantity(let reading)): take(reading)
        case (.all, .position(let position)):
            // A wrist under water measures the water, by a hundred metres up and down.
            if let altitude = position.altitudeInMeters, start != nil, legs.last?.activity != "swimming" {
                climbing.add(altitude, at: seconds(at: entry.date))
                if purpose == .figures { self.altitude.add(altitude, at: seconds(at: entry.date)) }
            }
        case (.all, .header(let header)) where legs.isEmpty: legs = [Leg(activity: header.activity.activity)]
        case (.all, .activityBegan(let part)):
            // The first leg usually starts with the workout.
            if legs.last?.fastest.totalInMeters == 0 { legs.removeLast() }
            if !legs.isEmpty { distanceOfLegs = distance }
            legs.append(Leg(activity: part.activity.activity))
            // The new leg may have another kind of distance from the start.
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
        // The distance of an instant was covered since the last reading.
        let length = to > from ? to - from : measured.map { activeSeconds(from: $0.end, to: to) } ?? 0
        measured = (kind, to)
        if legs.isEmpty { legs = [Leg(activity: "other")] }
        let leg = legs.count - 1
        legs[leg].fastest.add(meters, from: from, to: to)
        if length > SecondlySeries.longestReadingInSeconds { legs[leg].coarseInMeters += meters }
        guard purpose == .figures else { return }
        distanceOfLegs?.add(meters, from: from, to: to)
        legs[leg].distance.add(meters, from: from, to: to)
    }

    // MARK: Results

    /// The time in which the wearer moved, without pauses.
    package var movingSeconds: Double { distance.movingSeconds(activeSeconds) }

    /// Returns the seconds between two moments, without the pauses.
    package func activeSeconds(from begin: Double, to end: Double) -> Double {
        let pauses = pausing.all
        // A workout may have thousands of pauses, and this is called for every reading of an instant.
        var next = pauses.partitioningIndex { $0.end.map { seconds(at: $0) > begin } ?? true }
        var active = end - begin
        while next < pauses.count, seconds(at: pauses[next].start) < end {
            let pauseEnd = pauses[next].end.map(seconds) ?? end
            active -= max(0, min(end, pauseEnd) - max(begin, seconds(at: pauses[next].start)))
            next += 1
        }
        return active
    }

    /// Returns the moment at which this many seconds without pauses had passed.
    package func seconds(atActiveSeconds active: Double) -> Double {
        pausing.all.reduce(active) { clock, pause in
            let start = seconds(at: pause.start)
            return start < clock ? clock + max(0, (pause.end.map(seconds) ?? start) - start) : clock
        }
    }

    /// The mean heart rate, weighted by time without pauses. Nil without a heart rate in between.
    package func averageHeartRate(from begin: Double, to end: Double) -> Double? {
        let first = heartRates.seconds.partitioningIndex { $0 >= begin }
        let last = heartRates.seconds.partitioningIndex { $0 >= end }
        guard first < last else { return nil }
        let seconds = heartRates.seconds[first..<last].map { activeSeconds(from: begin, to: $0) }
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

        /// The equivalent speed on level ground, in metres per second. Nil without altitudes.
        package var gradeAdjustedSpeed: Double? {
            activeSeconds > 0 ? stretch.levelMeters.map { $0 / activeSeconds } : nil
        }
    }

    /// The splits of a leg: kilometres, miles or hundreds of metres. Empty without distances, and if
    /// readings of minutes cover more than a tenth of the distance.
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
    /// The fastest stretches of the lengths that are usual in the sport.
    package var efforts: [DistanceCourse.Effort] {
        isCoarse ? [] : fastest.efforts
    }
}

extension DistanceAnalysis {
    /// Analyzes a stored workout.
    package init(_ workout: HKWorkout, in database: any HealthDatabase) throws {
        self.init()
        let entries = try StoredWorkoutEntries(workout, in: database, only: Self.types, withRoutes: true)
        for entry in entries { take(entry) }
        if let failure = entries.failure { throw failure }
    }

    /// The types that it reads, beside the positions of the route.
    private static let types: Set<HKSampleType> = Set(
        TypeCatalogue.quantityTypes.filter {
            $0 == HKQuantityType(.heartRate) || $0.swiftName.hasPrefix("distance")
        })
}

extension DistanceCourse {
    /// The usual lengths in metres. Empty for a sport without any.
    package static func comparedDistances(in activity: String) -> [Double] {
        switch activity {
        case "running", "walking", "hiking", "wheelchairRunPace", "wheelchairWalkPace": runningDistancesInMeters
        case "cycling", "handCycling": cyclingDistancesInMeters
        case "swimming": swimmingDistancesInMeters
        default: []
        }
    }
}
