package import SessionLog

/// The contents of a series sample.
package enum SeriesContent: Sendable {
    case heartbeats([StoredHeartbeat])
    case positions([(date: Date, position: PositionReading)])
    case quantities([StoredQuantity])
    /// The voltages of an electrocardiogram, at its sampling frequency.
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
    /// The RR intervals of each stretch between gaps. Starts are in seconds since the start of the series.
    ///
    /// Intervals are differences of times. Their rounding error is far below the 1/1024 s (0.9765625 ms) in which
    /// sensors count, so rounding restores the exact interval.
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
