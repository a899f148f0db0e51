import Analytics

/// Where the heart rate is to be: a zone of the wearer's, or a range in beats a minute.
enum HeartRateTarget: Sendable, Equatable {
    case zone(Int)
    case range(ClosedRange<Int>)

    /// `zone2`, `140-155`.
    init?(_ text: String) {
        let text = text.lowercased()
        if let match = text.wholeMatch(of: #/(?:zone|z) ?([1-9])/#), let zone = Int(match.1) {
            self = .zone(zone)
        } else if let match = text.wholeMatch(of: #/([0-9]{2,3})[-–]([0-9]{2,3})/#), let low = Int(match.1),
            let high = Int(match.2), low < high, (20...300).contains(low), high <= 300
        {
            self = .range(low...high)
        } else {
            return nil
        }
    }

    /// In beats a minute; nil for a zone where there is none of that number.
    func bounds(_ zones: HeartRateZones?) -> Range<Double>? {
        switch self {
        case .zone(let number):
            guard let zones, number <= zones.count else { return nil }
            return zones.bounds(ofZone: number)
        // As it is shown: in whole beats.
        case .range(let range): return Double(range.lowerBound) - 0.5..<Double(range.upperBound) + 0.5
        }
    }
}

/// How a heart rate stands to its target.
struct TargetPosition: Sendable, Equatable {
    enum Side: Sendable, Equatable { case below, inside, above }

    /// In beats a minute; the upper one may be infinite.
    var bounds: Range<Double>
    /// Nil without a heart rate.
    var side: Side?

    init(_ bounds: Range<Double>, _ heartRate: Double?) {
        self.bounds = bounds
        side = heartRate.map { $0 < bounds.lowerBound ? .below : $0 < bounds.upperBound ? .inside : .above }
    }

    /// `140–155`, `from 171`.
    var text: String {
        let low = MetricFormat.fixed(bounds.lowerBound.rounded(.up), 0)
        guard bounds.upperBound.isFinite else { return "from \(low)" }
        return low + "-" + MetricFormat.fixed(bounds.upperBound.rounded(.up) - 1, 0)
    }
}

/// When to tell that the heart rate has left its target, and that it is back. Pure: a state machine with the time as a parameter.
struct TargetWatch: Sendable {
    /// So long it has to be outside: one beat is no pulse.
    static let patienceInSeconds = 5.0
    /// Told again after so long.
    static let repeatInSeconds = 60.0

    enum Notice: Sendable, Equatable { case tooLow, tooHigh, back }

    private var side = TargetPosition.Side.inside
    private var since = 0.0
    private var toldAt: Double?

    /// What is to be told now, at so many seconds; mostly nothing. Without a heart rate, nothing is known.
    mutating func take(_ standing: TargetPosition, at seconds: Double) -> Notice? {
        guard let now = standing.side else { return nil }
        if now != side {
            // From one side to the other is a new departure.
            if now != .inside, side != .inside { toldAt = nil }
            side = now
            since = seconds
        }
        if now == .inside {
            defer { toldAt = nil }
            return toldAt == nil ? nil : .back
        }
        guard seconds - since >= Self.patienceInSeconds else { return nil }
        if let toldAt, seconds - toldAt < Self.repeatInSeconds { return nil }
        toldAt = seconds
        return now == .below ? .tooLow : .tooHigh
    }
}
