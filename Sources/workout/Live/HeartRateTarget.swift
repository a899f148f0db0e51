import Analytics
import Reports

/// The target for the heart rate: a zone of the wearer's, or a range in beats per minute.
enum HeartRateTarget: Sendable, Equatable {
    case zone(Int)
    case range(ClosedRange<Int>)

    /// Parses `zone2` or `140-155`.
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

    /// Returns the bounds in beats per minute. Returns nil for a zone that the wearer does not have.
    func bounds(_ zones: HeartRateZones?) -> Range<Double>? {
        switch self {
        case .zone(let number):
            guard let zones, number <= zones.count else { return nil }
            return zones.bounds(ofZone: number)
        // The display rounds to whole beats.
        case .range(let range): return Double(range.lowerBound) - 0.5..<Double(range.upperBound) + 0.5
        }
    }
}

/// The position of a heart rate relative to its target.
struct TargetPosition: Sendable, Equatable {
    enum Side: Sendable, Equatable { case below, inside, above }

    /// The bounds in beats per minute. The upper one may be infinite.
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
        guard bounds.upperBound.isFinite else { return localized("from %1", low) }
        return low + "-" + MetricFormat.fixed(bounds.upperBound.rounded(.up) - 1, 0)
    }
}

/// Decides when to report that the heart rate has left its target, and that it is back. Pure: a state machine with the
/// time as a parameter.
struct TargetWatch: Sendable {
    /// How long the heart rate has to be outside, since one beat is no trend.
    static let patienceInSeconds = 5.0
    /// The time between repeated notices.
    static let repeatInSeconds = 60.0

    enum Notice: Sendable, Equatable { case tooLow, tooHigh, back }

    private var side = TargetPosition.Side.inside
    private var since = 0.0
    private var toldAt: Double?

    /// Returns the notice due at that time in seconds, usually none. There is none without a heart rate.
    mutating func take(_ position: TargetPosition, at seconds: Double) -> Notice? {
        guard let now = position.side else { return nil }
        if now != side {
            // A change from one side to the other counts as leaving again.
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
