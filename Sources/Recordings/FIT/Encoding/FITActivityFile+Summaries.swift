import Foundation
import GATT
import SessionLog

// The messages of an activity file other than records: the wearer, laps, sessions and the activity.

extension FITActivityFile {
    private typealias Value = FITFieldValue

    mutating func writeLap(_ number: Int) {
        let lap = outline.stretches[number]
        guard let start = FITTime.number(lap.start), let end = FITTime.number(lap.end) else {
            return leftOut.add("laps before 1998")
        }
        typealias Field = FITProfile.Lap
        // A lap ends when its elapsed time has passed, or when it was written if that is later.
        let written = max(Int64(end), Int64((Double(start) + min(lap.elapsedInSeconds, 0xFFFF_FFFF)).rounded(.up)))
        let sport = sport(of: outline.parts[min(lap.part, outline.parts.count - 1)])
        var fields = [
            Value(FITProfile.timestamp.number, .uint32, min(written, 0xFFFF_FFFE)),
            Value(254, .uint16, Int64(min(numberOfLaps, 65_534))),
            Value(0, .enum, 9), Value(1, .enum, 1),
            Value(Field.startTime.number, .uint32, Int64(start)),
            Value(Field.sport.number, .enum, Int64(sport.sport)),
            Value(Field.subSport.number, .enum, Int64(sport.subSport)),
            // `lap_trigger`: 0 is manual, 7 the end of the session.
            Value(24, .enum, lap.isLap ? 0 : 7),
        ]
        Self.add(
            lap,
            SummaryNumbers(
                elapsed: Field.totalElapsedTime.number, timer: Field.totalTimerTime.number,
                distance: Field.totalDistance.number, speed: 110, heartRate: 15, cadence: 17, power: 19), to: &fields)
        fields += lengths.fieldsOfLap(covered: lengthsCovered(in: lap, part: min(lap.part, outline.parts.count - 1)))
        numberOfLaps += 1
        encoder.message(FITProfile.MessageNumber.lap, local: 0, fields, developer: developerValues(lap.metadata))
    }

    /// Writes a session for each part, and the activity.
    mutating func writeSessions() {
        var timer = 0.0
        var sessions: Int64 = 0
        for (number, part) in outline.parts.enumerated() {
            guard let start = FITTime.number(part.span.start), let end = FITTime.number(part.span.end) else { continue }
            writeSession(part, number: number, start, end)
            timer += part.span.activeSeconds
            sessions += 1
        }
        guard let end = outline.end.flatMap(FITTime.number) else { return }
        var fields = [
            Value(FITProfile.timestamp.number, .uint32, Int64(end)),
            Value(1, .uint16, sessions), Value(2, .enum, outline.parts.count > 1 ? 1 : 0),
            Value(3, .enum, 26), Value(4, .enum, 1),
        ]
        Self.add(timer, FITProfile.Activity.totalTimerTime.number, .uint32, scale: 1000, to: &fields)
        if let timeZone {
            let local = Int64(end) + Int64(timeZone.secondsFromGMT(for: outline.end ?? .distantPast))
            fields.append(Value(FITProfile.Activity.localTimestamp.number, .uint32, local))
        }
        let identity = workoutID.map { FITFieldValue(UInt8(Self.identityField), $0.uuidString) }
        let own = [identity].compactMap { $0 } + labelFields.map { FITFieldValue($0.number, $0.text) }
        encoder.message(FITProfile.MessageNumber.activity, local: 0, fields, developer: own.map { ($0, 0) })
    }

    /// The time zone of the workout. Nil if it is not known.
    private var timeZone: TimeZone? {
        guard case .string(let name)? = outline.metadata["HKTimeZone"] else { return nil }
        return TimeZone(identifier: name)
    }

    private func metadata(of part: WorkoutOutline.Part) -> [String: MetadataValue] {
        outline.parts.count > 1 ? part.metadata : outline.metadata
    }

