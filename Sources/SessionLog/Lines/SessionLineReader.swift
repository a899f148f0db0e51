import Foundation

/// Makes an entry from a line. It first finds the one key that states the entry's kind, then the values of that kind.
struct SessionLineReader: Sendable {
    /// The kinds of entries, each named by the key that only lines of this kind have.
    private enum Kind: String, CaseIterable {
        case log, state, collection, part, sample, rr, position, route, category, event, workoutMetadata, presence
        case waveform, notification, remoteData, object, wearer, zonesOf, companion, clockSet
    }

    private var names = StringPool()
    private var kinds = ReadingKindCache()

    /// Returns the entry of a line. Nil if the line is valid but of a kind that this version does not know.
    ///
    /// `object` is memory for the line's members, reused from line to line.
    mutating func entry(
        _ line: UnsafeBufferPointer<UInt8>, members object: inout JSONObject
    ) throws(LineFault) -> SessionEntry? {
        try object.read(line: line)
        guard let kind = try kind(object) else { return nil }
        let date = try requiredDate("at", object)
        return SessionEntry(date, try content(kind, object, at: date))
    }

    private func kind(_ object: JSONObject) throws(LineFault) -> Kind? {
        var found: Kind?
        for (key, value) in object.members where value.kind != .null {
            guard let kind = kind(key, object), kind != found else { continue }
            if let found {
                throw LineFault(key.range.lowerBound, "an entry is either “\(found)” or “\(kind)”, not both")
            }
            found = kind
        }
        return found
    }

    private func kind(_ key: JSONValue, _ object: JSONObject) -> Kind? {
        if key.kind == .escapedString { return Kind(rawValue: object.text(key)) }
        func known(_ kind: Kind, _ name: StaticString) -> Kind? { object.isKey(key, name) ? kind : nil }
        switch key.range.count {
        case 2: return known(.rr, "rr")
        case 3: return known(.log, "log")
        case 4: return known(.part, "part")
        case 5: return known(.state, "state") ?? known(.event, "event") ?? known(.route, "route")
        case 6: return known(.sample, "sample") ?? known(.object, "object") ?? known(.wearer, "wearer")
        case 7: return known(.zonesOf, "zonesOf")
        case 8:
            return known(.position, "position") ?? known(.category, "category") ?? known(.presence, "presence")
                ?? known(.clockSet, "clockSet") ?? known(.waveform, "waveform")
        case 9: return known(.companion, "companion")
        case 10: return known(.collection, "collection") ?? known(.remoteData, "remoteData")
        case 12: return known(.notification, "notification")
        case 15: return known(.workoutMetadata, "workoutMetadata")
        default: return nil
        }
    }

    private mutating func content(
        _ kind: Kind, _ line: JSONObject, at date: Date
    ) throws(LineFault) -> SessionEntry.Content {
        switch kind {
        case .log:
            return .header(try header(line))
        case .state:
            return .state(try choice("state", line))
        case .collection:
            return .collection(try collection(line))
        case .part:
            return try part(line)
        case .sample:
            let interval = try interval(line, at: date)
            let type = try required("sample", string("sample", line))
            let value = try required("value", number("value", line))
            let unit = try required("unit", string("unit", line))
            let measured = readingKind(type, unit, sensor: try string("sensor", line), line)
            return .quantity(
                QuantityReading(
                    measured, value, start: interval.start, end: interval.end, origin: try origin(line)))
        case .rr:
            return .beats(
                BeatReading(
                    intervalsInMilliseconds: try required("rr", numbers("rr", line)),
                    sensor: try name("sensor", line)))
        case .waveform:
            return .waveform(try waveform(line))
        case .position:
            return .position(try position(line))
        case .route:
            let value = try required("route", string("route", line))
            guard line.text(value) == "discarded" else {
                throw misread("route", value, "a value that this version knows")
            }
            return .routeDiscarded
        case .category:
            let interval = try interval(line, at: date)
            return .category(
                CategoryReading(
                    try requiredName("category", line), try required("value", integer("value", line)),
                    start: interval.start, end: interval.end, origin: try required("id", origin(line))))
        case .event:
            let interval = try interval(line, at: date)
            return .event(
                EventRecord(
                    try choice("event", line), start: interval.start, end: interval.end,
                    metadata: try metadata("metadata", line), isAdded: try flag("added", line)))
        case .workoutMetadata:
            return .metadata(try metadata("workoutMetadata", line))
        case .presence:
            return .sensor(try sensor(line))
        case .notification:
            return .notification(try notification(line))
        case .object:
            return .object(ObjectReference(id: try requiredUUID("id", line), type: try requiredName("object", line)))
        case .wearer:
            return .wearer(try wearer(line))
        case .zonesOf:
            let record = ZoneRecord(
                try requiredName("zonesOf", line),
                upperBounds: try required("upperBounds", numbers("upperBounds", line)),
                source: try choice("source", line))
            guard record.isValid else {
                throw LineFault(0, "“zonesOf” is heartRate or cyclingPower, and “upperBounds” rise from above 0")
            }
            return .zones(record)
        case .remoteData:
            let text = try required("remoteData", string("remoteData", line))
            guard let data = Data(base64Encoded: line.text(text)) else { throw misread("remoteData", text, "base64") }
            return .remoteData(data)
        case .companion:
            return .companion(try companion(line))
        case .clockSet:
            return .clockSet(bySeconds: try required("clockSet", number("clockSet", line)))
        }
    }
}

