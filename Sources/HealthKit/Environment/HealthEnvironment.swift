package import Bluetooth
package import Recordings

/// What comes to an app from outside: sensors, the wearer's profile, who the app is.
///
/// Code before variables, variables before `$XDG_CONFIG_HOME/healthkit/config.json`, that before defaults.
package struct HealthEnvironment: Sendable {
    package var sensors: Result<[SensorSpecification], HKError>
    /// What is known of the user's Bluetooth sensors, in order of priority.
    package var pairedSensors: [PairedSensor] = []
    /// Where `config.json` is; nil where nothing says where the user's files are.
    package var configurationFile: URL?
    /// Where Bluetooth sensors are reached. Nothing is opened before it is used.
    package var central: any Central
    /// The `profile` of `config.json`, or what code says in its place: goes before what the store has.
    package var configuredProfile: StoredProfile?
    private var givenWearer: WearerProfile?
    /// What `HEALTHKIT_SIMULATE` says of the machine.
    package var conditions: Result<Set<DeviceCondition>, HKError>
    package var time: any TimeSource
    package var permissions: Permissions
    /// The one session that may run.
    package private(set) var activeSession = ActiveSession()
    /// The sessions whose samples are on their way into the store.
    package let liveSessions = LiveSessions()
    /// Says to an app's user why it gets no data.
    package var notices = AppNotices.silent
    /// Whether somebody said which sensors there are, even none.
    package private(set) var hasChosenSensors = true
    /// Why `config.json` says nothing, where it is there.
    package private(set) var configurationFault: HKError?
    /// Where samples go. Nothing is opened before it is used.
    package var database: any HealthDatabase

    /// The machines that sessions are mirrored to, and from.
    package var companions: Companions

    /// Whether finished workouts are saved; not for whoever only wants to look at what a recording amounts to.
    package var keepsWorkouts = true
    /// The life that this is part of; nil for one that stays as long as its process.
    package var lifetime: EnvironmentLifetime?
    /// Whether it is what the variables of the process say, and nobody's choice.
    private(set) var isOfProcess = false
    /// Sensors beside those that can be named: those of a test.
    package var givenSensors: (@Sendable (ActivityDescription) -> [any Sensor])?
    /// Hears of each workout that an app begins to build: its recorder, which lies above this.
    package var workoutMade: (@Sendable (any Actor) -> Void)?
    /// Hears of each call of an app's delegates just before they do: a delegate of sessions and builders, which lie above this.
    package var witness: (any NSObjectProtocol & Sendable)?
    /// Says when queries that run on hear of changes; at once where there is none.
    package var changeGate: (any DeliveryGate)?
    /// The file of ``database``, where there is one.
    package private(set) var storeFile: String?
    /// Why nothing can be stored, if that is known before anybody tries.
    private(set) var storeFault: HKError?
    /// Where running sessions keep their journals; nil where nothing outlives the process.
    package var journalFolder: URL?

    /// Of this process.
    package static let process = {
        var environment = HealthEnvironment(variables: ProcessInfo.processInfo.environment)
        environment.isOfProcess = true
        return environment
    }()

    /// What `HKHealthStore()` takes: the process's, unless a test has put another in its place for its own task.
    @TaskLocal package static var current = HealthEnvironment.process

    /// The same for a session that runs beside others of this process, as if it had a machine of its own.
    package var beside: HealthEnvironment {
        var copy = self
        copy.activeSession = ActiveSession()
        return copy
    }

    /// - Parameter database: Nil for a store of its own in memory.
    package init(
        sensors: [SensorSpecification], wearer: WearerProfile? = nil, time: any TimeSource = SystemTime(),
        database: (any HealthDatabase)? = nil
    ) {
        self.sensors = .success(sensors)
        givenWearer = wearer
        self.time = time
        self.database = database ?? SQLiteHealthDatabase(.memory)
        conditions = .success([])
        companions = Companions(.none)
        central = SystemCentral.automatic
        permissions = Permissions(answer: .success(.allow), app: .default(), isEnforced: false)
    }

    package init(variables: [String: String], time: any TimeSource = SystemTime()) {
        let file = Result { try ConfigurationFile.read(variables: variables) }
        let variables = variables.merging((try? file.get())?.variables ?? [:]) { given, configured in
            given.isEmpty ? configured : given
        }
        if case .failure(let error) = file { configurationFault = HKError.wrapping(error) }
        self.time = time
        central = SystemCentral.named(variables["HEALTHKIT_BLUETOOTH"])
        configurationFile = ConfigurationFile.url(variables: variables)
        let paired = (try? file.get())?.pairedSensors ?? []
        pairedSensors = paired
        let location = StoreLocation(variables: variables)
        database = SQLiteHealthDatabase.shared(location)
        journalFolder = location.journalFolder
        storeFault = location.fault
        if configurationFault == nil { configurationFault = storeFault }
        if case .file(let path) = location { storeFile = path }
        notices = AppNotices.named(variables["HEALTHKIT_LOG"])
        hasChosenSensors = variables["HEALTHKIT_SENSORS"] != nil
        // What a file says that cannot be read is not known: nothing is read, written or allowed in its place.
        permissions = Permissions(
            answer: Result {
                _ = try file.get()
                return try AuthorizationAnswer(parsing: variables["HEALTHKIT_AUTHORIZATION"])
            }.mapError(HKError.wrapping),
            app: .default(), database: database, notices: notices)
        conditions = Result {
            _ = try file.get()
            return try DeviceCondition.list(variables["HEALTHKIT_SIMULATE"])
        }.mapError(HKError.wrapping)
        configuredProfile = (try? file.get())?.profile
        companions = Companions(CompanionSettings(variables: variables, fault: configurationFault))
        sensors = Result {
            if let transport = variables["HEALTHKIT_BLUETOOTH"], BluetoothTransport(rawValue: transport) == nil {
                throw HKError.make(
                    .errorInvalidArgument,
                    "HEALTHKIT_BLUETOOTH must be auto, bluez or l2cap, not '\(transport)'.")
            }
            // A file that cannot be read may name sensors, and says where their workout would go.
            _ = try file.get()
            if let list = variables["HEALTHKIT_SENSORS"] { return try SensorSpecification.list(list) }
            return paired.map { .bluetooth(address: $0.address.description) }
        }.mapError(HKError.wrapping)
    }

    /// The same for the owner of the data, who may see and change everything: the command.
    package var ofOwner: HealthEnvironment {
        var copy = self
        copy.permissions = .ofOwner()
        copy.notices = .silent
        return copy
    }

    /// Keeps data in a file of its own, or in memory.
    package mutating func keepData(at location: StoreLocation) {
        database = SQLiteHealthDatabase(location)
        journalFolder = location.journalFolder
        storeFault = location.fault
        storeFile = if case .file(let path) = location { path } else { nil }
    }

    /// The journal of a session that begins; nil where nothing outlives the process.
    package func makeJournal(for id: UUID) throws -> SessionJournal? {
        if let storeFault { throw storeFault }
        guard let journalFolder else { return nil }
        do {
            return try SessionJournal(id: id, in: journalFolder)
        } catch let error as HKError {
            throw error
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "The session cannot keep its journal in \(journalFolder.path), so it would not survive a crash. Make the "
                    + "folder writable, or set HEALTHKIT_STORE to another path or to memory.",
                cause: error)
        }
    }

    /// What is known of the wearer: what the store has, with what `config.json` says instead. Opens the store, but makes
    /// none.
    package func profile() throws -> StoredProfile {
        if let storeFile, !FileManager.default.fileExists(atPath: storeFile) {
            return StoredProfile().overridden(by: configuredProfile)
        }
        return try database.storedProfile().overridden(by: configuredProfile)
    }

    /// Who wears the sensors: what code said, else the ``profile()``; nil when neither says anything. A store that cannot
    /// be read counts as one that says nothing: a session is worth more than its zones.
    package var wearer: WearerProfile? {
        get { wearer(at: time.now()) }
        set { givenWearer = newValue }
    }

    /// The ``wearer`` with the age and the zones of a date: what a workout of then is looked at with.
    package func wearer(at date: Date) -> WearerProfile? { wearerByDate(date) }

    /// The same for any number of days, of the profile as it is now.
    package var wearerByDate: (Date) -> WearerProfile? {
        if let givenWearer { return { _ in givenWearer } }
        let profile = (try? profile()) ?? configuredProfile
        return { profile?.wearer(at: $0) }
    }

    /// Who wears the sensors of a session: whom code names; else the one whom a replay is of, which asks no machine who uses
    /// it; else the ``profile()``.
    package func wearer(of sensors: [any Sensor]) -> WearerProfile? {
        if let givenWearer { return givenWearer }
        guard let replay = sensors.first(where: { $0.pace != .wall }) else { return wearer }
        return replay.wearer
    }
}

