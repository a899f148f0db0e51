import Foundation

extension TableLayout.Cell {
    /// What a row of a long table tells: it names its type, and its unit where that is known.
    init(ofLongTable name: String, unit: String) {
        self = .skip
        // `HKQuantityTypeIdentifierHeartRate` goes without its beginning.
        let short = name.replacingOccurrences(of: "HKQuantityTypeIdentifier", with: "")
        guard let column = TableNames.meaning(of: name) ?? TableNames.meaning(of: short) else { return }
        var known = column.unit ?? .one
        if !unit.isEmpty {
            if let stated = TableUnit(unit, of: column.meaning) {
                known = stated
            } else if !TableUnit.isNeedless(of: column.meaning) {
                return
            }
        }
        switch column.meaning {
        case .quantity(let quantity): if quantity != .lap { self = .quantity(quantity, known) }
        case .pace: self = .pace(known)
        default: break
        }
    }
}
