import Foundation
import SessionLog

/// A workout of Gadgetbridge: its summary, the heart rates that watches measured meanwhile, and its track in a GPX file.
/// Times are in seconds since 2001.
struct GadgetbridgeWorkout {
    static let table = GadgetbridgeTracks.table
    static let columns: Set = ["START_TIME", "END_TIME", "ACTIVITY_KIND", "DEVICE_ID"]

    private let start: Double
    private let end: Double
    private let kind: Int64
    /// The number of the watch or band.
    private let device: Int64
    private let deviceName: String
    /// The address of the watch.
    private let deviceID: String
    private let title: String?
    private let figures: Figures
    /// The name of its GPX file, and of the file that the watch recorded.
    private let track: String?
    private let details: String?
    private var heartRates: [TimedReading] = []

    /// What the watch counted. Unknown figures are NaN.
    private struct Figures {
        var distanceInMeters = Double.nan
        var kilocalories = Double.nan
        var steps = Double.nan
        var activeSeconds = Double.nan

        /// - Parameter json: An object of objects with a value and a unit.
        init(_ json: String?) {
            let object = json.flatMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) } as? [String: Any]
            func number(_ name: String) -> Double {
                let field = object?[name] as? [String: Any]
                guard let value = JSONFile.number(field?["value"]), value > 0 else { return .nan }
                return field?["unit"] as? String == "km" ? value * 1000 : value
            }
            distanceInMeters = number("distanceMeters")
            let active = number("active_calories")
            kilocalories = active.isNaN ? number("caloriesBurnt") : active
            steps = number("steps")
            activeSeconds = number("activeSeconds")
        }
    }

    // MARK: Reading

    /// Returns the workouts of an export in order of time.
    static func all(in database: SQLiteReader) throws(RecordingError) -> [GadgetbridgeWorkout] {
        let devices = try devices(database)
        let optional = try database.columns(of: table)
        func column(_ name: String) -> String { optional.contains(name) ? name : "NULL" }
        var workouts: [GadgetbridgeWorkout] = []
        try database.forEach(
            """
            SELECT START_TIME, END_TIME, ACTIVITY_KIND, DEVICE_ID, \(column("NAME")), \(column("SUMMARY_DATA")),
                \(column("GPX_TRACK")), \(column("RAW_DETAILS_PATH")) FROM \(table) ORDER BY START_TIME, DEVICE_ID
            """
        ) { row in
            let workout = GadgetbridgeWorkout(row, devices[row.integer(3)])
            if workout.isPlausible { workouts.append(workout) }
        }
        let sources = try heartRateSources(database)
        for index in workouts.indices { try workouts[index].readHeartRates(database, sources) }
        return workouts
    }

    private init(_ row: SQLiteReader.Row, _ known: (name: String, id: String)?) {
        start = TrackPoint.time(unixMilliseconds: row.number(0))
        end = TrackPoint.time(unixMilliseconds: row.number(1))
        kind = row.integer(2)
        device = row.integer(3)
        deviceName = known?.name ?? "Gadgetbridge"
        deviceID = known?.id ?? ""
        title = row.text(4)
        figures = Figures(row.text(5))
        track = row.text(6).map { String(TakeoutFiles.lastPart(of: $0)) }
        details = row.text(7).map { String(TakeoutFiles.lastPart(of: $0)) }
    }

    private var isPlausible: Bool { TakeoutFiles.canLast(from: start, to: end) && !Self.sleep.contains(kind) }

    /// Returns the names and addresses of watches by their numbers.
    private static func devices(_ database: SQLiteReader) throws(RecordingError) -> [Int64: (name: String, id: String)]
    {
        let columns = try database.columns(of: "DEVICE")
        guard columns.isSuperset(of: ["_id", "NAME", "IDENTIFIER"]) else { return [:] }
        var devices: [Int64: (name: String, id: String)] = [:]
        let maker = columns.contains("MANUFACTURER") ? "MANUFACTURER" : "NULL"
        try database.forEach("SELECT _id, NAME, IDENTIFIER, \(maker) FROM DEVICE") { row in
            let name = row.text(1) ?? "Gadgetbridge"
            let isComplete = row.text(3).map { name.lowercased().contains($0.lowercased()) } ?? true
            devices[row.integer(0)] = (isComplete ? name : "\(row.text(3) ?? "") \(name)", row.text(2) ?? "")
        }
        return devices
    }

    /// Tables with heart rates, and the number of their ticks in a second.
    private static func heartRateSources(
        _ database: SQLiteReader
    ) throws(RecordingError) -> [(from: String, ticks: Double)] {
        var tables: [String] = []
        try database.forEach("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '%!_SAMPLE' ESCAPE '!'")
        {
            let name = $0.text(0) ?? ""
            // Those of a day state one number for all of it.
            let isOfDays = name.contains("RESTING") || name.contains("_MAX_")
            if name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }), !isOfDays {
                tables.append(name)
            }
        }
        /// Tables to select from, and the one with the times.
        var found: [(from: String, times: String)] = []
        for table in tables where try database.has(["TIMESTAMP", "DEVICE_ID", "HEART_RATE"], in: table) {
            found.append((table, table))
        }
        let (readings, workouts) = ("HUAWEI_WORKOUT_DATA_SAMPLE", "HUAWEI_WORKOUT_SUMMARY_SAMPLE")
        if try database.has(["WORKOUT_ID", "TIMESTAMP", "HEART_RATE"], in: readings),
            try database.has(["WORKOUT_ID", "DEVICE_ID"], in: workouts)
        {
            // In this order, because the readings are sorted by their workout.
            found.append(("\(workouts) CROSS JOIN \(readings) USING (WORKOUT_ID)", readings))
        }
        var sources: [(from: String, ticks: Double)] = []
        for (from, times) in found {
            // Older tables count seconds, newer ones milliseconds.
            try database.forEach("SELECT MAX(TIMESTAMP) FROM \(times)") {
                sources.append((from, $0.number(0) > 1e11 ? 1000 : 1))
            }
        }
        return sources
    }

    /// Reads the heart rates of its own watch, or else those of the device that measured most.
    private mutating func readHeartRates(
        _ database: SQLiteReader, _ sources: [(from: String, ticks: Double)]
    ) throws(RecordingError) {
        var best: (isOwn: Bool, readings: [TimedReading]) = (false, [])
        for source in sources {
            func ticks(_ time: Double) -> Double {
                ((time + Date.timeIntervalBetween1970AndReferenceDate) * source.ticks).rounded()
            }
            var readings: [Int64: [TimedReading]] = [:]
            // Other numbers state that there was no contact (Gadgetbridge, HeartRateUtils).
            try database.forEach(
                """
                SELECT DEVICE_ID, TIMESTAMP, HEART_RATE FROM \(source.from)
                    WHERE TIMESTAMP BETWEEN \(ticks(start)) AND \(ticks(end)) AND HEART_RATE BETWEEN 10 AND 250
                    ORDER BY TIMESTAMP
                """
            ) { row in
                let time = TrackPoint.time(unixSeconds: row.number(1) / source.ticks)
                readings[row.integer(0), default: []].append(TimedReading(time: time, value: row.number(2)))
            }
            for (other, readings) in readings.sorted(by: { $0.key < $1.key }) {
                let isOwn = other == device
                if isOwn == best.isOwn ? readings.count > best.readings.count : isOwn { best = (isOwn, readings) }
            }
        }
        heartRates = best.readings
    }

    // MARK: The recording

    /// Returns nil if the watch's own file is beside the database: it has all that the watch recorded.
    /// - Parameter number: Its number in the export.
    func recording(
        _ number: Int, _ format: any RecordingFormat, _ files: TakeoutFiles?, activity: String?,
        _ latest: LatestValues<Int, [TrackStep]>
    ) -> Recording? {
        if let details, details.lowercased().hasSuffix(".fit"), files?.fitNames.contains(details) == true { return nil }
        let source = track.flatMap { files?.tracks[$0] }
        let (steps, warnings) = steps(source)
        var recording = StoredTrackSteps.recording(
            steps, again: { latest.value(of: number) { self.steps(source).steps } }, leftOut: [], format: format,
            activity: activity)
        recording.file.warnings = warnings + recording.file.warnings
        recording.identify(in: "Gadgetbridge", readings: steps.count) { print in
            print.combine(deviceID)
            print.combine(start.bitPattern)
        }
        return recording
    }

    private func steps(_ track: RecordingSource?) -> (steps: [TrackStep], warnings: [RecordingWarning]) {
        var session = TrackSession(start: start, seconds: end - start)
        session.activeSeconds = figures.activeSeconds
        session.distanceInMeters = figures.distanceInMeters
        session.kilocalories = figures.kilocalories
        session.steps = figures.steps
        var labels = WorkoutLabels()
        labels.title = title
        var steps: [TrackStep] = [.workout(byte: 0, goesOn: false), .part]
        let (places, warnings) = track.map(Self.places) ?? ([], [])
        if let description = description(isOutdoors: !places.isEmpty) { steps.append(.activity(description)) }
        steps += [.session(session), .device(TrackDevice(name: deviceName)), .labels(labels)]
        return (steps + withHeartRates(places), warnings)
    }

    /// Reads the points of a GPX file and where the track is interrupted.
    private static func places(_ track: RecordingSource) -> ([TrackStep], [RecordingWarning]) {
        var steps: [TrackStep] = []
        do {
            var reader = TrackReader<GPXGrammar>(try track.open().stream, byte: 0)
            while let step = try reader.next() {
                switch step {
                case .point, .segment: steps.append(step)
                default: break
                }
            }
            return (steps, reader.warnings.map { RecordingWarning(byte: $0.byte, message: "its track: \($0.message)") })
        } catch {
            return (steps, [RecordingWarning(byte: 0, message: "its track cannot be read to the end: \(error)")])
        }
    }

    /// Returns the track with the heart rates of the watch, unless it has its own.
    private func withHeartRates(_ places: [TrackStep]) -> [TrackStep] {
        let hasOwn = places.contains { if case .point(let point) = $0 { point.hasHeartRate } else { false } }
        guard !hasOwn else { return places }
        func point(_ reading: TimedReading) -> TrackStep {
            .point(TrackPoint(time: reading.time, heartRate: reading.value))
        }
        var left = heartRates[...]
        var steps: [TrackStep] = []
        var isRunning = false
        var isInterrupted = false
        for step in places {
            guard case .point(var place) = step else {
                isInterrupted = isRunning
                steps.append(step)
                continue
            }
            while let reading = left.first, reading.time <= place.time {
                left.removeFirst()
                if reading.time == place.time {
                    place.heartRate = reading.value
                } else if !isInterrupted {
                    steps.append(point(reading))
                }
            }
            (isRunning, isInterrupted) = (true, false)
            steps.append(.point(place))
        }
        return steps + left.map(point)
    }

    // MARK: Activities

    private static let sleep: Set<Int64> = [2, 4, 8, 0x0100_0000, 0x0200_0000, 0x0300_0006]

    /// Returns the activity of the kind, or nil for one that states none.
    private func description(isOutdoors: Bool) -> ActivityDescription? {
        let newer = kind &- 0x0400_0000
        guard let name = Self.older[kind] ?? Self.newer[newer] else { return nil }
        var description = ActivityDescription(activity: name)
        if newer == 0x0A { description.swimmingLocation = .pool }
        if kind == 0x400 { description.swimmingLocation = .openWater }
        if Self.olderIndoors.contains(kind) || Self.newerIndoors.contains(newer) {
            description.location = .indoor
        } else if isOutdoors || Self.newerOutdoors.contains(newer) {
            description.location = .outdoor
        }
        return description
    }

    /// Kinds of watches until 2024 are bits.
    private static let older: [Int64: String] = [
        0x10: "running", 0x20: "walking", 0x40: "swimming", 0x80: "cycling", 0x100: "running", 0x200: "mixedCardio",
        0x400: "swimming", 0x800: "cycling", 0x1000: "elliptical", 0x2000: "jumpRope", 0x4000: "yoga",
        0x8000: "soccer", 0x10000: "rowing", 0x20000: "cricket", 0x40000: "basketball", 0x80000: "tableTennis",
        0x100000: "badminton", 0x200000: "traditionalStrengthTraining", 0x400000: "hiking", 0x800000: "climbing",
    ]
    private static let olderIndoors: Set<Int64> = [0x100, 0x800, 0x1000, 0x10000]

    /// Newer kinds, less 0x4000000.
    private static let newer: [Int64: String] = [
        0x01: "running", 0x02: "handCycling", 0x03: "cycling", 0x04: "cycling", 0x05: "handCycling",
        0x06: "transition", 0x08: "stepTraining", 0x09: "pilates", 0x0A: "swimming", 0x0B: "tennis",
        0x0C: "paddleSports", 0x0D: "tableTennis", 0x0E: "americanFootball", 0x10: "mixedCardio",
        0x11: "mindAndBody", 0x12: "walking", 0x13: "crossCountrySkiing", 0x14: "downhillSkiing",
        0x15: "snowboarding", 0x16: "rowing", 0x17: "climbing", 0x1A: "paddleSports", 0x1E: "sailing",
        0x20: "golf", 0x23: "hunting", 0x24: "fishing", 0x25: "skatingSports", 0x26: "climbing", 0x27: "climbing",
        0x28: "climbing", 0x2A: "sailing", 0x2B: "sailing", 0x2C: "skatingSports", 0x2E: "snowSports",
        0x30: "paddleSports", 0x31: "surfingSports", 0x32: "waterSports", 0x33: "waterSports",
        0x34: "paddleSports", 0x35: "paddleSports", 0x36: "surfingSports", 0x37: "surfingSports", 0x3A: "boxing",
        0x3B: "stairs", 0x3C: "baseball", 0x3D: "softball", 0x3E: "softball", 0x41: "snowSports",
        0x45: "highIntensityIntervalTraining", 0x48: "pickleball", 0x49: "racquetball", 0x4A: "squash",
        0x4B: "racquetball", 0x4C: "wheelchairWalkPace", 0x4D: "wheelchairWalkPace", 0x4E: "wheelchairRunPace",
        0x4F: "wheelchairRunPace", 0x50: "mindAndBody", 0x52: "discSports", 0x53: "discSports", 0x55: "rugby",
        0x56: "hockey", 0x57: "lacrosse", 0x58: "volleyball", 0x5A: "surfingSports", 0x5B: "martialArts",
        0x5C: "cardioDance", 0x5D: "elliptical", 0x60: "kickboxing", 0x62: "crossTraining",
        0x63: "functionalStrengthTraining", 0x65: "martialArts", 0x67: "running", 0x68: "martialArts",
        0x69: "fencing", 0x6A: "coreTraining", 0x6B: "martialArts", 0x6C: "gymnastics", 0x6D: "gymnastics",
        0x6E: "cooldown", 0x6F: "crossTraining", 0x70: "coreTraining", 0x71: "fitnessGaming", 0x72: "mixedCardio",
        0x74: "flexibility", 0x75: "gymnastics", 0x76: "trackAndField", 0x77: "functionalStrengthTraining",
        0x78: "functionalStrengthTraining", 0x79: "traditionalStrengthTraining",
        0x7A: "functionalStrengthTraining", 0x7B: "coreTraining", 0x7C: "trackAndField", 0x7D: "trackAndField",
        0x7E: "trackAndField", 0x7F: "gymnastics", 0x80: "traditionalStrengthTraining", 0x81: "socialDance",
        0x82: "cardioDance", 0x83: "socialDance", 0x84: "barre", 0x85: "cardioDance", 0x86: "cardioDance",
        0x87: "skatingSports", 0x88: "martialArts", 0x89: "taiChi", 0x8A: "mixedCardio", 0x8B: "discSports",
        0x8D: "archery", 0x8E: "equestrianSports", 0x91: "stairs", 0x92: "mindAndBody", 0x93: "wrestling",
        0x97: "bowling", 0x99: "handball", 0x9B: "australianFootball", 0x9C: "lacrosse", 0x9E: "soccer",
        0x9F: "volleyball", 0xA2: "sailing", 0xA4: "skatingSports", 0xA5: "hockey", 0xA6: "curling",
        0xA8: "crossCountrySkiing", 0xA9: "snowSports", 0xAC: "skatingSports", 0xB0: "running", 0xB1: "running",
        0xB2: "walking", 0xB3: "cycling", 0xB4: "mixedCardio", 0xB5: "mixedCardio", 0xB8: "socialDance",
        0xB9: "cycling", 0xC2: "paddleSports", 0xC3: "swimming", 0xC5: "socialDance", 0xC6: "discSports",
        0xC7: "soccer", 0xC9: "cardioDance", 0xCA: "mixedCardio", 0xCB: "mixedCardio", 0xCC: "skatingSports",
        0xCE: "martialArts", 0xCF: "martialArts", 0xD0: "gymnastics", 0xD1: "cardioDance", 0xD2: "martialArts",
        0xD3: "gymnastics", 0xD5: "walking", 0xD7: "waterSports", 0xD9: "cycling", 0xDA: "socialDance",
        0xDB: "stairClimbing", 0xDC: "stepTraining", 0xDD: "flexibility", 0xE1: "waterPolo", 0xE2: "hiking",
        0xE4: "martialArts", 0xE6: "socialDance", 0xEA: "paddleSports", 0xEC: "snowSports", 0xED: "snowSports",
        0xF0: "running", 0xF1: "hiking", 0xF2: "running",
    ]
    private static let newerIndoors: Set<Int64> = [
        0x01, 0x05, 0x08, 0x12, 0x27, 0x4D, 0x4F, 0x5D, 0xB0, 0xCB, 0xCC, 0xD9, 0xDB, 0xDC,
    ]
    private static let newerOutdoors: Set<Int64> = [0xB1, 0xB2, 0xB3, 0xF0, 0xF1, 0xF2]
}
