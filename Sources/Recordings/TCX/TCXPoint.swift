import Foundation
import SessionLog
import XML

/// A trackpoint of a TCX file. It reports the values that it cannot hold.
enum TCXPoint {
    static func heartRate(_ rate: Double) -> Int? {
        let whole = rate.rounded()
        // Devices write 255 for a missing heart rate.
        return whole >= 1 && whole <= 254 ? Int(whole) : nil
    }

    static func cadence(_ cadence: Double) -> Int? {
        let whole = cadence.rounded()
        return whole >= 0 && whole <= 254 ? Int(whole) : nil
    }

    /// Watts or kilocalories.
    static func unsignedShort(_ value: Double) -> Int? {
        let whole = value.rounded()
        return whole >= 0 && whole <= 65_535 ? Int(whole) : nil
    }

    /// The schema only allows longitudes below 180°.
    static func coordinates(_ position: PositionReading) -> (latitude: Double, longitude: Double)? {
        let latitude = position.latitudeInDegrees
        let longitude = position.longitudeInDegrees
        guard latitude.magnitude <= 90, longitude.magnitude <= 180 else { return nil }
        return (latitude, longitude == 180 ? -180 : longitude)
    }

    private static let held: [TrackChannel] = [.heartRate, .distance, .speed, .cadence, .power, .temperature]

    static func holdsAny(of moment: TrackMoment) -> Bool {
        moment.position != nil || held.contains { moment[$0] != nil }
    }

    /// Notes the values of a moment that no trackpoint holds.
    static func say(what moment: TrackMoment, _ leftOut: inout Omissions) {
        let names: [(TrackChannel, String)] = [
            (.strideLength, "stride lengths"),
            (.verticalOscillation, "vertical oscillations"), (.groundContactTime, "ground contact times"),
        ]
        for (channel, name) in names where moment[channel] != nil { leftOut.add(name) }
    }

    static func write(_ moment: TrackMoment, sport: TCXSport, to xml: inout XMLOutput, _ leftOut: inout Omissions) {
        say(what: moment, &leftOut)
        xml.raw("<Trackpoint><Time>")
        xml.date(moment.date)
        xml.raw("</Time>")
        if let position = moment.position { write(position, to: &xml, &leftOut) }
        if let distance = moment[.distance], distance >= 0 {
            xml.raw("<DistanceMeters>")
            xml.decimal(distance)
            xml.raw("</DistanceMeters>")
        }
        if let rate = moment[.heartRate] {
            if let whole = heartRate(rate) {
                if Double(whole) != rate { leftOut.add("fractional heart rates") }
                xml.raw("<HeartRateBpm><Value>")
                xml.integer(whole)
                xml.raw("</Value></HeartRateBpm>")
            } else if rate > 0 {
                leftOut.add("heart rates above 254")
            }
        }
        if let value = moment[.cadence] {
            if let cadence = cadence(value) {
                if Double(cadence) != value { leftOut.add("fractional cadences") }
            } else {
                leftOut.add("cadences above 254")
            }
            // The cadence of a run goes into the extension.
            if !sport.isRunning, let cadence = cadence(value) {
                xml.raw("<Cadence>")
                xml.integer(cadence)
                xml.raw("</Cadence>")
            }
        }
        writeExtension(moment, sport, to: &xml, &leftOut)
        xml.raw("</Trackpoint>\n")
    }

    private static func write(_ position: PositionReading, to xml: inout XMLOutput, _ leftOut: inout Omissions) {
        if let (latitude, longitude) = coordinates(position) {
            xml.raw("<Position><LatitudeDegrees>")
            xml.decimal(latitude)
            xml.raw("</LatitudeDegrees><LongitudeDegrees>")
            xml.decimal(longitude)
            xml.raw("</LongitudeDegrees></Position>")
        } else {
            leftOut.add("positions that are not on Earth")
        }
        if let altitude = position.altitudeInMeters, altitude.isFinite {
            xml.raw("<AltitudeMeters>")
            xml.decimal(altitude)
            xml.raw("</AltitudeMeters>")
        }
        if position.horizontalAccuracyInMeters != nil || position.verticalAccuracyInMeters != nil {
            leftOut.add("position accuracies")
        }
        if position.courseInDegrees != nil { leftOut.add("courses (directions of travel)") }
    }

    private static func writeExtension(
        _ moment: TrackMoment, _ sport: TCXSport, to xml: inout XMLOutput, _ leftOut: inout Omissions
    ) {
        let speed = moment[.speed].flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        let power = moment[.power].flatMap(unsignedShort)
        if let value = moment[.power], power.map(Double.init) != value {
            leftOut.add("fractional or negative power values")
        }
        let runCadence = sport.isRunning ? moment[.cadence].flatMap(cadence) : nil
        let temperature = moment[.temperature].flatMap { $0.magnitude < 1e6 ? $0 : nil }
        let hasTPX = speed != nil || runCadence != nil || power != nil
        guard hasTPX || temperature != nil else { return }
        xml.raw(hasTPX ? "<Extensions><ns3:TPX>" : "<Extensions>")
        if let speed {
            xml.raw("<ns3:Speed>")
            xml.decimal(speed)
            xml.raw("</ns3:Speed>")
        }
        if let runCadence {
            xml.raw("<ns3:RunCadence>")
            xml.integer(runCadence)
            xml.raw("</ns3:RunCadence>")
        }
        if let power {
            xml.raw("<ns3:Watts>")
            xml.integer(power)
            xml.raw("</ns3:Watts>")
        }
        if hasTPX { xml.raw("</ns3:TPX>") }
        if let temperature {
            xml.raw("<ohk:Temperature>")
            xml.decimal(temperature)
            xml.raw("</ohk:Temperature>")
        }
        xml.raw("</Extensions>")
    }
}