    /// Returns whether the values of a developer field are text. All values of a field have the same type.
    private func isText(_ key: String) -> Bool {
        let all = outline.stretches.lazy.map(\.metadata) + outline.parts.map(\.metadata) + [outline.metadata]
        if case .string? = all.lazy.compactMap({ $0[key] }).first { return true }
        return false
    }

    /// Returns the developer fields in metadata, each with the index of its developer.
    private func developerValues(_ metadata: [String: MetadataValue]) -> [(field: FITFieldValue, index: UInt8)] {
        metadata.sorted { $0.key < $1.key }.compactMap { key, value in
            guard let number = summaryFields[key] else { return nil }
            switch value {
            case .string(let text) where isText(key): return (FITFieldValue(number, text), 1)
            case .number(let value) where !isText(key):
                return (FITFieldValue(number, .float64, Int64(bitPattern: value.bitPattern)), 1)
            default: return nil
            }
        }
    }

    /// Returns the numbers that the source file of the part stated, otherwise FIT's numbers of its activity.
    private func sport(of part: WorkoutOutline.Part) -> (sport: UInt8, subSport: UInt8, isExact: Bool) {
        if let stated = FITSport.stated(in: metadata(of: part), for: part.activity) {
            return (stated.sport, stated.subSport, true)
        }
        return FITSport.numbers(of: part.activity)
    }

    private mutating func writeSession(_ part: WorkoutOutline.Part, number: Int, _ start: UInt32, _ end: UInt32) {
        typealias Field = FITProfile.Session
        let span = part.span
        let sport = sport(of: part)
        if !sport.isExact { leftOut.note("the activity “\(part.activity.activity)”, for which FIT has no number") }
        let laps = outline.stretches.indices.filter {
            self.laps[$0] != nil && min(outline.stretches[$0].part, outline.parts.count - 1) == number
        }
        var fields = [
            Value(FITProfile.timestamp.number, .uint32, Int64(max(end, start))),
            Value(254, .uint16, Int64(number)), Value(0, .enum, 8), Value(1, .enum, 1),
            Value(Field.startTime.number, .uint32, Int64(start)),
            Value(Field.sport.number, .enum, Int64(sport.sport)),
            Value(Field.subSport.number, .enum, Int64(sport.subSport)),
            Value(28, .enum, 0),
        ]
        if let first = laps.first, let index = self.laps[first], laps.count < 65_535 {
            fields += [Value(25, .uint16, Int64(min(index, 65_534))), Value(26, .uint16, Int64(laps.count))]
        }
        Self.add(
            span,
            SummaryNumbers(
                elapsed: Field.totalElapsedTime.number, timer: Field.totalTimerTime.number,
                distance: Field.totalDistance.number, speed: 124, heartRate: 16, leastHeartRate: 64, cadence: 18,
                power: 20), to: &fields)
        if part.activity.activity == "swimming", part.activity.swimmingLocation == .pool {
            Self.add(part.activity.lapLengthInMeters, Field.poolLength.number, .uint16, scale: 100, to: &fields)
        }
        if number == 0 {
            Self.add(outline.labels.effort, Field.effort.number, .uint8, scale: Field.effort.scale, to: &fields)
        }
        fields += lengthsOfParts[number] ?? []
        encoder.message(
            FITProfile.MessageNumber.session, local: 0, fields, developer: developerValues(metadata(of: part)))
    }

    /// The field numbers of the figures that laps and sessions share. The number after that of an average is that of
    /// the maximum.
    private struct SummaryNumbers {
        var elapsed: UInt8
        var timer: UInt8
        var distance: UInt8
        var energy = FITProfile.Session.totalCalories.number
        var speed: UInt8
        var heartRate: UInt8
        /// Only sessions have this field.
        var leastHeartRate: UInt8?
        var cadence: UInt8
        var power: UInt8
    }

