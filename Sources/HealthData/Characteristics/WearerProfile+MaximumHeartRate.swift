import Analytics
package import SessionLog

extension WearerProfile {
    /// The maximum heart rate: measured, or estimated from the age (Tanaka 2001).
    package var effectiveMaximumHeartRate: Double? {
        maximumHeartRate ?? ageInYears.map { MaximumHeartRate.tanaka.estimate(ageInYears: $0) }
    }
}
