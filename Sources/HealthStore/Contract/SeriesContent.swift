package import Recordings

/// What is inside a series sample.
package enum SeriesContent: Sendable {
    case heartbeats([StoredHeartbeat])
    case positions([(date: Date, position: PositionReading)])
    case quantities([StoredQuantity])
    /// Of an electrocardiogram, at its sampling frequency.
    case voltages(inMicrovolts: [Double])
}

package struct StoredHeartbeat: Sendable, Equatable, Codable {
    package var secondsSinceStart: Double
    package var precededByGap: Bool

    package init(secondsSinceStart: Double, precededByGap: Bool) {
        self.secondsSinceStart = secondsSinceStart
        self.precededByGap = precededByGap
    }
}

package struct StoredQuantity: Sendable {
    package var quantity: HKQuantity
    package var start: Date
    package var end: Date

    package init(quantity: HKQuantity, start: Date, end: Date) {
        self.quantity = quantity
        self.start = start
        self.end = end
    }
}
