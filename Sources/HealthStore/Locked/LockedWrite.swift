import SessionLog

/// A file of the journal of a locked device: a line of JSON, with objects as keyed archives (``ObjectArchive``). The log of a
/// workout follows as JSON Lines. In files of earlier versions it is part of the first line.
struct LockedWrite: Codable {
    private var source: Data
    private var objects: [Data]
    /// The log of a workout, in files of earlier versions.
    private var log: String?
    private var isLogBehind: Bool?
    /// The app's metadata for the route of a workout.
    private var routeMetadata: Data?
    private var heartbeats: [StoredHeartbeat]?
    private var quantities: [Quantity]?
    /// The voltages of an electrocardiogram, in microvolts.
    private var voltages: [Double]?
    /// The positions, as entries of a log.
    private var route: String?

    private struct Quantity: Codable {
        var value: Double
        var unit: String
        var start: Date
        var end: Date
    }

    init(_ write: StoreWrite, from source: HKSourceRevision) throws {
        self.source = try ObjectArchive.encoded(source)
        switch write {
        case .objects(let objects):
            self.objects = try objects.map { object in
                guard let sample = object as? HKSample else {
                    throw HKError.make(
                        .errorInvalidArgument,
                        "An object of class \(type(of: object)) cannot be saved: it is not a sample.")
                }
                return try ObjectArchive.encoded(sample)
            }
        case .recording(_, let log, let finish):
            let finished = try finish([])
            self = try LockedWrite(.workout(finished.workout, log: log, adding: finished.added), from: source)
            return
        case .workout(let workout, _, let added):
            let others: [HKSample?] = [added.heartbeats?.sample, added.effort]
            objects = try ([workout] + others.compactMap { $0 }).map(ObjectArchive.encoded)
            isLogBehind = true
            heartbeats = added.heartbeats?.beats
            routeMetadata = try added.routeMetadata.map(StoredMetadata.encoded)
        case .series(let sample, .heartbeats(let beats)):
            objects = [try ObjectArchive.encoded(sample)]
            heartbeats = beats
        case .series(let sample, .positions(let positions)):
            objects = [try ObjectArchive.encoded(sample)]
            route = try Self.text(positions.map { SessionEntry($0.date, .position($0.position)) })
        case .series(let sample, .quantities(let quantities)):
            objects = [try ObjectArchive.encoded(sample)]
            self.quantities = quantities.map {
                Quantity(
                    value: $0.quantity.value, unit: $0.quantity.unit.unitString, start: $0.start, end: $0.end)
            }
        case .series(let sample, .voltages(let microvolts)):
            objects = [try ObjectArchive.encoded(sample)]
            voltages = microvolts
        }
    }

    /// Writes the data to the disk. Only a piece of a workout's log is in memory at a time.
    static func keep(_ write: StoreWrite, from source: HKSourceRevision, in file: URL) throws {
        var file = try UnfinishedFile(file)
        try file.write([UInt8](JSONEncoder().encode(LockedWrite(write, from: source))))
        if let log = write.log {
            try file.write([0x0A])
            var encoder = SessionLogEncoder()
            try log.forEach { entry in
                try encoder.append(entry)
                guard encoder.bytes.count >= 1 << 16 else { return }
                try file.write(encoder.bytes)
                encoder.removeAll()
            }
            try file.write(encoder.bytes)
        }
        try file.finish()
    }

    init(decoding data: Data) throws {
        self = try JSONDecoder().decode(LockedWrite.self, from: data)
    }

    func sourceRevision() throws -> HKSourceRevision {
        try ObjectArchive.decoded(source, as: HKSourceRevision.self)
    }

    /// - Parameter rest: The bytes after the line. Nil without any.
    func write(_ rest: LoggedEntries?) throws -> StoreWrite {
        let samples = try objects.map(ObjectArchive.decoded)
        if isLogBehind == true, rest == nil { throw LockedWriteError.damaged("the log of the workout") }
        let entries: (any SessionEntries)? = isLogBehind == true ? rest : try log.map(Self.entries)
        if let log = entries {
            guard let workout = samples.first as? HKWorkout else { throw LockedWriteError.damaged("the workout") }
            var added = AddedSeries(routeMetadata: try routeMetadata.map(StoredMetadata.decoded))
            for sample in samples.dropFirst() {
                if let heartbeats, let series = sample as? HKHeartbeatSeriesSample {
                    added.heartbeats = (series, heartbeats)
                }
                if let effort = sample as? HKQuantitySample { added.effort = effort }
            }
            return .workout(workout, log: log, adding: added)
        }
        guard heartbeats != nil || route != nil || quantities != nil || voltages != nil else {
            return .objects(samples)
        }
        guard let series = samples.first else { throw LockedWriteError.damaged("the series") }
        if let voltages { return .series(series, .voltages(inMicrovolts: voltages)) }
        if let heartbeats { return .series(series, .heartbeats(heartbeats)) }
        if let route {
            let positions = try Self.entries(route).compactMap { entry in
                if case .position(let position) = entry.content { (date: entry.date, position: position) } else { nil }
            }
            return .series(series, .positions(positions))
        }
        let values = try (quantities ?? []).map { one in
            guard let unit = try? HKUnit.parse(one.unit) else { throw LockedWriteError.damaged("the unit \(one.unit)") }
            return StoredQuantity(
                quantity: HKQuantity(unit: unit, doubleValue: one.value), start: one.start, end: one.end)
        }
        return .series(series, .quantities(values))
    }

    private static func text(_ entries: any SessionEntries) throws -> String {
        var encoder = SessionLogEncoder()
        try entries.forEach { try encoder.append($0) }
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    private static func entries(_ text: String) throws -> [SessionEntry] {
        var decoder = SessionLogDecoder()
        var entries: [SessionEntry] = []
        try decoder.decode(Array(text.utf8), into: &entries)
        try decoder.finish(into: &entries)
        return entries
    }
}

enum LockedWriteError: Error, CustomStringConvertible {
    case damaged(String)

    var description: String {
        switch self {
        case .damaged(let part): "\(part) in data saved while locked cannot be read"
        }
    }
}
