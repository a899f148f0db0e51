import Foundation
public import SessionLog
import XML

/// The route files of an export: GPX 1.1 with Apple's `speed`, `course`, `hAcc` and `vAcc` as extensions of a point.
enum HealthRouteFile {
    private enum Tag: UInt8, CaseIterable { case trkpt, ele, time, speed, course, hAcc, vAcc, extensions }
    private enum Name: Int, CaseIterable { case lat, lon }

    /// Reads the points in the order of the file. Points without a date or a position are left out with a warning.
    static func read(
        _ stream: any ByteStream, capacity: Int = XMLScanner.tagLimit, pointLimit: Int = HealthRoute.pointLimit
    ) throws(HealthExportError) -> HealthRoute {
        var scanner = XMLScanner(
            stream, elements: Tag.allCases.map { String(describing: $0) },
            attributes: Name.allCases.map { String(describing: $0) }, keepsText: true, capacity: capacity)
        var points: [HealthRoutePoint] = []
        var open: OpenPoint?
        var tag: Tag?
        tokens: while true {
            let token: XMLScanner.Token
            do throws(ByteStreamFault) { token = try scanner.next() } catch { throw HealthExportError(error) }
            switch token {
            case .start:
                tag = Tag(rawValue: scanner.element)
                if tag == .trkpt {
                    open = OpenPoint(
                        byte: scanner.tokenByte,
                        latitude: scanner.value(Name.lat.rawValue).flatMap(XMLNumber.value),
                        longitude: scanner.value(Name.lon.rawValue).flatMap(XMLNumber.value))
                }
            case .text:
                if let tag { open?.take(scanner.text, as: tag) }
            case .end:
                tag = nil
                guard Tag(rawValue: scanner.element) == .trkpt, let done = open.take() else { continue }
                guard let point = done.point else {
                    scanner.warnings.addOnce(byte: done.byte, "a point has no readable date and position; left out")
                    continue
                }
                guard points.count < pointLimit else {
                    scanner.warnings.add(
                        byte: done.byte,
                        "it has more than \(pointLimit) points; those beyond are left out")
                    break tokens
                }
                points.append(point)
            case .empty:
                continue
            case .finished:
                break tokens
            }
        }
        return HealthRoute(points: points, warnings: scanner.warnings.all)
    }

    private struct OpenPoint {
        let byte: Int
        let latitude: Double?
        let longitude: Double?
        private var date: Date?
        private var measures = HealthRouteMeasures()

        init(byte: Int, latitude: Double?, longitude: Double?) {
            self.byte = byte
            self.latitude = latitude
            self.longitude = longitude
        }

        mutating func take(_ text: UnsafeBufferPointer<UInt8>, as tag: Tag) {
            switch tag {
            case .time: date = SessionLogDate.parse(text).map(Date.init(timeIntervalSinceReferenceDate:))
            case .ele: measures.altitude = XMLNumber.value(of: text)
            case .speed: measures.speed = XMLNumber.value(of: text)
            case .course: measures.course = XMLNumber.value(of: text)
            case .hAcc: measures.horizontalAccuracy = XMLNumber.value(of: text)
            case .vAcc: measures.verticalAccuracy = XMLNumber.value(of: text)
            case .trkpt, .extensions: break
            }
        }

        var point: HealthRoutePoint? {
            guard let date, let latitude, let longitude, (-90...90).contains(latitude),
                (-180...180).contains(longitude)
            else { return nil }
            return HealthRoutePoint(date: date, position: measures.position(latitude: latitude, longitude: longitude))
        }
    }
}

/// A route as its file states it.
public struct HealthRoute: Sendable, Equatable {
    /// The points in the order of the file, at most ``pointLimit``.
    public var points: [HealthRoutePoint]
    /// Warnings about damage and about points without a date or a position.
    public var warnings: [RecordingWarning]

    /// Nearly six days at one point per second, longer than any watch's battery lasts. A route is held in memory.
    public static let pointLimit = 500_000
}

/// The measurements at a position. Negative accuracies, courses and speeds mean that there is none, as in Core
/// Location.
struct HealthRouteMeasures {
    var altitude: Double?
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?
    var course: Double?
    var speed: Double?

    func position(latitude: Double, longitude: Double) -> PositionReading {
        func valid(_ value: Double?) -> Double? { value.flatMap { $0 < 0 ? nil : $0 } }
        return PositionReading(
            latitudeInDegrees: latitude, longitudeInDegrees: longitude, altitudeInMeters: altitude,
            horizontalAccuracyInMeters: valid(horizontalAccuracy), verticalAccuracyInMeters: valid(verticalAccuracy),
            courseInDegrees: valid(course), speedInMetersPerSecond: valid(speed))
    }
}
