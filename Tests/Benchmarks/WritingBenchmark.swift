import Foundation
import Recordings
import SessionLog

/// Measures speed and memory of writing a generated ride, in MB/s and records/s for each format; its entries are made
/// on the way.
func benchmarkWriting(seconds: Int = 200_000) throws {
    let ride = GeneratedRide(seconds: seconds)
    for format in RecordingFile.writableFormats {
        guard var writer = format.writer() else { continue }
        let before = peakMemoryInMegabytes()
        var bytes = 0
        let time = try ContinuousClock().measure {
            try writer.write(RecordedEntries(ride)) { bytes += $0.count }
        }
        let rate = time / .seconds(1)
        print(
            "write \(format.name): \(seconds) records, \(bytes / 1_000_000) MB in \(Int(rate * 1000)) ms: "
                + String(
                    format: "%.0f MB/s, %.2f million records/s", Double(bytes) / rate / 1e6,
                    Double(seconds) / rate / 1e6)
                + ", peak +\(peakMemoryInMegabytes() - before) MB")
    }
    var entries = 0
    let making = ContinuousClock().measure { for _ in ride { entries += 1 } }
    print("write: \(entries) entries are made twice, in \(Int(making / .seconds(1) * 1000)) ms each time")
}

/// A ride as a bike computer records it: position, heart rate, beats, distance, speed, power and cadence every second.
private struct GeneratedRide: Sequence, Sendable {
    let seconds: Int

    func makeIterator() -> AnyIterator<SessionEntry> {
        let start = Date(timeIntervalSince1970: 1_767_254_400)
        let count = seconds
        let heartRate = ReadingKind("heartRate", unit: "count/min")
        let distance = ReadingKind("distanceCycling", unit: "m")
        let speed = ReadingKind("cyclingSpeed", unit: "m/s")
        let power = ReadingKind("cyclingPower", unit: "W")
        let cadence = ReadingKind("cyclingCadence", unit: "count/min")
        var second = 0
        var ready = [
            SessionEntry(
                start,
                .header(
                    SessionHeader(id: UUID(), activity: ActivityDescription(activity: "cycling", location: .outdoor)))),
            SessionEntry(start, .state(.running)),
        ]
        var next = 0
        return AnyIterator {
            if next == ready.count {
                ready.removeAll(keepingCapacity: true)
                next = 0
                second += 1
                guard second <= count + 1 else { return nil }
                let date = start + Double(second)
                guard second <= count else {
                    ready.append(SessionEntry(date, .state(.stopped)))
                    next = 1
                    return ready[0]
                }
                let noise = Double(second &* 7919 % 64)
                func add(_ kind: ReadingKind, _ value: Double, from: Date? = nil) {
                    ready.append(
                        SessionEntry(date, .quantity(QuantityReading(kind, value, start: from ?? date, end: date))))
                }
                add(heartRate, 120 + noise)
                ready.append(SessionEntry(date, .beats(BeatReading(intervalsInMilliseconds: [400 + noise, 420]))))
                add(distance, 8 + noise / 100, from: start + Double(second - 1))
                add(speed, 8 + noise / 100)
                add(power, 180 + noise)
                add(cadence, 85)
                ready.append(
                    SessionEntry(
                        date,
                        .position(
                            PositionReading(
                                latitudeInDegrees: 47 + Double(second) * 1e-6,
                                longitudeInDegrees: 8 - Double(second) * 1e-6,
                                altitudeInMeters: 400 + noise, speedInMetersPerSecond: 8 + noise / 100))))
            }
            next += 1
            return ready[next - 1]
        }
    }
}