    private static func add(_ span: WorkoutSpan, _ numbers: SummaryNumbers, to fields: inout [FITFieldValue]) {
        add(span.elapsedInSeconds, numbers.elapsed, .uint32, scale: 1000, to: &fields)
        add(span.activeSeconds, numbers.timer, .uint32, scale: 1000, to: &fields)
        add(span[.distance].total, numbers.distance, .uint32, scale: 100, to: &fields)
        add(span[.energy].total, numbers.energy, .uint16, to: &fields)
        add(span.meanSpeed, numbers.speed, .uint32, scale: 1000, to: &fields)
        add(span[.speed].greatest, numbers.speed + 1, .uint32, scale: 1000, to: &fields)
        add(span.meanHeartRate, numbers.heartRate, .uint8, from: 1, to: &fields)
        add(span[.heartRate].greatest, numbers.heartRate + 1, .uint8, from: 1, to: &fields)
        if let least = numbers.leastHeartRate { add(span[.heartRate].least, least, .uint8, from: 1, to: &fields) }
        add(span[.cadence].mean, numbers.cadence, .uint8, to: &fields)
        add(span[.cadence].greatest, numbers.cadence + 1, .uint8, to: &fields)
        add(span[.power].mean, numbers.power, .uint16, to: &fields)
        add(span[.power].greatest, numbers.power + 1, .uint16, to: &fields)
    }

    /// Adds a field if there is a value and its type can hold it.
    private static func add(
        _ value: Double?, _ number: UInt8, _ type: FITBaseType, scale: Double = 1, from least: Double = 0,
        to fields: inout [FITFieldValue]
    ) {
        guard let value, let invalid = type.invalid else { return }
        let scaled = (value * scale).rounded()
        guard scaled >= least, scaled < Double(invalid) else { return }
        fields.append(Value(number, type, Int64(scaled)))
    }

    // MARK: Device and person

    mutating func writeFileID() {
        typealias Field = FITProfile.FileID
        var fields = [Value(Field.type.number, .enum, 4)]
        fields += FITDeviceNumbers(recorder?.status.device, product: FITDevices.product(in: outline.metadata)).fields(
            manufacturer: Field.manufacturer.number, product: Field.product.number, serial: Field.serialNumber.number,
            name: Field.productName.number)
        if let start = outline.start.flatMap(FITTime.number) {
            fields.append(Value(Field.timeCreated.number, .uint32, Int64(start)))
        }
        encoder.message(FITProfile.MessageNumber.fileID, local: 0, fields)
    }

    /// The sensor that measured more than the heart rate: a watch or a bike computer.
    private var recorder: WorkoutOutline.Sensor? { outline.sensors.first { $0.status.id == FITDevices.recorder } }

    mutating func writeDevices() {
        guard let start = outline.start.flatMap(FITTime.number) else { return }
        writeDevice(recorder, index: 0, start)
        let others = outline.sensors.filter { $0.status.id != FITDevices.recorder }
        for (number, sensor) in others.prefix(250).enumerated() { writeDevice(sensor, index: number + 1, start) }
    }

