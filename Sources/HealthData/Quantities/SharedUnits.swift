import Synchronization
import Units

/// The shared units: the same unit is the same object, so most comparisons end at the address.
///
/// Unit strings come from files, so the number of units kept permanently is limited. Units beyond the limit are shared
/// as long as somebody holds them.
enum SharedUnits {
    private static let capacity = 4096
    private static let longestKeptString = 128

    private struct Reference {
        weak var unit: HKUnit?
    }

    private struct Kept {
        private var products: [UnitProduct: Reference] = [:]
        private var retained: [HKUnit] = []
        private var sizeOfNextSweep = 2 * capacity
        var strings: [String: HKUnit] = [:]

        mutating func unit(_ product: UnitProduct) -> HKUnit {
            if let unit = products[product]?.unit { return unit }
            let unit = HKUnit(product: product)
            products[product] = Reference(unit: unit)
            if retained.count < capacity { retained.append(unit) }
            if products.count >= sizeOfNextSweep {
                products = products.filter { $0.value.unit != nil }
                sizeOfNextSweep = 2 * max(products.count, capacity)
            }
            return unit
        }
    }

    private static let kept = Mutex(Kept())

    /// The units by name and prefix, in the order of their raw values. Without moles, whose molar masses vary.
    private static let simple: [[HKUnit]] = BaseUnit.table.map { facts in
        if facts.unit == .mole { return [] }
        let prefixes = facts.takesPrefix ? MetricPrefix.allCases : [.none]
        return prefixes.map { HKUnit(product: UnitProduct([UnitFactor(unit: facts.unit, prefix: $0)])) }
    }

    static func unit(_ unit: BaseUnit, _ prefix: HKMetricPrefix = .none) -> HKUnit {
        simple[Int(unit.rawValue)][prefix.rawValue]
    }

    static func unit(_ product: UnitProduct) -> HKUnit {
        if product.factors.count == 1, let factor = product.factors.first, factor.power == 1, factor.unit != .mole {
            return simple[Int(factor.unit.rawValue)][factor.prefix.rawValue]
        }
        return kept.withLock { $0.unit(product) }
    }

    static func unit(_ string: String) throws(UnitError) -> HKUnit {
        if let unit = kept.withLock({ $0.strings[string] }) { return unit }
        let unit = unit(try UnitParser.parse(string))
        if string.utf8.count <= longestKeptString {
            kept.withLock { kept in
                if kept.strings.count < capacity { kept.strings[string] = unit }
            }
        }
        return unit
    }
}
