package import Analytics
package import SessionLog

/// The wearer's profile: the characteristics that apps ask for, and the inputs for zones and energy.
///
/// It is one setting of the store, set with `workout profile`. An Apple Health export fills in missing entries. The `profile`
/// of `config.json` has the same form, and its entries win.
package struct StoredProfile: Sendable, Equatable {
    package var sex: WearerProfile.Sex?
    package var dateOfBirth: CivilDay?
    package var bloodType: BloodTypeName?
    package var skinType: SkinTypeName?
    package var wheelchairUse: Bool?
    package var moveMode: MoveModeName?
    package var massInKilograms: Double?
    package var heightInMeters: Double?
    /// In beats per minute.
    package var restingHeartRate: Double?
    package var maximumHeartRate: Double?
    /// In millilitres per kilogram and minute.
    package var vo2Max: Double?
    /// The wearer's own zones, in order. Empty for the usual ones.
    package var heartRateZones: [DatedZones] = []
    /// Zones of power and pace, in order.
    package var powerZones: [DatedMotionZones] = []
    package var paceZones: [DatedMotionZones] = []
    /// The power that can be held for about an hour.
    package var thresholdPowerInWatts: Double?
    package var thresholdSpeedInMetersPerSecond: Double?
    /// The heart rates of the first and the second ventilatory threshold, in beats per minute.
    package var ventilatoryThresholds: [Double]?
    /// The units for values. Nil for those of the locale.
    package var units: UnitSystemName?

    package init() {}

    // The accepted values, also of `workout profile`.
    package static let massesInKilograms = 1.0...700
    package static let heightsInMeters = 0.2...3
    package static let restingHeartRates = 20.0...150
    package static let maximumHeartRates = 60.0...260
    package static let vo2Maxima = 5.0...120
    package static let thresholdPowersInWatts = 20.0...800

    /// Two rising heart rates.
    package static func areThresholds(_ values: [Double]) -> Bool {
        values.count == 2 && HeartRateZoneDefinition(.beatsPerMinute, lowerBounds: values) != nil
    }

    /// Returns the profile with the entries of `other`.
    package func overridden(by other: StoredProfile?) -> StoredProfile {
        guard let other else { return self }
        var result = self
        result.sex = other.sex ?? sex
        result.dateOfBirth = other.dateOfBirth ?? dateOfBirth
        result.bloodType = other.bloodType ?? bloodType
        result.skinType = other.skinType ?? skinType
        result.wheelchairUse = other.wheelchairUse ?? wheelchairUse
        result.moveMode = other.moveMode ?? moveMode
        result.massInKilograms = other.massInKilograms ?? massInKilograms
        result.heightInMeters = other.heightInMeters ?? heightInMeters
        result.restingHeartRate = other.restingHeartRate ?? restingHeartRate
        result.maximumHeartRate = other.maximumHeartRate ?? maximumHeartRate
        result.vo2Max = other.vo2Max ?? vo2Max
        if !other.heartRateZones.isEmpty { result.heartRateZones = other.heartRateZones }
        if !other.powerZones.isEmpty { result.powerZones = other.powerZones }
        if !other.paceZones.isEmpty { result.paceZones = other.paceZones }
        result.thresholdSpeedInMetersPerSecond =
            other.thresholdSpeedInMetersPerSecond ?? thresholdSpeedInMetersPerSecond
        result.thresholdPowerInWatts = other.thresholdPowerInWatts ?? thresholdPowerInWatts
        result.ventilatoryThresholds = other.ventilatoryThresholds ?? ventilatoryThresholds
        result.units = other.units ?? units
        return result
    }

    /// In watts or metres per second. Nil for a percentage of an unknown threshold.
    package func lowerBounds(of zones: MotionZoneDefinition) -> [Double]? {
        zones.lowerBounds(
            thresholdPowerInWatts: thresholdPowerInWatts,
            thresholdSpeedInMetersPerSecond: thresholdSpeedInMetersPerSecond)
    }

    /// The values for computations in sessions, with the age and zones at the date. Nil if all are unknown.
    package func wearer(at date: Date) -> WearerProfile? {
        var wearer = WearerProfile(
            sex: sex, ageInYears: dateOfBirth?.years(to: date), massInKilograms: massInKilograms,
            restingHeartRate: restingHeartRate, maximumHeartRate: maximumHeartRate, vo2Max: vo2Max)
        if let own = heartRateZones.zones(on: CivilDay(date, in: .current)) {
            // If zones cannot be computed there are none, because the usual ones would look like the wearer's own.
            wearer.heartRateZoneLowerBounds =
                own.zones(
                    maximumHeartRate: wearer.effectiveMaximumHeartRate, restingHeartRate: restingHeartRate)?
                .lowerBounds ?? []
        }
        return wearer == WearerProfile() ? nil : wearer
    }
}

/// The case names of `HKBloodType`.
package enum BloodTypeName: String, Sendable, CaseIterable {
    case aPositive, aNegative, bPositive, bNegative, abPositive, abNegative, oPositive, oNegative

    /// Also accepts the form of an export, with two capitals: `ABPositive`.
    package init?(_ text: String) {
        let name = BloodTypeName.allCases.first { $0.rawValue.lowercased() == text.lowercased() }
        guard let name else { return nil }
        self = name
    }
}

/// The case names of `HKFitzpatrickSkinType`.
package enum SkinTypeName: String, Sendable, CaseIterable { case I, II, III, IV, V, VI }

/// The case names of `HKActivityMoveMode`.
package enum MoveModeName: String, Sendable, CaseIterable { case activeEnergy, appleMoveTime }

