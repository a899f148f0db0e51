/// On which side of the body a device was worn. The value of `HKMetadataKeyDevicePlacementSide`.
public enum HKDevicePlacementSide: Int, Sendable {
    case unknown = 0
    case left = 1
    case right = 2
    case central = 3
}
