import Foundation

/// Converts entries to lines of a session log, in a buffer that is reused.
///
/// Keys have a fixed order: `at` first, then the one that states the kind of the entry. Keys without information are
/// left out, and dictionaries are sorted by key. So equal entries make equal lines. The article <doc:LogFormat>
/// describes the format.
public struct SessionLogEncoder: Sendable {
    /// The lines so far, each with its line feed.
    public private(set) var bytes: [UInt8] = []

    /// Creates an encoder with an empty buffer.
    public init() {}

    /// Appends the line of an entry.
    ///
    /// - Throws: `notFinite`, `impossibleDate`, `lineTooLong` or `unwritableVersion`; `bytes` then stay unchanged.
    public mutating func append(_ entry: SessionEntry) throws(SessionLogError) {
        let start = bytes.count
        do throws(SessionLogError) {
            literal("{\"at\":")
            try date(entry.date, "at")
            try content(entry.content, at: entry.date)
            literal("}\n")
            let length = bytes.count - start - 1
            if length > SessionLogDecoder.maximumLineLength { throw .lineTooLong(bytes: length) }
        } catch {
            bytes.removeLast(bytes.count - start)
            throw error
        }
    }

    /// Empties the buffer and keeps its memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func removeFirst(_ count: Int) {
        bytes.removeFirst(count)
    }

    private mutating func content(_ content: SessionEntry.Content, at date: Date) throws(SessionLogError) {
        switch content {
        case .header(let header):
            try self.header(header)
        case .state(let phase):
            member("state", phase.rawValue)
        case .collection(let phase):
            collection(phase)
        case .activityBegan(let record):
            member("part", "began")
            member("id", record.id)
            try activity(record.activity)
            try metadata("metadata", record.metadata)
        case .activityMetadata(let id, let values):
            member("part", "updated")
            member("id", id)
            try metadata("metadata", values)
        case .activityEnded:
            member("part", "ended")
        case .quantity(let reading):
            member("sample", reading.type)
            try member("value", reading.value)
            member("unit", reading.unit)
            try interval(reading.start, reading.end, at: date)
            member("sensor", reading.sensor)
            if let origin = reading.origin { try self.origin(origin) }
        case .beats(let reading):
            try numbers("rr", reading.intervalsInMilliseconds)
            member("sensor", reading.sensor)
        case .waveform(let reading):
            member("waveform", reading.signal.rawValue)
            try member("samplesPerSecond", reading.samplesPerSecond)
            key("start")
            try self.date(reading.start, "start")
            key("values")
            literal("[")
            for index in reading.values.indices {
                if index > 0 { literal(",") }
                JSONNumber.append(Int(reading.values[index]), to: &bytes)
            }
            literal("]")
            member("sensor", reading.sensor)
        case .position(let reading):
            try position(reading)
        case .routeDiscarded:
            member("route", "discarded")
        case .category(let reading):
            member("category", reading.type)
            key("value")
            JSONNumber.append(reading.value, to: &bytes)
            try interval(reading.start, reading.end, at: date)
            try origin(reading.origin)
        case .event(let record):
            member("event", record.kind.rawValue)
            try interval(record.start, record.end, at: date)
            if record.isAdded { flag("added") }
            try metadata("metadata", record.metadata)
        case .metadata(let metadata):
            try self.metadata("workoutMetadata", metadata, evenIfEmpty: true)
        case .sensor(let status):
            sensor(status)
        case .notification(let record):
            notification(record)
        case .object(let reference):
            member("object", reference.type)
            member("id", reference.id)
        case .wearer(let profile):
            try wearer(profile)
        case .zones(let record):
            member("zonesOf", record.type)
            try numbers("upperBounds", record.upperBounds)
            member("source", record.source.rawValue)
        case .remoteData(let data):
            member("remoteData", data.base64EncodedString())
        case .companion(let progress):
            companion(progress)
        case .clockSet(let seconds):
            try member("clockSet", seconds)
        }
    }
}

// MARK: Parts of entries

