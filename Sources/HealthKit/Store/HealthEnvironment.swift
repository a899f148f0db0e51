package import Recordings

/// What comes to an app from outside: sensors, the wearer's profile, who the app is.
///
/// Code before variables, variables before `$XDG_CONFIG_HOME/healthkit/config.json`, that before defaults.
package struct HealthEnvironment: Sendable {
    package var sensors: Result<[SensorSpecification], HKError>
    package var wearer: WearerProfile?
    package var time: any TimeSource
    /// Where samples go. Nothing is opened before it is used.
    package var database: any HealthDatabase

    /// Of this process.
    package static let process = HealthEnvironment(variables: ProcessInfo.processInfo.environment)

    /// - Parameter database: Nil for a store of its own in memory.
    package init(
        sensors: [SensorSpecification], wearer: WearerProfile? = nil, time: any TimeSource = SystemTime(),
        database: (any HealthDatabase)? = nil
    ) {
        self.sensors = .success(sensors)
        self.wearer = wearer
        self.time = time
        self.database = database ?? SQLiteHealthDatabase(.memory)
    }

    package init(variables: [String: String], time: any TimeSource = SystemTime()) {
        let file = Result { try ConfigurationFile.read(variables: variables) }
        self.time = time
        let store = (try? file.get())?.store
        database = SQLiteHealthDatabase.shared(StoreLocation(variables: variables, configured: store))
        wearer = (try? file.get())?.profile?.wearer(at: time.now())
        sensors = Result {
            if let list = variables["HEALTHKIT_SENSORS"] { return try SensorSpecification.list(list) }
            return try file.get()?.sensors.map(SensorSpecification.list) ?? []
        }.mapError(HKError.wrapping)
    }

    package func makeSensors(for activity: ActivityDescription) throws -> [any Sensor] {
        let sensors = try sensors.get().map { try $0.makeSensor(for: activity, time: time) }
        guard sensors.filter({ $0.pace != .wall }).count <= 1 else {
            throw HKError.make(
                .errorInvalidArgument, "Only one sensor of a session can be a replay or a simulation.")
        }
        return sensors
    }
}

/// `config.json`: what the variables say, in a file, and the wearer's profile.
struct ConfigurationFile: Decodable, Sendable {
    var sensors: String?
    /// As `HEALTHKIT_STORE`.
    var store: String?
    var profile: Profile?

    struct Profile: Decodable, Sendable {
        var sex: String?
        /// `YYYY-MM-DD`.
        var dateOfBirth: String?
        var massInKilograms: Double?
        var restingHeartRate: Double?
        var maximumHeartRate: Double?
        var vo2Max: Double?

        func wearer(at date: Date) -> WearerProfile {
            WearerProfile(
                sex: sex.flatMap(WearerProfile.Sex.init), ageInYears: age(at: date), massInKilograms: massInKilograms,
                restingHeartRate: restingHeartRate, maximumHeartRate: maximumHeartRate, vo2Max: vo2Max)
        }

        private func age(at date: Date) -> Double? {
            let parts = dateOfBirth?.split(separator: "-").compactMap { Int($0) } ?? []
            guard parts.count == 3 else { return nil }
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            let birth = calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2]))
            return birth.flatMap { calendar.dateComponents([.year], from: $0, to: date).year }.map(Double.init)
        }
    }

    /// Nil where there is no such file.
    static func read(variables: [String: String]) throws -> ConfigurationFile? {
        let folder =
            variables["XDG_CONFIG_HOME"].map { URL(fileURLWithPath: $0) }
            ?? variables["HOME"].map { URL(fileURLWithPath: $0).appendingPathComponent(".config") }
        guard let url = folder?.appendingPathComponent("healthkit/config.json"),
            let data = FileManager.default.contents(atPath: url.path)
        else { return nil }
        do {
            return try JSONDecoder().decode(ConfigurationFile.self, from: data)
        } catch {
            throw HKError.make(
                .errorInvalidArgument, "\(url.path) cannot be read: correct it or remove it.", cause: error)
        }
    }
}
