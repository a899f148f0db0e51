extension HKHealthStore {
    func units(for types: Set<HKQuantityType>) throws -> [HKQuantityType: HKUnit] {
        try environment.requireReadable()
        let permissions = environment.permissions.current
        for type in types
        where permissions.mayRead(type) == nil && permissions.status(forSharing: type) == .notDetermined {
            throw HKError.make(
                .errorAuthorizationNotDetermined,
                "This app has not asked about \(type.identifier): call requestAuthorization first.")
        }
        preferences.begin { [weak self] in self?.postPreferencesChange() }
        let preferred = PreferredUnits(locale: .current, system: try environment.profile().units)
        return Dictionary(uniqueKeysWithValues: types.map { ($0, preferred.unit(for: $0)) })
    }

    private func postPreferencesChange() {
        NotificationCenter.default.post(name: .HKUserPreferencesDidChange, object: self)
    }
}

/// The units of health data in a region.
package struct PreferredUnits: Sendable {
    private let system: Locale.MeasurementSystem
    private let usesMilligrams: Bool

    package init(locale: Locale, system named: UnitSystemName? = nil) {
        system =
            switch named {
            case nil: locale.measurementSystem
            case .metric?: .metric
            case .us?: .us
            case .uk?: .uk
            }
        // Regions with blood glucose in mg/dL. Others use mmol/L.
        let region = locale.region?.identifier ?? ""
        usesMilligrams = Self.milligramRegions.contains(region)
    }

    private static let milligramRegions: Set<String> = [
        "US", "DE", "FR", "ES", "IT", "PT", "AT", "BE", "GR", "PL", "JP", "KR", "IN", "BR", "MX", "AR", "CL", "CO",
        "IL",
        "TR", "EG", "TH", "TW", "PH", "ID",
    ]

    package func unit(for type: HKQuantityType) -> HKUnit {
        let isAmerican = system == .us
        let isImperial = system != .metric
        switch HKQuantityTypeIdentifier(rawValue: type.identifier) {
        case .bodyMass, .leanBodyMass: return isAmerican ? .pound() : system == .uk ? .stone() : .gramUnit(with: .kilo)
        case .height: return isImperial ? .foot() : .meterUnit(with: .centi)
        case .waistCircumference: return isImperial ? .inch() : .meterUnit(with: .centi)
        case .bloodGlucose: return HKUnit(from: usesMilligrams ? "mg/dL" : "mmol<180.15588000005408>/L")
        case .distanceSwimming: return isAmerican ? .yard() : .meter()
        case .dietaryWater: return isAmerican ? .fluidOunceUS() : .literUnit(with: .milli)
        case .vo2Max: return HKUnit(from: "mL/kg*min")
        default: break
        }
        if type.is(compatibleWith: .meter()), type.identifier.contains("Distance") {
            return isImperial ? .mile() : .meterUnit(with: .kilo)
        }
        if type.is(compatibleWith: .degreeCelsius()) { return isAmerican ? .degreeFahrenheit() : .degreeCelsius() }
        if type.is(compatibleWith: .kilocalorie()) { return .kilocalorie() }
        return type.recordingUnit
    }
}
