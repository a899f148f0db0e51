import Units

/// A metric prefix of a unit, from femto (10⁻¹⁵) to tera (10¹²).
public enum HKMetricPrefix: Int, Sendable {
    /// The unit without a prefix.
    case none = 0
    /// 10⁻¹², written `p`.
    case pico = 1
    /// 10⁻⁹, written `n`.
    case nano = 2
    /// 10⁻⁶, written `mc`.
    case micro = 3
    /// 10⁻³, written `m`.
    case milli = 4
    /// 10⁻², written `c`.
    case centi = 5
    /// 10⁻¹, written `d`.
    case deci = 6
    /// 10, written `da`.
    case deca = 7
    /// 10², written `h`.
    case hecto = 8
    /// 10³, written `k`.
    case kilo = 9
    /// 10⁶, written `M`.
    case mega = 10
    /// 10⁹, written `G`.
    case giga = 11
    /// 10¹², written `T`.
    case tera = 12
    /// 10⁻¹⁵, written `f`.
    case femto = 13
}

extension HKMetricPrefix {
    var neutral: MetricPrefix { MetricPrefix(rawValue: rawValue) ?? .none }
}