extension SessionLogEncoder {
    private mutating func header(_ header: SessionHeader) throws(SessionLogError) {
        guard (1...SessionHeader.currentVersion).contains(header.version) else {
            throw .unwritableVersion(header.version)
        }
        key("log")
        JSONNumber.append(header.version, to: &bytes)
        member("id", header.id)
        try activity(header.activity)
        member("creator", header.creator)
    }

    private mutating func wearer(_ profile: WearerProfile) throws(SessionLogError) {
        member("wearer", profile.sex?.rawValue ?? "unknown")
        try member("age", profile.ageInYears)
        try member("mass", profile.massInKilograms)
        try member("restingHeartRate", profile.restingHeartRate)
        try member("maximumHeartRate", profile.maximumHeartRate)
        try member("vo2Max", profile.vo2Max)
        if let bounds = profile.heartRateZoneLowerBounds { try numbers("zones", bounds) }
    }

    private mutating func companion(_ progress: CompanionProgress) {
        member("companion", progress.companion)
        key("received")
        JSONNumber.append(progress.received, to: &bytes)
        if progress.isAwaited {
            key("awaited")
            literal("true")
        }
        guard let done = progress.done else { return }
        member("requests", done.log)
        key("done")
        JSONNumber.append(done.through, to: &bytes)
    }

    private mutating func collection(_ phase: CollectionPhase) {
        switch phase {
        case .began(let events):
            member("collection", "began")
            key("events")
            literal(events ? "true" : "false")
        case .ended: member("collection", "ended")
        case .finished: member("collection", "finished")
        case .discarded: member("collection", "discarded")
        }
    }

    private mutating func activity(_ activity: ActivityDescription) throws(SessionLogError) {
        member("activity", activity.activity)
        if activity.location != .unknown { member("location", activity.location.rawValue) }
        if activity.swimmingLocation != .unknown { member("swimmingLocation", activity.swimmingLocation.rawValue) }
        try member("lapLength", activity.lapLengthInMeters)
    }

    private mutating func position(_ reading: PositionReading) throws(SessionLogError) {
        try numbers("position", [reading.latitudeInDegrees, reading.longitudeInDegrees])
        try member("altitude", reading.altitudeInMeters)
        try member("horizontalAccuracy", reading.horizontalAccuracyInMeters)
        try member("verticalAccuracy", reading.verticalAccuracyInMeters)
        try member("course", reading.courseInDegrees)
        try member("speed", reading.speedInMetersPerSecond)
        if reading.isAdded { flag("added") }
    }

    private mutating func sensor(_ status: SensorStatus) {
        member("presence", status.presence.rawValue)
        member("sensor", status.id)
        member("kind", status.kind.rawValue)
        if let percent = status.batteryPercent {
            key("battery")
            JSONNumber.append(percent, to: &bytes)
        }
        if status.device != DeviceDescription() { device(status.device) }
    }

    private mutating func notification(_ record: NotificationRecord) {
        key("notification")
        literal("\"")
        for shift in stride(from: 12, through: 0, by: -4) {
            bytes.append(Hexadecimal.capitalDigits[Int(record.characteristic >> UInt16(shift)) & 15])
        }
        literal("\"")
        key("bytes")
        literal("\"")
        for byte in record.bytes {
            bytes.append(Hexadecimal.digits[Int(byte >> 4)])
            bytes.append(Hexadecimal.digits[Int(byte & 15)])
        }
        literal("\"")
        member("sensor", record.sensor)
    }

    private mutating func interval(_ start: Date, _ end: Date, at date: Date) throws(SessionLogError) {
        if !isSame(start, date) {
            key("start")
            try self.date(start, "start")
        }
        if !isSame(end, date) {
            key("end")
            try self.date(end, "end")
        }
        guard start <= end else { throw .impossibleDate(key: "end") }
    }

    private func isSame(_ a: Date, _ b: Date) -> Bool {
        a.timeIntervalSinceReferenceDate.bitPattern == b.timeIntervalSinceReferenceDate.bitPattern
    }

