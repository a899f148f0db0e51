public import HealthKit
import SessionLog

extension HealthKitWorld {
    /// The profile of the wearer: characteristics that apps read, and the basis of zones and energy. Nil means unknown.
    ///
    /// It applies to ``Sensors/script``; a recording has its own athlete.
    public struct Profile: Sendable, Equatable {
        /// The biological sex. Energy estimates use it.
        public var biologicalSex: HKBiologicalSex?
        /// The date of birth: year, month and day of the Gregorian calendar.
        public var dateOfBirth: DateComponents?
        /// The latest body mass.
        public var massInKilograms: Double?
        /// The latest height.
        public var heightInMeters: Double?
        /// The resting heart rate in bpm.
        public var restingHeartRate: Double?
        /// The maximum heart rate in bpm, on which the heart-rate zones are based.
        public var maximumHeartRate: Double?
        /// VO2 max in millilitres per kilogram and minute.
        public var vo2Max: Double?

        /// A profile with the given values. All others are unknown.
        public init(
            biologicalSex: HKBiologicalSex? = nil, dateOfBirth: DateComponents? = nil, massInKilograms: Double? = nil,
            heightInMeters: Double? = nil, restingHeartRate: Double? = nil, maximumHeartRate: Double? = nil,
            vo2Max: Double? = nil
        ) {
            self.biologicalSex = biologicalSex
            self.dateOfBirth = dateOfBirth
            self.massInKilograms = massInKilograms
            self.heightInMeters = heightInMeters
            self.restingHeartRate = restingHeartRate
            self.maximumHeartRate = maximumHeartRate
            self.vo2Max = vo2Max
        }

        var stored: StoredProfile {
            var profile = StoredProfile()
            switch biologicalSex {
            case .female: profile.sex = .female
            case .male: profile.sex = .male
            case .other: profile.sex = .other
            default: break
            }
            if let year = dateOfBirth?.year, let month = dateOfBirth?.month, let day = dateOfBirth?.day {
                profile.dateOfBirth = CivilDay(stated: year, month, day)
            }
            profile.massInKilograms = massInKilograms
            profile.heightInMeters = heightInMeters
            profile.restingHeartRate = restingHeartRate
            profile.maximumHeartRate = maximumHeartRate
            profile.vo2Max = vo2Max
            return profile
        }
    }

    /// Sets the wearer of later sessions. Nil for the store's profile.
    public func setProfile(_ profile: Profile?) { lifetime.change { $0.configuredProfile = profile?.stored } }
}
