package import SessionLog

extension HKQuantityType {
    /// Returns the unit with this string if it is one of the type's. Does not parse the unit that recordings use.
    package func unit(named text: String) -> HKUnit? {
        if text == recordingUnit.unitString { return recordingUnit }
        guard let unit = try? HKUnit.parse(text), `is`(compatibleWith: unit) else { return nil }
        return unit
    }

    package var averagingRule: AveragingRule {
        switch aggregationStyle {
        case .cumulative, .discreteArithmetic: .arithmetic
        case .discreteTemporallyWeighted: .temporal
        case .discreteEquivalentContinuousLevel: .continuousLevel
        @unknown default: .arithmetic
        }
    }
}