    private mutating func writeDevice(_ sensor: WorkoutOutline.Sensor?, index: Int, _ time: UInt32) {
        typealias Field = FITProfile.DeviceInfo
        let device = sensor?.status.device
        var fields = [
            Value(FITProfile.timestamp.number, .uint32, Int64(time)),
            Value(Field.deviceIndex.number, .uint8, Int64(index)),
        ]
        let product = index == 0 ? FITDevices.product(in: outline.metadata) : nil
        fields += FITDeviceNumbers(device, product: product).fields(
            manufacturer: Field.manufacturer.number, product: Field.product.number, serial: Field.serialNumber.number,
            name: Field.productName.number)
        if index > 0, let sensor {
            let ant = sensor.status.kind == .ant ? DeviceAddress(sensor.status.id)?.ant : nil
            let isBluetooth = sensor.status.kind == .bluetooth
            // FIT profile, type `source_type`.
            if isBluetooth { fields.append(Value(Field.sourceType.number, .enum, 3)) }
            if let ant {
                fields.append(Value(Field.sourceType.number, .enum, 1))
                fields.append(Value(Field.antDeviceNumber.number, .uint16z, Int64(ant.number)))
            }
            let type = ant.map { Int64($0.kind.rawValue) }
            if let type = type ?? Self.deviceType(of: sensor.measures, isBluetooth: isBluetooth) {
                fields.append(Value(Field.deviceType.number, .uint8, type))
            }
        }
        let version = device?.softwareVersion ?? device?.firmwareVersion
        Self.add(version.flatMap(Double.init), Field.softwareVersion.number, .uint16, scale: 100, to: &fields)
        Self.add(device?.hardwareVersion.flatMap(Double.init), Field.hardwareVersion.number, .uint8, to: &fields)
        if let battery = sensor?.status.batteryPercent, (0...100).contains(battery) {
            fields.append(Value(Field.batteryLevel.number, .uint8, Int64(battery)))
        }
        encoder.message(FITProfile.MessageNumber.deviceInfo, local: 0, fields)
    }

    /// FIT profile, types `antplus_device_type` and `ble_device_type`.
    private static func deviceType(of types: Set<String>, isBluetooth: Bool) -> Int64? {
        if types.contains("heartRate") || types.contains(WorkoutOutline.beats) { return isBluetooth ? 1 : 120 }
        if types.contains("cyclingPower") { return isBluetooth ? 2 : 11 }
        if types.contains("cyclingCadence") { return isBluetooth ? 3 : 121 }
        if types.contains("cyclingSpeed") { return isBluetooth ? 4 : 123 }
        if types.contains("runningSpeed") || types.contains("walkingSpeed") { return isBluetooth ? 6 : 124 }
        return nil
    }

    /// Writes the wearer: FIT profile, message `user_profile`.
    mutating func writeWearer() {
        guard let wearer = outline.wearer else { return }
        typealias Field = FITProfile.UserProfile
        var fields: [FITFieldValue] = []
        switch wearer.sex {
        case .female: fields.append(Value(Field.gender.number, .enum, 0))
        case .male: fields.append(Value(Field.gender.number, .enum, 1))
        case .other, nil: break
        }
        Self.add(wearer.ageInYears, Field.age.number, .uint8, to: &fields)
        Self.add(wearer.massInKilograms, Field.weight.number, .uint16, scale: 10, to: &fields)
        Self.add(wearer.restingHeartRate, Field.restingHeartRate.number, .uint8, from: 1, to: &fields)
        Self.add(wearer.maximumHeartRate, 11, .uint8, from: 1, to: &fields)
        if wearer.vo2Max != nil { leftOut.note("the athlete's VO2 max") }
        if !fields.isEmpty { encoder.message(FITProfile.MessageNumber.userProfile, local: 0, fields) }
    }

    /// Writes the title as the name of a plan without steps, which is where other programs look for it.
    mutating func writeTitle() {
        guard let title = outline.labels.title else { return }
        let sport = sport(of: outline.parts[0])
        encoder.message(
            FITProfile.MessageNumber.workout, local: 0,
            [
                Value(4, .enum, Int64(sport.sport)), Value(6, .uint16, 0),
                Value(FITProfile.Workout.name.number, title),
            ])
    }

