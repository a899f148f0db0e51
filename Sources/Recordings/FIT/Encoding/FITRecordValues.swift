import Foundation
import SessionLog

/// The values of a `record` message in FIT's scales. Fields without a value are left out, and so are values that do not
/// fit.
struct FITRecordValues {
    /// The fields in the order of the message.
    enum Field: Int, CaseIterable {
        case latitude, longitude, altitude, heartRate, cadence, distance, power, temperature, verticalOscillation
        case stanceTime, calories, fractionalCadence, speed, stepLength, balance, respiration
        case depth, coreTemperature, grade, resistance

        var definition: (number: UInt8, type: FITBaseType) {
            typealias Record = FITProfile.Record
            return switch self {
            case .latitude: (Record.positionLat.number, .sint32)
            case .longitude: (Record.positionLong.number, .sint32)
            case .altitude: (Record.enhancedAltitude.number, .uint32)
            case .heartRate: (Record.heartRate.number, .uint8)
            case .cadence: (Record.cadence.number, .uint8)
            case .distance: (Record.distance.number, .uint32)
            case .power: (Record.power.number, .uint16)
            case .temperature: (Record.temperature.number, .sint8)
            case .verticalOscillation: (Record.verticalOscillation.number, .uint16)
            case .stanceTime: (Record.stanceTime.number, .uint16)
            case .calories: (33, .uint16)
            case .fractionalCadence: (Record.fractionalCadence.number, .uint8)
            case .speed: (Record.enhancedSpeed.number, .uint32)
            case .stepLength: (Record.stepLength.number, .uint16)
            case .balance: (Record.leftRightBalance.number, .uint8)
            case .respiration: (Record.enhancedRespirationRate.number, .uint16)
            case .depth: (Record.depth.number, .uint32)
            case .coreTemperature: (Record.coreTemperature.number, .uint16)
            case .grade: (Record.grade.number, .sint16)
            case .resistance: (Record.resistance.number, .uint8)
            }
        }
    }

    let time: UInt32
    private(set) var has: UInt32 = 0
    private var values = InlineArray<20, Int64>(repeating: 0)
    /// The numbers of developer fields with their values.
    var developer: [(field: Int, value: Double)] = []
    /// The values that did not fit their fields, in words.
    private(set) var left: [String] = []

    init(_ moment: TrackMoment, _ time: UInt32) {
        self.time = time
        if let position = moment.position { set(position) }
        if let rate = moment[.heartRate] { setHeartRate(rate) }
        if let cadence = moment[.cadence] { setCadence(cadence) }
        set(.distance, moment[.distance], by: FITProfile.Record.distance, 0..<Double(UInt32.max), "distances")
        set(.speed, moment[.speed], by: FITProfile.Record.enhancedSpeed, 0..<Double(UInt32.max), "speeds")
        set(.power, moment[.power], scale: 1, 0..<65_535, "powers")
        set(.temperature, moment[.temperature], scale: 1, -127..<127, "temperatures")
        // The energy of a record counts from the start of the workout. Above 65 MJ only the session states it.
        if let energy = moment[.energy], energy >= 0, energy < 65_534 {
            set(.calories, energy, scale: 1, 0..<65_535, "")
        }
        // The profile has millimetres.
        let oscillation = moment[.verticalOscillation].map { $0 * 10 }
        set(.verticalOscillation, oscillation, scale: 10, 0..<65_535, "vertical oscillations")
        set(.stanceTime, moment[.groundContactTime], scale: 10, 0..<65_535, "ground contact times")
        set(.stepLength, moment[.strideLength].map { $0 * 1000 }, scale: 10, 0..<65_535, "stride lengths")
    }

    /// Returns whether FIT has a field for a type that is not a channel of other formats.
    static func hasField(_ type: String, unit: String) -> Bool {
        switch type {
        case "respiratoryRate": unit == "count/min"
        case NeutralType.rightPedalShare, NeutralType.pedalShare: unit == "%"
        case FITReadings.depthType: unit == "m"
        case FITReadings.coreTemperatureType: unit == "degC"
        case NeutralType.inclination: unit == "%"
        case NeutralType.resistanceLevel: unit == "count"
        default: false
        }
    }

    /// Sets the value of a type for which ``hasField(_:unit:)`` returns true.
    mutating func set(_ type: String, _ value: Double) {
        switch type {
        case "respiratoryRate":
            set(.respiration, value, by: FITProfile.Record.enhancedRespirationRate, 0..<65_535, "respiratory rates")
        case FITReadings.depthType: set(.depth, value, by: FITProfile.Record.depth, 0..<Double(UInt32.max), "depths")
        case FITReadings.coreTemperatureType:
            set(.coreTemperature, value, by: FITProfile.Record.coreTemperature, 1..<65_535, "body temperatures")
        case NeutralType.inclination: set(.grade, value, scale: 10_000, -32_768..<32_767, "inclinations")
        case NeutralType.resistanceLevel: set(.resistance, value, scale: 1, 0..<255, "resistances")
        default:
            let percent = (value * 100).rounded()
            guard (0...100).contains(percent) else { return left.append("pedal shares beyond 100 %") }
            set(.balance, Int64(percent) | (type == NeutralType.rightPedalShare ? 0x80 : 0))
        }
    }

    subscript(field: Field) -> Int64? { has & 1 << UInt32(field.rawValue) == 0 ? nil : values[field.rawValue] }

    private mutating func set(_ field: Field, _ value: Int64) {
        has |= 1 << UInt32(field.rawValue)
        values[field.rawValue] = value
    }

    private mutating func set(
        _ field: Field, _ value: Double?, by profile: FITField, _ range: Range<Double>, _ name: String
    ) {
        set(field, value, scale: profile.scale, range, name)
    }