    private mutating func origin(_ origin: SampleOrigin) throws(SessionLogError) {
        member("id", origin.id)
        if let device = origin.device { self.device(device) }
        try metadata("metadata", origin.metadata)
    }

    private mutating func device(_ device: DeviceDescription) {
        key("device")
        literal("{")
        member("name", device.name)
        member("manufacturer", device.manufacturer)
        member("model", device.model)
        member("hardwareVersion", device.hardwareVersion)
        member("firmwareVersion", device.firmwareVersion)
        member("softwareVersion", device.softwareVersion)
        member("localIdentifier", device.localIdentifier)
        member("udiDeviceIdentifier", device.udiDeviceIdentifier)
        literal("}")
    }

    private mutating func metadata(
        _ key: StaticString, _ metadata: [String: MetadataValue], evenIfEmpty: Bool = false
    ) throws(SessionLogError) {
        if metadata.isEmpty && !evenIfEmpty { return }
        self.key(key)
        literal("{")
        for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
            separate()
            string(name)
            literal(":")
            switch value {
            case .string(let text): string(text)
            case .number(let number): try self.number(number, key)
            case .bool(let bool): literal(bool ? "true" : "false")
            case .date(let date):
                literal("{\"date\":")
                try self.date(date, key)
                literal("}")
            case .quantity(let number, let unit):
                literal("{\"value\":")
                try self.number(number, key)
                member("unit", unit)
                literal("}")
            }
        }
        literal("}")
    }
}

// MARK: Members and values

extension SessionLogEncoder {
    private mutating func literal(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a comma, unless the member is the first of its object.
    private mutating func separate() {
        if bytes.last != UInt8(ascii: "{") { literal(",") }
    }

    private mutating func key(_ key: StaticString) {
        separate()
        literal("\"")
        literal(key)
        literal("\":")
    }

    private mutating func flag(_ key: StaticString) {
        self.key(key)
        literal("true")
    }

    private mutating func member(_ key: StaticString, _ text: String?) {
        guard let text else { return }
        self.key(key)
        string(text)
    }

    private mutating func member(_ key: StaticString, _ id: UUID) {
        self.key(key)
        literal("\"")
        withUnsafeBytes(of: id.uuid) { octets in
            for (index, octet) in octets.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 { literal("-") }
                bytes.append(Hexadecimal.capitalDigits[Int(octet >> 4)])
                bytes.append(Hexadecimal.capitalDigits[Int(octet & 15)])
            }
        }
        literal("\"")
    }

    private mutating func member(_ key: StaticString, _ number: Double?) throws(SessionLogError) {
        guard let number else { return }
        self.key(key)
        try self.number(number, key)
    }

    private mutating func numbers(_ key: StaticString, _ numbers: [Double]) throws(SessionLogError) {
        self.key(key)
        literal("[")
        for index in numbers.indices {
            if index > 0 { literal(",") }
            try number(numbers[index], key)
        }
        literal("]")
    }

    private mutating func number(_ number: Double, _ key: StaticString) throws(SessionLogError) {
        guard number.isFinite else { throw .notFinite(key: key.description) }
        JSONNumber.append(number, to: &bytes)
    }

    private mutating func date(_ date: Date, _ key: StaticString) throws(SessionLogError) {
        let seconds = date.timeIntervalSinceReferenceDate
        guard seconds.isFinite else { throw .notFinite(key: key.description) }
        guard SessionLogDate.isInRange(seconds) else { throw .impossibleDate(key: key.description) }
        SessionLogDate.append(seconds, to: &bytes)
    }

    private mutating func string(_ text: String) {
        literal("\"")
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices {
                let byte = utf8[index]
                if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
                escape(byte)
                start = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
        literal("\"")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): literal("\\\"")
        case UInt8(ascii: "\\"): literal("\\\\")
        case 0x0A: literal("\\n")
        case 0x0D: literal("\\r")
        case 0x09: literal("\\t")
        default:
            literal("\\u00")
            bytes.append(Hexadecimal.digits[Int(byte >> 4)])
            bytes.append(Hexadecimal.digits[Int(byte & 15)])
        }
    }
}
