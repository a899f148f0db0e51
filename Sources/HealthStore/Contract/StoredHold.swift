/// Consecutive values of one device, and the latest date until which the last one is held.
package struct StoredHold: Sendable, Equatable {
    package var device: HKDevice?
    /// From the first start to the last end.
    package var dates: ClosedRange<Date>
    /// When the sensor went away, a pause or an activity began, or the workout ended. Nil if unknown.
    package var end: Date?
}