    private mutating func set(
        _ field: Field, _ value: Double?, scale: Double, _ range: Range<Double>, _ name: String
    ) {
        guard let value else { return }
        let scaled = (value * scale).rounded()
        guard range.contains(scaled) else { return left.append("\(name) beyond what FIT holds") }
        set(field, Int64(scaled))
    }

    private mutating func setHeartRate(_ rate: Double) {
        let whole = rate.rounded()
        guard whole >= 1, whole < 255 else {
            // 0 means that there was no heart rate.
            if rate > 0 { left.append("heart rates above 254") }
            return
        }
        if whole != rate { left.append("fractional heart rates") }
        set(.heartRate, Int64(whole))
    }

    private mutating func setCadence(_ cadence: Double) {
        let scaled = (cadence * FITProfile.Record.fractionalCadence.scale).rounded()
        guard scaled >= 0, scaled < 255 * 128 else { return left.append("cadences above 254") }
        set(.cadence, Int64(scaled) / 128)
        if Int64(scaled) % 128 != 0 { set(.fractionalCadence, Int64(scaled) % 128) }
    }

    /// Sets the position in semicircles of 180°/2³¹. The largest number means “none”, so +180° is written as −180° or
    /// one semicircle less.
    private mutating func set(_ position: PositionReading) {
        let semicircles = 0x1p31 / 180
        let latitude = (position.latitudeInDegrees * semicircles).rounded()
        var longitude = (position.longitudeInDegrees * semicircles).rounded()
        guard latitude.magnitude <= 0x1p30, longitude.magnitude <= 0x1p31 else {
            return left.append("positions that are not on Earth")
        }
        if longitude == 0x1p31 { longitude = -0x1p31 }
        set(.latitude, Int64(latitude))
        set(.longitude, Int64(min(longitude, 0x1p31 - 2)))
        let profile = FITProfile.Record.enhancedAltitude
        if let altitude = position.altitudeInMeters {
            set(.altitude, altitude + profile.offset, scale: profile.scale, 0..<Double(UInt32.max), "altitudes")
        }
        if position.horizontalAccuracyInMeters != nil || position.verticalAccuracyInMeters != nil {
            left.append("position accuracies")
        }
        if position.courseInDegrees != nil { left.append("courses (directions of travel)") }
    }
}

/// The local message types for records, by their fields. A record has only the fields that have values. Sets of fields
/// that come again keep their definitions.
struct FITRecordLayouts {
    private struct Layout: Equatable {
        var fields: UInt32
        var developer: [Int]
    }

    private static let locals = 4..<16
    private var layouts: [Layout?] = Array(repeating: nil, count: locals.count)
    private var lastUse = [Int](repeating: 0, count: locals.count)
    private var uses = 0
    private var fields: [Int: Int] = [:]
    /// The types that FIT has no field for, as indices into the types of the outline, by the number of their developer
    /// field.
    let developerTypes: [Int]

    /// The index of the developer of each of these fields: 0 is this package, 1 are others.
    private(set) var developers: [UInt8] = []

    private static let mostFields = 60

    init(_ outline: WorkoutOutline) {
        let types = Array(
            outline.typesWithoutChannel.lazy.filter {
                !FITRecordValues.hasField(outline.types[$0].name, unit: outline.types[$0].unit)
                    && outline.types[$0].name != WorkoutLabels.effortType
            }.prefix(Self.mostFields))
        developers = types.map { outline.types[$0].name.hasPrefix(NeutralType.developerPrefix) ? 1 : 0 }
        developerTypes = types
        fields = Dictionary(uniqueKeysWithValues: types.enumerated().map { ($0.element, $0.offset) })
    }

    /// Returns the number of the developer field, or nil if the type has none.
    func field(ofType type: Int) -> Int? { fields[type] }

    mutating func write(_ record: FITRecordValues, to encoder: inout FITEncoder) {
        let local = local(for: record, &encoder)
        encoder.message(local: local) { bytes in
            Self.append(Int64(record.time), size: 4, to: &bytes)
            for field in FITRecordValues.Field.allCases {
                if let value = record[field] { Self.append(value, size: field.definition.type.size, to: &bytes) }
            }
            for (_, value) in record.developer {
                Self.append(Int64(bitPattern: value.bitPattern), size: 8, to: &bytes)
            }
        }
    }

    private mutating func local(for record: FITRecordValues, _ encoder: inout FITEncoder) -> Int {
        uses += 1
        let layout = Layout(fields: record.has, developer: record.developer.map(\.field))
        let slot =
            layouts.firstIndex(of: layout)
            ?? layouts.firstIndex(of: nil) ?? lastUse.indices.min { lastUse[$0] < lastUse[$1] } ?? 0
        lastUse[slot] = uses
        let local = Self.locals.lowerBound + slot
        guard layouts[slot] != layout else { return local }
        layouts[slot] = layout
        var definition = [UInt8(1), FITProfile.timestamp.number, 4, FITBaseType.uint32.rawValue]
        for field in FITRecordValues.Field.allCases where record[field] != nil {
            let (number, type) = field.definition
            definition += [number, UInt8(type.size), type.rawValue]
            definition[0] += 1
        }
        var developer: [UInt8] = layout.developer.isEmpty ? [] : [UInt8(layout.developer.count)]
        for field in layout.developer { developer += [UInt8(field), 8, developers[field]] }
        encoder.define(local, FITProfile.MessageNumber.record, definition, developer: developer)
        return local
    }

    @inline(__always)
    private static func append(_ value: Int64, size: Int, to bytes: inout [UInt8]) {
        for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * Int64(index)))) }
    }
}
