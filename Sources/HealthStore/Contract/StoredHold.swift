/// Values of one device, one after the other, and until when the last of them is held at the longest.
package struct StoredHold: Sendable, Equatable {
    package var device: HKDevice?
    /// From the first start to the last end.
    package var dates: ClosedRange<Date>
    /// When the sensor went away, a pause or a part of the workout began, or it ended; nil where that is not known.
    package var end: Date?
}