// MARK: Parts of entries

extension SessionLineReader {
    private func wearer(_ line: JSONObject) throws(LineFault) -> WearerProfile {
        let sex = try required("wearer", string("wearer", line))
        return WearerProfile(
            sex: WearerProfile.Sex(rawValue: line.text(sex)), ageInYears: try number("age", line),
            massInKilograms: try number("mass", line), restingHeartRate: try number("restingHeartRate", line),
            maximumHeartRate: try number("maximumHeartRate", line), vo2Max: try number("vo2Max", line),
            heartRateZoneLowerBounds: try numbers("zones", line))
    }

    private func companion(_ line: JSONObject) throws(LineFault) -> CompanionProgress {
        let name = try required("companion", string("companion", line))
        var progress = CompanionProgress(
            companion: line.text(name), received: try required("received", integer("received", line)),
            isAwaited: try flag("awaited", line))
        if let log = try uuid("requests", line) {
            progress.done = .init(log: log, through: try required("done", integer("done", line)))
        }
        return progress
    }

    private mutating func header(_ line: JSONObject) throws(LineFault) -> SessionHeader {
        let version = try required("log", integer("log", line))
        if version > SessionHeader.currentVersion {
            throw LineFault(0, "log version \(version)", newerVersion: version)
        }
        guard version >= 1 else { throw LineFault(0, "there is no log version \(version)") }
        return SessionHeader(
            version: version, id: try requiredUUID("id", line), activity: try activity(line),
            creator: try name("creator", line))
    }

    private mutating func activity(_ line: JSONObject) throws(LineFault) -> ActivityDescription {
        ActivityDescription(
            activity: try requiredName("activity", line),
            location: try line.value("location") == nil ? .unknown : choice("location", line),
            swimmingLocation: try line.value("swimmingLocation") == nil ? .unknown : choice("swimmingLocation", line),
            lapLengthInMeters: try number("lapLength", line))
    }

    private func collection(_ line: JSONObject) throws(LineFault) -> CollectionPhase {
        let value = try required("collection", string("collection", line))
        switch line.text(value) {
        case "began":
            guard let events = line.value("events") else { throw missing("events") }
            guard events.kind == .bool else { throw misread("events", events, "true or false") }
            return .began(events: events.number == 1)
        case "ended": return .ended
        case "finished": return .finished
        case "discarded": return .discarded
        default: throw misread("collection", value, "a value that this version knows")
        }
    }

    private mutating func part(_ line: JSONObject) throws(LineFault) -> SessionEntry.Content {
        let value = try required("part", string("part", line))
        switch line.text(value) {
        case "began":
            return .activityBegan(
                ActivityRecord(
                    id: try requiredUUID("id", line), activity: try activity(line),
                    metadata: try metadata("metadata", line)))
        case "updated":
            return .activityMetadata(try requiredUUID("id", line), try metadata("metadata", line))
        case "ended": return .activityEnded
        default: throw misread("part", value, "a value that this version knows")
        }
    }

