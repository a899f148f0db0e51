public import Foundation

/// A piece of a signal that a sensor samples many times a second.
public struct WaveformReading: Sendable, Equatable {
    /// The sampled signal.
    public var signal: Signal
    /// The samples, oldest first; for ``Signal/acceleration`` the three axes of each sample in turns: x, y, z.
    public var values: [Int32]
    /// How many samples the sensor takes in a second.
    public var samplesPerSecond: Double
    /// When the first sample was taken, on the session's timeline.
    public var start: Date
    /// The ID of the sensor that measured them: `SensorStatus.id`.
    public var sensor: String?

    /// The signal of a sensor, and its unit.
    public enum Signal: String, Sendable, Equatable, CaseIterable {
        /// The voltage of the heart between the electrodes of a chest strap, in microvolts.
        case electrocardiogram
        /// The acceleration of the sensor with gravity, in thousandths of the standard gravity.
        case acceleration

        /// The name for a list.
        package var words: String { self == .acceleration ? "the sensor's acceleration" : "the electrocardiogram" }

        /// How many values make a sample.
        package var channels: Int { self == .acceleration ? 3 : 1 }
    }

    /// - Parameters:
    ///   - values: Oldest first; three for each sample of ``Signal/acceleration``.
    ///   - start: When the first sample was taken.
    public init(
        _ signal: Signal, _ values: [Int32], samplesPerSecond: Double, start: Date, sensor: String? = nil
    ) {
        self.signal = signal
        self.values = values
        self.samplesPerSecond = samplesPerSecond
        self.start = start
        self.sensor = sensor
    }

    /// When the sample after the last one is due.
    package var end: Date { start + Double(values.count / signal.channels) / samplesPerSecond }
}

/// Joins the pieces of electrocardiograms that follow each other: a pure fold over the entries of a log.
package struct ElectrocardiogramSpans: Sendable {
    /// In order of their first pieces.
    package private(set) var all: [Span] = []
    /// A longer electrocardiogram is several, so that an app can read it at once.
    private static let longestInSeconds = 3600.0
    /// Sensors count time in other steps than samples, and their rate is not exactly what they state.
    private static let toleranceInSeconds = 0.25

    package struct Span: Sendable, Equatable {
        package var sensor: String?
        package var samplesPerSecond: Double
        package var start: Date
        /// When the sample after the last one is due.
        package var end: Date
        package var voltages: Int
    }

    package init() {}

    /// Adds the next entry of a log.
    package mutating func take(_ entry: SessionEntry) {
        if case .quantity = entry.content { return }
        takeOther(entry)
    }

    // A separate function, so that only such an entry is copied.
    @inline(never)
    private mutating func takeOther(_ entry: SessionEntry) {
        if case .waveform(let reading) = entry.content { add(reading) }
    }

    /// Adds the next piece. Returns the number of its electrocardiogram. Nil for other signals.
    @discardableResult
    package mutating func add(_ reading: WaveformReading) -> Int? {
        guard reading.signal == .electrocardiogram else { return nil }
        let known = all.lastIndex { span in
            span.sensor == reading.sensor && span.samplesPerSecond == reading.samplesPerSecond
                && abs(reading.start.timeIntervalSince(span.end)) < Self.toleranceInSeconds
                && reading.end.timeIntervalSince(span.start) <= Self.longestInSeconds
        }
        guard let known else {
            all.append(
                Span(
                    sensor: reading.sensor, samplesPerSecond: reading.samplesPerSecond, start: reading.start,
                    end: reading.end, voltages: reading.values.count))
            return all.count - 1
        }
        all[known].end = reading.end
        all[known].voltages += reading.values.count
        return known
    }
}
