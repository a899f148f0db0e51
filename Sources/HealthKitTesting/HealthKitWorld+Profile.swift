public import HealthKit
import Recordings

extension HealthKitWorld {
    /// What is known of the wearer: what apps read as characteristics, and what zones and energy are computed from. What is nil is
    /// not known.
    ///
    /// Counts for sensors that measure now (``Sensors/script``); a recording is of whom it names.
    public struct Profile: Sendable, Equatable {
        /// As the app reads it; energy from heart rate is estimated with it.
        public var biologicalSex: HKBiologicalSex?
        /// Year, month and day of the Gregorian calendar.
        public var dateOfBirth: DateComponents?
        /// The latest body mass.
        public var massInKilograms: Double?
        /// The latest height.
        public var heightInMeters: Double?
        /// Beats a minute, as the maximum.
        public var restingHeartRate: Double?
        /// Beats a minute; the heart-rate zones are counted from it.
        public var maximumHeartRate: Double?
        /// Millilitres per kilogram and minute.
        public var vo2Max: Double?

        /// Somebody of whom nothing is known but what is said.
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

    /// Who wears the sensors of sessions that begin from now on; nil: whom the store knows.
    public func setProfile(_ profile: Profile?) { lifetime.change { $0.configuredProfile = profile?.stored } }
}