/// The systems of units of Foundation.
package enum UnitSystemName: String, Sendable, CaseIterable { case metric, us, uk }

extension StoredProfile: Codable {
    private enum Key: String, CodingKey {
        case sex, dateOfBirth, bloodType, fitzpatrickSkinType, wheelchairUse, activityMoveMode, massInKilograms
        case heightInMeters, restingHeartRate, maximumHeartRate, vo2Max, units, heartRateZones, thresholdPowerInWatts
        case ventilatoryThresholds, powerZones, paceZones, thresholdSpeedInMetersPerSecond
    }

    /// Throws for a value that is not allowed, with the name of its entry.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func word<Value>(_ key: Key, _ make: (String) -> Value?) throws -> Value? {
            guard let text = try values.decodeIfPresent(String.self, forKey: key) else { return nil }
            guard let value = make(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: values, debugDescription: "\"\(text)\" cannot be the \(key.rawValue) of a profile."
                )
            }
            return value
        }
        sex = try word(.sex) { WearerProfile.Sex(rawValue: $0) }
        dateOfBirth = try word(.dateOfBirth) { CivilDay(stated: $0) }
        bloodType = try word(.bloodType) { BloodTypeName($0) }
        skinType = try word(.fitzpatrickSkinType) { SkinTypeName(rawValue: $0) }
        moveMode = try word(.activityMoveMode) { MoveModeName(rawValue: $0) }
        units = try word(.units) { UnitSystemName(rawValue: $0) }
        wheelchairUse = try values.decodeIfPresent(Bool.self, forKey: .wheelchairUse)
        func number(_ key: Key, _ range: ClosedRange<Double>) throws -> Double? {
            guard let number = try values.decodeIfPresent(Double.self, forKey: key) else { return nil }
            guard range.contains(number) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: values,
                    debugDescription:
                        "\(number) is not between \(range.lowerBound.formatted()) and \(range.upperBound.formatted())")
            }
            return number
        }
        massInKilograms = try number(.massInKilograms, Self.massesInKilograms)
        heightInMeters = try number(.heightInMeters, Self.heightsInMeters)
        restingHeartRate = try number(.restingHeartRate, Self.restingHeartRates)
        maximumHeartRate = try number(.maximumHeartRate, Self.maximumHeartRates)
        vo2Max = try number(.vo2Max, Self.vo2Maxima)
        heartRateZones = try values.decodeIfPresent([DatedZones].self, forKey: .heartRateZones) ?? []
        thresholdPowerInWatts = try number(.thresholdPowerInWatts, Self.thresholdPowersInWatts)
        func zones(_ key: Key, _ measure: MotionZoneDefinition.Measure) throws -> [DatedMotionZones] {
            let all = try values.decodeIfPresent([DatedMotionZones].self, forKey: key) ?? []
            guard all.allSatisfy({ $0.zones.measure == measure }) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: values, debugDescription: "these are zones of something else")
            }
            return all
        }
        powerZones = try zones(.powerZones, .power)
        paceZones = try zones(.paceZones, .speed)
        thresholdSpeedInMetersPerSecond = try number(.thresholdSpeedInMetersPerSecond, MotionZoneDefinition.speeds)
        ventilatoryThresholds = try values.decodeIfPresent([Double].self, forKey: .ventilatoryThresholds)
        if let ventilatoryThresholds, !Self.areThresholds(ventilatoryThresholds) {
            throw DecodingError.dataCorruptedError(
                forKey: .ventilatoryThresholds, in: values, debugDescription: "these are not two rising heart rates")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(sex?.rawValue, forKey: .sex)
        try values.encodeIfPresent(dateOfBirth?.description, forKey: .dateOfBirth)
        try values.encodeIfPresent(bloodType?.rawValue, forKey: .bloodType)
        try values.encodeIfPresent(skinType?.rawValue, forKey: .fitzpatrickSkinType)
        try values.encodeIfPresent(moveMode?.rawValue, forKey: .activityMoveMode)
        try values.encodeIfPresent(wheelchairUse, forKey: .wheelchairUse)
        try values.encodeIfPresent(massInKilograms, forKey: .massInKilograms)
        try values.encodeIfPresent(heightInMeters, forKey: .heightInMeters)
        try values.encodeIfPresent(restingHeartRate, forKey: .restingHeartRate)
        try values.encodeIfPresent(maximumHeartRate, forKey: .maximumHeartRate)
        try values.encodeIfPresent(vo2Max, forKey: .vo2Max)
        if !heartRateZones.isEmpty { try values.encode(heartRateZones, forKey: .heartRateZones) }
        if !powerZones.isEmpty { try values.encode(powerZones, forKey: .powerZones) }
        if !paceZones.isEmpty { try values.encode(paceZones, forKey: .paceZones) }
        try values.encodeIfPresent(thresholdSpeedInMetersPerSecond, forKey: .thresholdSpeedInMetersPerSecond)
        try values.encodeIfPresent(thresholdPowerInWatts, forKey: .thresholdPowerInWatts)
        try values.encodeIfPresent(ventilatoryThresholds, forKey: .ventilatoryThresholds)
        try values.encodeIfPresent(units?.rawValue, forKey: .units)
    }
}

extension HealthDatabase {
    /// Empty if nothing was set.
    package func storedProfile() throws -> StoredProfile {
        guard let data = try setting("profile") else { return StoredProfile() }
        do {
            return try JSONDecoder().decode(StoredProfile.self, from: data)
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "The profile in the health store cannot be read. Clear it: workout profile --reset",
                cause: error)
        }
    }

    package func store(_ profile: StoredProfile) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try setSetting("profile", profile == StoredProfile() ? nil : encoder.encode(profile))
    }
}