    private mutating func waveform(_ line: JSONObject) throws(LineFault) -> WaveformReading {
        let signal: WaveformReading.Signal = try choice("waveform", line)
        let rate = try required("samplesPerSecond", number("samplesPerSecond", line))
        guard (0.001...1_000_000).contains(rate) else { throw LineFault(0, "“samplesPerSecond” is more than 0") }
        let numbers = try required("values", numbers("values", line))
        let values = numbers.compactMap { Int32(exactly: $0) }
        guard values.count == numbers.count, values.count % signal.channels == 0, !values.isEmpty else {
            throw LineFault(
                0, "“values” are whole numbers, \(signal.channels == 1 ? "at least one" : "three for each sample")")
        }
        return WaveformReading(
            signal, values, samplesPerSecond: rate, start: try requiredDate("start", line),
            sensor: try name("sensor", line))
    }

    private func position(_ line: JSONObject) throws(LineFault) -> PositionReading {
        let degrees = try required("position", numbers("position", line))
        guard degrees.count == 2 else { throw LineFault(0, "“position” is latitude and longitude, two numbers") }
        return PositionReading(
            latitudeInDegrees: degrees[0], longitudeInDegrees: degrees[1],
            altitudeInMeters: try number("altitude", line),
            horizontalAccuracyInMeters: try number("horizontalAccuracy", line),
            verticalAccuracyInMeters: try number("verticalAccuracy", line),
            courseInDegrees: try number("course", line), speedInMetersPerSecond: try number("speed", line),
            isAdded: try flag("added", line))
    }

    private mutating func sensor(_ line: JSONObject) throws(LineFault) -> SensorStatus {
        SensorStatus(
            id: try requiredName("sensor", line), kind: try choice("kind", line),
            presence: try choice("presence", line), device: try device(line) ?? DeviceDescription(),
            batteryPercent: try integer("battery", line))
    }

    private mutating func notification(_ line: JSONObject) throws(LineFault) -> NotificationRecord {
        let number = try required("notification", string("notification", line))
        guard let characteristic = UInt16(line.text(number), radix: 16) else {
            throw misread("notification", number, "a characteristic's 16-bit number in hexadecimal")
        }
        let text = try required("bytes", string("bytes", line))
        guard let bytes = Hexadecimal.bytes(line.bytes(text)) else {
            throw misread("bytes", text, "pairs of hexadecimal digits")
        }
        return NotificationRecord(characteristic: characteristic, bytes: bytes, sensor: try name("sensor", line))
    }

    private func origin(_ line: JSONObject) throws(LineFault) -> SampleOrigin? {
        guard let id = try uuid("id", line) else { return nil }
        return SampleOrigin(id: id, device: try device(line), metadata: try metadata("metadata", line))
    }

    private func device(_ line: JSONObject) throws(LineFault) -> DeviceDescription? {
        guard let value = line.value("device") else { return nil }
        guard value.kind == .object else { throw misread("device", value, "an object") }
        let device = try line.object(value)
        func text(_ key: StaticString) throws(LineFault) -> String? { try string(key, device).map(device.text) }
        return DeviceDescription(
            name: try text("name"), manufacturer: try text("manufacturer"), model: try text("model"),
            hardwareVersion: try text("hardwareVersion"), firmwareVersion: try text("firmwareVersion"),
            softwareVersion: try text("softwareVersion"), localIdentifier: try text("localIdentifier"),
            udiDeviceIdentifier: try text("udiDeviceIdentifier"))
    }

    private func metadata(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> [String: MetadataValue] {
        guard let value = line.value(key) else { return [:] }
        guard value.kind == .object else { throw misread(key, value, "an object") }
        let object = try line.object(value)
        var metadata: [String: MetadataValue] = [:]
        for (name, value) in object.members { metadata[object.text(name)] = try metadataValue(key, value, object) }
        return metadata
    }

    private func metadataValue(
        _ key: StaticString, _ value: JSONValue, _ line: JSONObject
    ) throws(LineFault) -> MetadataValue {
        switch value.kind {
        case .string, .escapedString: return .string(line.text(value))
        case .number: return .number(value.number)
        case .bool: return .bool(value.number == 1)
        case .object:
            let object = try line.object(value)
            if let date = try date("date", object) { return .date(date) }
            if let number = try number("value", object), let unit = try string("unit", object) {
                return .quantity(number, unit: object.text(unit))
            }
            throw misread(key, value, "a date, or a value with its unit")
        case .array, .null: throw misread(key, value, "a string, number, bool, date or quantity")
        }
    }
}

// MARK: Values of keys

extension SessionLineReader {
    private func missing(_ key: StaticString) -> LineFault { LineFault(0, "“\(key)” is missing") }

