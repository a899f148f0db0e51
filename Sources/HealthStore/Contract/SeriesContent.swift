package import SessionLog

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

extension [StoredHeartbeat] {
    /// The RR intervals, stretch by stretch: between two of them is a gap. Starts are in seconds since that of the series.
    ///
    /// Intervals are differences of moments: what a `Double` loses in taking them is far below the 1/1024 s (0.9765625 ms)
    /// that sensors count in, and is rounded away.
    package var stretches: [(startInSeconds: Double, intervalsInMilliseconds: [Double])] {
        var stretches: [(startInSeconds: Double, intervalsInMilliseconds: [Double])] = []
        var previous: Double?
        for beat in self {
            if let previous, !beat.precededByGap {
                let interval = ((beat.secondsSinceStart - previous) * 1e10).rounded() / 1e7
                stretches[stretches.count - 1].intervalsInMilliseconds.append(interval)
            } else {
                stretches.append((beat.secondsSinceStart, []))
            }
            previous = beat.secondsSinceStart
        }
        return stretches
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
