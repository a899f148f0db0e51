/// The training load of a workout after Banister, Edwards and Lucia, side by side: they weigh differently, and people compare
/// with what they know.
///
/// Of a series of one heart rate a second over active time. What a formula needs and nobody said is the reason why it gives
/// no figure.
public struct HeartRateLoad: Sendable, Equatable {
    /// Nobody else's formula is used for a sex that it does not know.
    public let sex: Sex?
    public let restingHeartRate: Double?
    public let maximumHeartRate: Double?
    /// With a heart rate.
    public private(set) var seconds = 0
    private var impulse: BanisterTrainingImpulse?
    private var edwardsTime: TimeInZone?
    private var luciaTime: TimeInZone?

    /// - Parameter ventilatoryThresholds: The heart rates of the first and the second, as two zones.
    public init(
        sex: Sex?, restingHeartRate: Double?, maximumHeartRate: Double?, ventilatoryThresholds: HeartRateZones? = nil
    ) {
        self.sex = sex
        self.restingHeartRate = restingHeartRate
        self.maximumHeartRate = maximumHeartRate
        if let sex, let restingHeartRate, let maximumHeartRate {
            impulse = BanisterTrainingImpulse(
                sex: sex, restingHeartRate: restingHeartRate, maximumHeartRate: maximumHeartRate)
        }
        edwardsTime = maximumHeartRate.flatMap { HeartRateZones(maximumHeartRate: $0) }.map { TimeInZone(zones: $0) }
        luciaTime = ventilatoryThresholds.flatMap { $0.count == 2 ? TimeInZone(zones: $0) : nil }
    }

    public mutating func take(_ step: SecondlySeries.Step) {
        guard case .value(let heartRate, _) = step else { return }
        impulse?.add(minutes: 1.0 / 60, atHeartRate: heartRate)
        // Seconds with a value follow each other here: what lies between is no load.
        let (start, end) = (Duration.seconds(seconds), Duration.seconds(seconds + 1))
        edwardsTime?.measured(heartRate, at: start)
        edwardsTime?.advance(to: end)
        luciaTime?.measured(heartRate, at: start)
        luciaTime?.advance(to: end)
        seconds += 1
    }

    /// Training impulse, in arbitrary units.
    public var banister: Figure<Double> {
        figure(impulse?.total) {
            if maximumHeartRate == nil { return .notKnown(.maximumHeartRate) }
            return restingHeartRate == nil ? .notKnown(.restingHeartRate) : .notKnown(.sex)
        }
    }

    /// Minutes in each of five zones by percentage of the maximum, times the zone's number.
    public var edwards: Figure<Double> {
        figure(edwardsTime?.edwardsTrainingLoad) { .notKnown(.maximumHeartRate) }
    }

    /// Minutes below the first ventilatory threshold, two times those up to the second, three times those above.
    public var lucia: Figure<Double> {
        figure(luciaTime?.luciaTrainingLoad) { .notKnown(.ventilatoryThresholds) }
    }

    /// The fraction of the heart-rate reserve at which an even effort of the same time has the same training impulse.
    public var intensity: Figure<Double> {
        guard seconds > 0, let impulse else { return banister }
        let weight = impulse.total / (Double(seconds) / 60)
        // The weight rises with the fraction: half the range that is left, again and again.
        var (lower, upper) = (0.0, 1.0)
        for _ in 0..<40 {
            let middle = (lower + upper) / 2
            let isAbove = BanisterTrainingImpulse.weight(ofReserveFraction: middle, sex: impulse.sex) > weight
            if isAbove { upper = middle } else { lower = middle }
        }
        // Sums of thousands of seconds are no better than this.
        return .success((upper * 1e9).rounded() / 1e9)
    }

    /// From 1 to 10; see ``EstimatedEffort``.
    public var effort: Figure<Double> { intensity.map { EstimatedEffort.score(ofReserveFraction: $0) } }

    private func figure(_ value: Double?, _ reason: () -> MissingFigure) -> Figure<Double> {
        guard seconds > 0 else { return .failure(.notMeasured(.heartRate)) }
        return value.map(Figure.success) ?? .failure(reason())
    }
}
