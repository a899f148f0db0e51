/// What kind of water a swim or dive was in. The value of `HKMetadataKeyWaterSalinity`.
public enum HKWaterSalinity: Int, Sendable {
    case freshWater = 1
    case saltWater = 2
}