    /// Writes one developer field, with its own name and unit, for each type that FIT has no field for, for the ID of
    /// the workout and for its labels.
    mutating func writeDeveloperFields() {
        if workoutID != nil || !labelFields.isEmpty || records.developers.contains(0) {
            writeDeveloper(0, FITApplication.own)
        }
        if records.developers.contains(1) || !summaryFields.isEmpty { writeDeveloper(1, FITApplication.handedOn) }
        for (key, number) in summaryFields.sorted(by: { $0.value < $1.value }) {
            guard let (name, unit) = FITDeveloperMetadata.field(of: key) else { continue }
            describeField(
                Int(number), of: 1, isText(key) ? .string : .float64, String(name.prefix(63)),
                unit: String(unit.prefix(63)))
        }
        for (number, type) in records.developerTypes.enumerated() {
            let (name, unit) = outline.types[type]
            let developer = records.developers[number]
            let plain = developer == 0 ? name[...] : name.dropFirst(NeutralType.developerPrefix.count)
            describeField(number, of: developer, .float64, String(plain.prefix(63)), unit: String(unit.prefix(63)))
        }
        if workoutID != nil { describeField(Self.identityField, of: 0, .string, FITApplication.workoutID, unit: "") }
        for field in labelFields { describeField(Int(field.number), of: 0, .string, field.name, unit: "") }
    }

    private mutating func writeDeveloper(_ index: Int64, _ application: [UInt8]) {
        encoder.message(
            FITProfile.MessageNumber.developerDataID, local: 0,
            [
                Value(FITProfile.DeveloperDataID.applicationID.number, bytes: application),
                Value(FITProfile.DeveloperDataID.developerDataIndex.number, .uint8, index),
            ])
    }

    private mutating func describeField(
        _ number: Int, of developer: UInt8, _ type: FITBaseType, _ name: String, unit: String
    ) {
        typealias Field = FITProfile.FieldDescription
        var fields = [
            Value(Field.developerDataIndex.number, .uint8, Int64(developer)),
            Value(Field.fieldDefinitionNumber.number, .uint8, Int64(number)),
            Value(Field.baseType.number, .uint8, Int64(type.rawValue)),
            Value(Field.fieldName.number, name),
        ]
        if !unit.isEmpty { fields.append(Value(Field.units.number, unit)) }
        encoder.message(FITProfile.MessageNumber.fieldDescription, local: 0, fields)
    }

    // MARK: Which workout it is

    private static let identityField = 200

    /// The ID of the workout. Nil if it has none.
    private var workoutID: UUID? { outline.header?.ownID }
}

extension ValueSummary {
    /// Nil if there are no values.
    var total: Double? { count == 0 ? nil : sum }
    var least: Double? { count == 0 ? nil : minimum }
    var greatest: Double? { count == 0 ? nil : maximum }
}

/// FIT's numbers of a device: those of its maker and model if they have some, otherwise “development” with its name.
struct FITDeviceNumbers {
    private let manufacturer: UInt16
    private let product: UInt16
    private let serial: UInt32?
    /// Nil if the number identifies the device, or if the device has no name.
    private let name: String?

    /// - Parameters:
    ///   - device: The device, or nil for this library, which wrote the file.
    ///   - stated: FIT's number of a product that has only a name here.
    init(_ device: DeviceDescription?, product stated: UInt16? = nil) {
        let known = FITManufacturer.numbers(manufacturer: device?.manufacturer, model: device?.model)
        manufacturer = known?.manufacturer ?? FITManufacturer.development
        product = known.map { $0.product == 0 ? stated ?? 0 : $0.product } ?? 0
        serial = device?.localIdentifier.flatMap { UInt32($0) }.flatMap { $0 == 0 || $0 == .max ? nil : $0 }
        let name = device.map { $0.model ?? $0.name ?? "sensor" } ?? "OpenHealthKit"
        let isUnnamed = [FITDevices.unnamedRecorder, FITDevices.unnamedStrap].contains(name)
        self.name = known?.product ?? 0 != 0 || isUnnamed ? nil : name
    }

    func fields(manufacturer: UInt8, product: UInt8, serial: UInt8, name: UInt8) -> [FITFieldValue] {
        var fields = [
            FITFieldValue(manufacturer, .uint16, Int64(self.manufacturer)),
            FITFieldValue(product, .uint16, Int64(self.product)),
        ]
        if let number = self.serial { fields.append(FITFieldValue(serial, .uint32z, Int64(number))) }
        if let text = self.name { fields.append(FITFieldValue(name, text)) }
        return fields
    }
}
