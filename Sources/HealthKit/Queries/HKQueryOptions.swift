/// The ends of a sample that must lie in the interval of ``HKQuery/predicateForSamples(withStart:end:options:)``.
public struct HKQueryOptions: OptionSet, Sendable {
    /// The options as bits. 0 matches samples that overlap the interval.
    public let rawValue: UInt

    /// Creates options from bits. Unknown bits are ignored.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The sample starts in the interval.
    public static let strictStartDate = HKQueryOptions(rawValue: 1 << 0)
    /// The sample ends in the interval.
    public static let strictEndDate = HKQueryOptions(rawValue: 1 << 1)
}
