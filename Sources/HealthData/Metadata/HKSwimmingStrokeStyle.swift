/// How a lap was swum. The value of `HKMetadataKeySwimmingStrokeStyle`.
public enum HKSwimmingStrokeStyle: Int, Sendable {
    /// The device could not tell.
    case unknown = 0
    /// Several styles in one lap.
    case mixed = 1
    /// Crawl.
    case freestyle = 2
    /// On the back.
    case backstroke = 3
    /// Frog kicks on the front.
    case breaststroke = 4
    /// Both arms at once, over the water.
    case butterfly = 5
    /// Legs only, the arms on a board.
    case kickboard = 6
}
