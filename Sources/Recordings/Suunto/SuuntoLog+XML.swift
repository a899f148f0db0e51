import Foundation
import SessionLog
import XML

extension SuuntoLog {
    private enum Tag: UInt8, CaseIterable {
        case sml, DeviceLog, Header, Device, Samples, Sample, Events
        case Activity, ActivityType, DateTime, Energy, Name, SerialNumber, SW
        case UTC, Time, HR, Latitude, Longitude, Altitude, GPSAltitude, Speed, Distance, Cadence, Power, BikePower
        case Temperature
        // Elements of events.
        case Pause, State, Lap, Source
        case Data

        static let names = allCases.map { "\($0)" }
    }

    /// Reads SML and returns warnings about its faults.
    mutating func read(xml source: RecordingSource) throws(RecordingError) -> [RecordingWarning] {
        var scanner = XMLScanner(
            try source.open().stream, elements: Tag.names, attributes: [], keepsText: true, ignoresPrefixes: true,
            capacity: 1 << 20)
        /// The known elements that are open.
        var path: [Tag] = []
        var sample: Sample?
        do throws(ByteStreamFault) {
            while case let token = try scanner.next(), token != .finished {
                let tag = Tag(rawValue: scanner.element)
                switch token {
                case .start:
                    guard let tag else { continue }
                    path.append(tag)
                    if tag == .Sample { sample = Sample() }
                    if tag == .Lap, sample != nil, path.contains(.Events) { sample?.marks.append(.lap) }
                case .end:
                    guard let tag else { continue }
                    if tag == .Sample, let done = sample {
                        samples.append(done)
                        sample = nil
                    }
                    if let place = path.lastIndex(of: tag) { path.removeSubrange(place...) }
                case .text:
                    let text = XMLText.string(scanner.text)
                    if path.last == .Data {
                        intervals += text.split { $0 == " " || $0 == "," || $0.isNewline }.compactMap { Double($0) }
                    } else if sample != nil {
                        Self.take(text, path, &sample!)
                    } else {
                        takeHeader(text, path)
                    }
                case .empty, .finished: break
                }
            }
        } catch { throw RecordingError(error) }
        return scanner.warnings.all
    }

    private static func take(_ text: String, _ path: [Tag], _ sample: inout Sample) {
        guard let tag = path.last else { return }
        if path.contains(.Events) {
            if tag == .State, path.contains(.Pause) {
                sample.marks.append(text.lowercased() == "true" || text == "1" ? .paused : .resumed)
            }
            return
        }
        if tag == .UTC {
            if let date = text.tableMoment() { sample.date = date.seconds }
        } else if let number = Double(text) {
            set("\(tag)", number, in: &sample)
        }
    }

    private mutating func takeHeader(_ text: String, _ path: [Tag]) {
        guard let tag = path.last else { return }
        if path.contains(.Header) {
            switch tag {
            case .Activity: sport = text
            case .ActivityType: sport = sport ?? Int(text).flatMap { Self.sports[$0] }
            case .DateTime: start = text.tableMoment()
            case .Energy: session.kilocalories = (Double(text) ?? .nan) / Self.joulesPerKilocalorie
            case .Distance: session.distanceInMeters = Double(text) ?? .nan
            default: break
            }
        } else if path.contains(.Device) {
            switch tag {
            case .Name: device.name = text
            case .SerialNumber: device.unit = text
            case .SW: device.version = text
            default: break
            }
        }
    }
}
