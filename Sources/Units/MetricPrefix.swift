/// A metric prefix of a unit, with the numbers that HealthKit's have.
package enum MetricPrefix: Int, Sendable, CaseIterable {
    case none = 0
    case pico, nano, micro, milli, centi, deci, deca, hecto, kilo, mega, giga, tera, femto
}

extension MetricPrefix {
    /// The power of ten of the prefix.
    var decimalExponent: Int {
        switch self {
        case .none: 0
        case .femto: -15
        case .pico: -12
        case .nano: -9
        case .micro: -6
        case .milli: -3
        case .centi: -2
        case .deci: -1
        case .deca: 1
        case .hecto: 2
        case .kilo: 3
        case .mega: 6
        case .giga: 9
        case .tera: 12
        }
    }

    /// The prefix in unit strings. Micro is `mc`: neither `u` nor the Greek letter is accepted.
    var symbol: String {
        switch self {
        case .none: ""
        case .femto: "f"
        case .pico: "p"
        case .nano: "n"
        case .micro: "mc"
        case .milli: "m"
        case .centi: "c"
        case .deci: "d"
        case .deca: "da"
        case .hecto: "h"
        case .kilo: "k"
        case .mega: "M"
        case .giga: "G"
        case .tera: "T"
        }
    }
}
