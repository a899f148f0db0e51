/// Where on the body a heart-rate sensor sat. The value of `HKMetadataKeyHeartRateSensorLocation`.
public enum HKHeartRateSensorLocation: Int, Sendable {
    /// Somewhere else.
    case other = 0
    /// A strap around the chest.
    case chest = 1
    /// A watch or a wristband.
    case wrist = 2
    /// A clip on a finger.
    case finger = 3
    /// On the hand.
    case hand = 4
    /// A clip on an ear lobe.
    case earLobe = 5
    /// On the foot.
    case foot = 6
}
