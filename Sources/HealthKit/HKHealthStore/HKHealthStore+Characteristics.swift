import SessionLog

// Characteristics come from the profile of `workout profile`, or from an Apple Health export. Reading one that was
// never requested fails with code 5. One whose reading was denied looks as if it were not set.

extension HKHealthStore {
    func storedBiologicalSex() throws -> HKBiologicalSexObject {
        let sex: HKBiologicalSex? =
            switch try characteristic(.biologicalSex, \.sex) {
            case .female?: .female
            case .male?: .male
            case .other?: .other
            case nil: nil
            }
        return HKBiologicalSexObject(biologicalSex: sex ?? .notSet)
    }

    func storedBloodType() throws -> HKBloodTypeObject {
        let type: HKBloodType? =
            switch try characteristic(.bloodType, \.bloodType) {
            case .aPositive?: .aPositive
            case .aNegative?: .aNegative
            case .bPositive?: .bPositive
            case .bNegative?: .bNegative
            case .abPositive?: .abPositive
            case .abNegative?: .abNegative
            case .oPositive?: .oPositive
            case .oNegative?: .oNegative
            case nil: nil
            }
        return HKBloodTypeObject(bloodType: type ?? .notSet)
    }

    func storedDateOfBirth() throws -> DateComponents {
        guard let day = try characteristic(.dateOfBirth, \.dateOfBirth) else {
            throw HKError.make(
                .errorNoData, "The date of birth is unknown. Set it: workout profile --date-of-birth YYYY-MM-DD.")
        }
        return DateComponents(
            calendar: Calendar(identifier: .gregorian), era: 1, year: day.year, month: day.month, day: day.day)
    }

    func startOfDayOfBirth() throws -> Date {
        let components = try storedDateOfBirth()
        guard let date = components.date else {
            throw HKError.make(.errorNoData, "The date of birth is not a calendar day.")
        }
        return date
    }

    func storedSkinType() throws -> HKFitzpatrickSkinTypeObject {
        let type: HKFitzpatrickSkinType? =
            switch try characteristic(.fitzpatrickSkinType, \.skinType) {
            case .I?: .I
            case .II?: .II
            case .III?: .III
            case .IV?: .IV
            case .V?: .V
            case .VI?: .VI
            case nil: nil
            }
        return HKFitzpatrickSkinTypeObject(skinType: type ?? .notSet)
    }

    func storedWheelchairUse() throws -> HKWheelchairUseObject {
        let use = try characteristic(.wheelchairUse, \.wheelchairUse)
        return HKWheelchairUseObject(wheelchairUse: use.map { $0 ? .yes : .no } ?? .notSet)
    }

    func storedMoveMode() throws -> HKActivityMoveModeObject {
        let mode = try characteristic(.activityMoveMode, \.moveMode)
        return HKActivityMoveModeObject(activityMoveMode: mode == .appleMoveTime ? .appleMoveTime : .activeEnergy)
    }

    private func characteristic<Value>(
        _ identifier: HKCharacteristicTypeIdentifier, _ value: KeyPath<StoredProfile, Value?>
    ) throws -> Value? {
        try environment.requireReadable()
        switch environment.permissions.current.mayRead(HKCharacteristicType(identifier)) {
        case nil:
            throw HKError.make(
                .errorAuthorizationNotDetermined,
                "This app has not asked for permission to read \(identifier.rawValue): call requestAuthorization first."
            )
        case false?: return nil
        case true?: return try environment.profile()[keyPath: value]
        }
    }
}
