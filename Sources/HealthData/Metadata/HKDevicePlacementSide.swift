/// On which side of the body a device was worn. The value of `HKMetadataKeyDevicePlacementSide`.
public enum HKDevicePlacementSide: Int, Sendable {
    /// Nobody says.
    case unknown = 0
    /// On the left side of the body.
    case left = 1
    /// On the right side of the body.
    case right = 2
    /// In the middle, such as on the chest.
    case central = 3
}