    private func misread(_ key: StaticString, _ value: JSONValue, _ expected: String) -> LineFault {
        LineFault(value.range.lowerBound, "“\(key)” is not \(expected)")
    }

    private func required<Value>(_ key: StaticString, _ value: Value?) throws(LineFault) -> Value {
        guard let value else { throw missing(key) }
        return value
    }

    /// Returns false if the key is missing.
    private func flag(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> Bool {
        guard let value = line.value(key) else { return false }
        guard value.kind == .bool else { throw misread(key, value, "true or false") }
        return value.number == 1
    }

    private func number(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> Double? {
        guard let value = line.value(key) else { return nil }
        guard value.kind == .number else { throw misread(key, value, "a number") }
        return value.number
    }

    private func integer(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> Int? {
        guard let value = line.value(key) else { return nil }
        // Above 2^53 the digits are more precise than the Double.
        if value.kind == .number, let integer = Int(exactly: value.number), integer.magnitude <= 1 << 53 {
            return integer
        }
        guard value.kind == .number, let integer = Int(String(decoding: line.bytes(value), as: UTF8.self)) else {
            throw misread(key, value, "an integer")
        }
        return integer
    }

    private func numbers(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> [Double]? {
        guard let value = line.value(key) else { return nil }
        guard value.kind == .array, let numbers = try line.numbers(value) else {
            throw misread(key, value, "an array of numbers")
        }
        return numbers
    }

    private func string(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> JSONValue? {
        guard let value = line.value(key) else { return nil }
        guard value.kind == .string || value.kind == .escapedString else { throw misread(key, value, "a string") }
        return value
    }

    /// Returns a string that the lines of a log repeat.
    private mutating func name(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> String? {
        guard let value = try string(key, line) else { return nil }
        return value.kind == .string ? names.name(line.bytes(value)) : line.text(value)
    }

    private mutating func readingKind(
        _ type: JSONValue, _ unit: JSONValue, sensor: JSONValue?, _ line: JSONObject
    ) -> ReadingKind {
        if type.kind == .string, unit.kind == .string, sensor?.kind ?? .string == .string {
            return kinds.kind(line.bytes(type), unit: line.bytes(unit), sensor: sensor.map(line.bytes))
        }
        return ReadingKind(line.text(type), unit: line.text(unit), sensor: sensor.map(line.text))
    }

    private mutating func requiredName(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> String {
        try required(key, name(key, line))
    }

    private func choice<Choice: RawRepresentable<String>>(
        _ key: StaticString, _ line: JSONObject
    ) throws(LineFault) -> Choice {
        let value = try required(key, string(key, line))
        guard let choice = Choice(rawValue: line.text(value)) else {
            throw misread(key, value, "a value that this version knows")
        }
        return choice
    }

    private func date(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> Date? {
        guard let value = line.value(key) else { return nil }
        let seconds: Double?
        switch value.kind {
        case .number: seconds = value.number
        case .string: seconds = SessionLogDate.parse(line.bytes(value))
        default: seconds = nil
        }
        guard let seconds else { throw misread(key, value, "an ISO 8601 date with a time zone") }
        // Code that adds and converts dates later relies on this range.
        guard SessionLogDate.isInRange(seconds) else { throw misread(key, value, "a date of the years 0000 … 9999") }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// Returns `start` and `end`. A missing one equals the entry's date.
    private func interval(_ line: JSONObject, at date: Date) throws(LineFault) -> (start: Date, end: Date) {
        let start = try self.date("start", line) ?? date
        let end = try self.date("end", line) ?? date
        guard start <= end else {
            let place = line.value("end") ?? line.value("start")
            throw LineFault(place?.range.lowerBound ?? 0, "“end” is before “start”")
        }
        return (start, end)
    }

    private func requiredDate(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> Date {
        try required(key, date(key, line))
    }

    private func uuid(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> UUID? {
        guard let value = try string(key, line) else { return nil }
        guard let uuid = UUID(uuidString: line.text(value)) else { throw misread(key, value, "a UUID") }
        return uuid
    }

    private func requiredUUID(_ key: StaticString, _ line: JSONObject) throws(LineFault) -> UUID {
        try required(key, uuid(key, line))
    }
}
