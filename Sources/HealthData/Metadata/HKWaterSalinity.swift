/// What kind of water a swim or dive was in. The value of `HKMetadataKeyWaterSalinity`.
public enum HKWaterSalinity: Int, Sendable {
    /// A lake, a river, a pool. Depths are computed for this density of water.
    case freshWater = 1
    /// The sea.
    case saltWater = 2
}
