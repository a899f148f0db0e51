/// Zones of power or pace as a person defines them.
///
/// They are written as lower bounds and their unit: `100,150,200W`, `55,75,90,105%ftp` of the threshold power;
/// `6:30,5:45,5:10/km`, `10:30,9:15/mi`, `2:10,1:55/100m`, `78,88,100%pace` of the speed at the threshold pace. The
/// easiest zone comes first: paces decrease, while percentages increase because they refer to the speed.
public struct MotionZoneDefinition: Sendable, Equatable, CustomStringConvertible {
    public enum Measure: Sendable { case power, speed }

    public enum Scale: String, Sendable, CaseIterable {
        case watts = "w"
        case percentOfThresholdPower = "%ftp"
        case perKilometer = "/km"
        case perMile = "/mi"
        case perHundredMeters = "/100m"
        case percentOfThresholdSpeed = "%pace"

        public var measure: Measure { self == .watts || self == .percentOfThresholdPower ? .power : .speed }

        /// The distance of a pace. Nil for other scales.
        fileprivate var meters: Double? {
            switch self {
            case .perKilometer: 1000
            case .perMile: 1609.344
            case .perHundredMeters: 100
            case .watts, .percentOfThresholdPower, .percentOfThresholdSpeed: nil
            }
        }
    }

    public let scale: Scale
    /// The bounds in watts, percent or metres per second, strictly increasing.
    private let bounds: [Double]

    public static let counts = 1...9
    public var measure: Measure { scale.measure }

    /// - Returns: Nil if the text does not define zones: one to nine bounds of increasing effort, of 1 to 3000 W, 1 to
    ///   300 percent or 0.1 to 40 m/s.
    public init?(_ text: String) {
        let text = text.lowercased().filter { $0 != " " }
        guard let scale = Scale.allCases.first(where: { text.hasSuffix($0.rawValue) }) else { return nil }
        let edges = text.dropLast(scale.rawValue.count).split(separator: ",", omittingEmptySubsequences: false)
        let bounds: [Double] = edges.compactMap { edge in
            guard let meters = scale.meters else { return Double(edge) }
            return Self.seconds(edge).map { meters / $0 }
        }
        let possible: ClosedRange<Double> =
            switch scale {
            case .watts: 1...3000
            case .percentOfThresholdPower, .percentOfThresholdSpeed: 1...300
            case .perKilometer, .perMile, .perHundredMeters: Self.speeds
            }
        guard bounds.count == edges.count, Self.counts.contains(bounds.count), bounds.allSatisfy(possible.contains),
            zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        self.scale = scale
        self.bounds = bounds
    }

    public var description: String {
        let edges = bounds.map { bound -> String in
            if let meters = scale.meters { return Self.clock(meters / bound) }
            return bound == bound.rounded() ? String(Int(bound)) : String(bound)
        }
        return edges.joined(separator: ",") + (scale == .watts ? "W" : scale.rawValue)
    }

    /// Returns the lower bounds in watts or metres per second for these thresholds. Nil if the one that the scale needs
    /// is unknown.
    public func lowerBounds(thresholdPowerInWatts: Double?, thresholdSpeedInMetersPerSecond: Double?) -> [Double]? {
        switch scale {
        case .watts, .perKilometer, .perMile, .perHundredMeters: bounds
        case .percentOfThresholdPower: thresholdPowerInWatts.map { power in bounds.map { $0 / 100 * power } }
        case .percentOfThresholdSpeed: thresholdSpeedInMetersPerSecond.map { speed in bounds.map { $0 / 100 * speed } }
        }
    }

    // MARK: Paces

    /// The possible speeds in metres per second.
    public static let speeds = 0.1...40.0

    /// Returns the speed in metres per second for `4:30/km` and the like. Nil if the text is not a pace.
    public static func speed(ofPace text: String) -> Double? {
        guard let one = MotionZoneDefinition(text), one.scale.meters != nil, one.bounds.count == 1 else { return nil }
        return one.bounds[0]
    }

    /// Reads `5:10`, or seconds alone.
    private static func seconds(_ text: some StringProtocol) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let last = parts.last.flatMap({ Double($0) }), last >= 0 else {
            return nil
        }
        guard parts.count == 2 else { return last > 0 ? last : nil }
        guard let minutes = Int(parts[0]), (0...120).contains(minutes), last < 60 else { return nil }
        let seconds = Double(minutes) * 60 + last
        return seconds > 0 ? seconds : nil
    }

    /// Returns the clock text, with thousandths if there are any.
    private static func clock(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let (minutes, rest) = (thousandths / 60_000, thousandths % 60_000)
        let (whole, fraction) = (rest / 1000, rest % 1000)
        let text = "\(minutes):\(whole < 10 ? "0" : "")\(whole)"
        guard fraction > 0 else { return text }
        var digits = String(fraction + 1000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(text).\(digits)"
    }
}
