/// Estimate of the maximum oxygen uptake (VO2max) from the ratio of maximum to resting heart rate.
///
/// Sources: Uth, Sørensen, Overgaard & Pedersen, Eur J Appl Physiol 91:111–115, 2004 (well-trained men of 21–51 years,
/// factor 15.3, standard error 2.7 ml/kg/min with a measured maximum heart rate); Uth, Int J Sports Med 26:763–767,
/// 2005 (women, factor 14.5). It overestimates for the untrained.
public enum MaximumOxygenUptake {
    /// Returns the uptake in ml/(kg·min).
    ///
    /// - Returns: Nil unless `maximumHeartRate` is above `restingHeartRate` and both are positive.
    public static func estimate(maximumHeartRate: Double, restingHeartRate: Double, sex: Sex) -> Double? {
        guard restingHeartRate > 0, maximumHeartRate > restingHeartRate else { return nil }
        let factor =
            switch sex {
            case .male: 15.3
            case .female: 14.5
            }
        return factor * maximumHeartRate / restingHeartRate
    }
}