extension HealthEnvironment {
    /// What is known of the sensor of this address.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for what is no address.
    package func pairedSensor(_ text: String) throws -> PairedSensor {
        guard let address = BluetoothAddress(text) else {
            throw HKError.make(
                .errorInvalidArgument,
                "The sensor '\(text)' cannot be used: an address looks like AA:BB:CC:DD:EE:FF.")
        }
        return pairedSensors.first { $0.address == address } ?? PairedSensor(address: address)
    }
}

extension HealthEnvironment {
    /// Whether anything can be done at all.
    package func requireAvailable() throws {
        let conditions = try conditions.get()
        if conditions.contains(.unavailable) {
            throw HKError.make(
                .errorHealthDataUnavailable, "Health data is unavailable (HEALTHKIT_SIMULATE=unavailable).")
        }
        if conditions.contains(.restricted) {
            throw HKError.make(
                .errorHealthDataRestricted, "Health data is restricted (HEALTHKIT_SIMULATE=restricted).")
        }
    }

    /// Whether something can be read. What waited while the device was locked is taken in first, and what running sessions have
    /// measured so far, in this process and in others.
    package func requireReadable() throws {
        try requireAvailable()
        if try conditions.get().contains(.locked) {
            notices.notify(.locked, "Health data cannot be read: the device is locked (HEALTHKIT_SIMULATE).")
            throw HKError.make(
                .errorDatabaseInaccessible,
                "Health data cannot be read while the device is locked (HEALTHKIT_SIMULATE).")
        }
        try mergeLockedWrites()
        liveSessions.save()
        if let storeFile { SaveRequest.make(besideStore: storeFile) }
    }

    /// Where writes go while the device is locked; nil while it is not. A store in memory, which goes with its process, is
    /// written all the same.
    package var lockedJournal: LockedJournal? {
        get throws { try conditions.get().contains(.locked) ? storeFile.map(LockedJournal.init) : nil }
    }

    /// Takes what apps saved while the device was locked into the store, once it is not.
    package func mergeLockedWrites() throws {
        guard let storeFile, try !conditions.get().contains(.locked) else { return }
        let journal = LockedJournal(besideStore: storeFile)
        if !journal.isEmpty { try journal.merge(into: database) }
    }

    /// Whether something can be written. A locked device takes what is written.
    package func requireWritable() throws {
        try requireAvailable()
        if try conditions.get().contains(.guest) {
            throw HKError.make(
                .errorNotPermissibleForGuestUserMode, "A guest cannot write health data (HEALTHKIT_SIMULATE).")
        }
    }
}

extension HealthEnvironment {
    /// The sensors of a session that an app begins; says why there are none.
    func sensorsOfSession(_ activity: ActivityDescription) throws -> [any Sensor] {
        do {
            let sensors = try makeSensors(for: activity)
            if sensors.isEmpty, !hasChosenSensors {
                notices.notify(
                    .noSensor,
                    "The session gets no readings: no sensor is paired, and HEALTHKIT_SENSORS is not set. Pair one with "
                        + "'workout pair', or set HEALTHKIT_SENSORS to simulate, to replay:FILE, or to none.")
            }
            return sensors
        } catch {
            notices.notify(.sensorsFailed, "The session cannot begin: \(Self.sentence(error))")
            throw error
        }
    }

    /// What an error says, and why.
    static func sentence(_ error: any Error) -> String {
        let whole = error as NSError
        let own = whole.userInfo[NSLocalizedDescriptionKey] as? String ?? String(describing: error)
        guard let cause = whole.userInfo[NSUnderlyingErrorKey] as? any Error else { return own }
        let why = String(describing: cause)
        return own.contains(why) ? own : "\(own) \(why)."
    }
}

/// What a phone can be that a Linux machine is not: for tests, by `HEALTHKIT_SIMULATE=locked,guest`.
package enum DeviceCondition: String, Sendable, CaseIterable {
    /// Nothing can be read; what is written is kept. Code 6.
    case locked
    /// Somebody else uses the machine: nothing can be written. Code 15.
    case guest
    /// There is no health data on this machine. Code 1.
    case unavailable
    /// An administrator forbids it. Code 2.
    case restricted

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a word that is none of them.
    package static func list(_ text: String?) throws -> Set<DeviceCondition> {
        let words = (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return Set(
            try words.map { word in
                guard let condition = DeviceCondition(rawValue: word) else {
                    throw HKError.make(
                        .errorInvalidArgument,
                        "HEALTHKIT_SIMULATE cannot be \"\(word)\": give some of "
                            + allCases.map(\.rawValue).joined(separator: ", ") + ".")
                }
                return condition
            })
    }
}
