import ANT
package import Bluetooth
package import Dispatch
package import Engine
import GATT
package import SessionLog

/// All inputs of an app: sensors, the profile, the store, its own identity.
///
/// Precedence: code, then variables, then `$XDG_CONFIG_HOME/healthkit/config.json`, then defaults.
package struct HealthEnvironment: Sendable {
    package var sensors: Result<[SensorSpecification], HKError>
    /// The paired Bluetooth sensors, in order of preference.
    package var pairedSensors: [PairedSensor] = []
    /// The folder of `config.json`. Nil if no variable names the user's folders.
    package var configurationFile: URL?
    /// The access to Bluetooth sensors. Nothing is opened before it is used.
    package var central: any Central
    /// The `profile` of `config.json` or from code. It overrides the store's profile.
    package var configuredProfile: StoredProfile?
    private var givenWearer: WearerProfile?
    /// The device states of `HEALTHKIT_SIMULATE`.
    package var conditions: Result<Set<DeviceCondition>, HKError>
    package var time: any TimeSource
    package var permissions: Permissions
    /// The running session. There can be at most one.
    package private(set) var activeSession = ActiveSession()
    /// The sessions that still have samples to save.
    package let liveSessions = LiveSessions()
    /// Prints why the app gets no data.
    package var notices = AppNotices.silent
    /// Whether the sensors were configured, even as `none`.
    package private(set) var hasChosenSensors = true
    /// Why an existing `config.json` can't be read.
    package private(set) var configurationFault: HKError?
    /// The store. Nothing is opened before it is used.
    package var database: any HealthDatabase

    /// Mirroring to and from other machines.
    package var companions: Companions

    /// The brokers that sessions are published to.
    package var publishing = Result<PublishSettings, HKError>.success(.none)

    /// Whether finished workouts are saved. False to only compute the summary of a recording.
    package var keepsWorkouts = true
    /// How long samples of a running session wait for a reader of the store before they are saved anyway.
    package var longestSampleWait = DispatchTimeInterval.seconds(60)
    /// The lifetime of a test's world. Nil for the environment of the process.
    package var lifetime: EnvironmentLifetime?
    /// Whether it comes from the process's variables, not from code.
    private(set) var isOfProcess = false
    /// Additional sensors of a test.
    package var givenSensors: (@Sendable (ActivityDescription) -> [any Sensor])?
    /// Called with the recorder of each workout that an app begins.
    package var workoutMade: (@Sendable (WorkoutRecorder) -> Void)?
    /// Called before each call of an app's delegate of a session.
    package var sessionNotified: (@Sendable (SessionNotice) -> Void)?
    /// Called before each call of an app's delegate of a builder.
    package var builderNotified: (@Sendable (BuilderNotice) -> Void)?
    /// Decides when long-running queries are notified of changes. Nil means at once.
    package var changeGate: (any DeliveryGate)?
    /// Where ``database`` is.
    package private(set) var location = StoreLocation.memory
    /// The file of ``database``. Nil for a store in memory or on a server.
    package private(set) var storeFile: String?
    /// Why nothing can be stored, if that is known in advance.
    private(set) var storeFault: HKError?
    /// The folder of the journals of running sessions. Nil for a store in memory.
    package var journalFolder: URL?

    /// The environment of this process.
    package static let process = {
        var environment = HealthEnvironment(variables: ProcessInfo.processInfo.environment)
        environment.isOfProcess = true
        return environment
    }()

    /// The environment of `HKHealthStore()`: the process's, unless a test has set another one for its task.
    @TaskLocal package static var current = HealthEnvironment.process

    /// The same environment for a session that runs in parallel with others, as if on its own machine.
    package var beside: HealthEnvironment {
        var copy = self
        copy.activeSession = ActiveSession()
        return copy
    }

    /// - Parameter database: The store. Nil for a new one in memory.
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
        central = SensorRadios(SystemCentral.automatic)
        permissions = Permissions(answer: .success(.allow), app: .default(), isEnforced: false)
    }

    package init(variables: [String: String], time: any TimeSource = SystemTime()) {
        let file = Result { try ConfigurationFile.read(variables: variables) }
        let variables = variables.merging((try? file.get())?.variables ?? [:]) { given, configured in
            given.isEmpty ? configured : given
        }
        if case .failure(let error) = file { configurationFault = HKError.wrapping(error) }
        self.time = time
        central = SensorRadios(SystemCentral.named(variables["HEALTHKIT_BLUETOOTH"]))
        configurationFile = ConfigurationFile.url(variables: variables)
        let paired = (try? file.get())?.pairedSensors ?? []
        pairedSensors = paired
        let location = StoreLocation(variables: variables)
        database = location.sharedDatabase
        journalFolder = location.journalFolder
        storeFault = location.fault
        if configurationFault == nil { configurationFault = storeFault }
        if case .file(let path) = location { storeFile = path }
        self.location = location
        notices = AppNotices.named(variables["HEALTHKIT_LOG"])
        hasChosenSensors = variables["HEALTHKIT_SENSORS"] != nil
        // The settings of an unreadable file are unknown, so nothing is read, written or allowed.
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
        publishing = Result {
            _ = try file.get()
            return try PublishSettings(variables: variables)
        }.mapError(HKError.wrapping)
        sensors = Result {
            if let transport = variables["HEALTHKIT_BLUETOOTH"], BluetoothTransport(rawValue: transport) == nil {
                throw HKError.make(
                    .errorInvalidArgument,
                    "HEALTHKIT_BLUETOOTH must be auto, bluez or l2cap, not '\(transport)'.")
            }
            // An unreadable file may name sensors and the store.
            _ = try file.get()
            if let list = variables["HEALTHKIT_SENSORS"] { return try SensorSpecification.list(list) }
            return paired.map { SensorSpecification($0.address) }
        }.mapError(HKError.wrapping)
    }

    /// The same environment for the command, which belongs to the owner of the data and may read and change everything.
    package var ofOwner: HealthEnvironment {
        var copy = self
        copy.permissions = .ofOwner()
        copy.notices = .silent
        return copy
    }

    /// Uses another store.
    package mutating func keepData(at location: StoreLocation) {
        self.location = location
        database = location.makeDatabase()
        journalFolder = location.journalFolder
        storeFault = location.fault
        storeFile = if case .file(let path) = location { path } else { nil }
    }

    /// Creates the journal of a new session. Returns nil for a store in memory.
    package func makeJournal(for id: UUID) throws -> SessionJournal? {
        if let storeFault { throw storeFault }
        guard let journalFolder else { return nil }
        do {
            return try SessionJournal(id: id, in: journalFolder)
        } catch let error as UntrustedFolder {
            throw HKError.wrapping(error)
        } catch {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "The session cannot keep its journal in \(journalFolder.path), so it would not survive a crash. Make the "
                    + "folder writable, or set HEALTHKIT_STORE to another path or to memory.",
                cause: error)
        }
    }

    /// Returns the profile of the store, overridden by `config.json`. Opens the store, but doesn't create one.
    package func profile() throws -> StoredProfile {
        if let storeFile, !FileManager.default.fileExists(atPath: storeFile) {
            return StoredProfile().overridden(by: configuredProfile)
        }
        return try database.storedProfile().overridden(by: configuredProfile)
    }

    /// The wearer from code, otherwise from ``profile()``. Nil if both are empty. An unreadable store counts as empty,
    /// because a session matters more than its zones.
    package var wearer: WearerProfile? {
        get { wearer(at: time.now()) }
        set { givenWearer = newValue }
    }

    /// Returns the ``wearer`` with the age and the zones of a date, for a workout of that date.
    package func wearer(at date: Date) -> WearerProfile? { wearerByDate(date) }

    /// A function that returns the same for several dates, from the current profile.
    package var wearerByDate: (Date) -> WearerProfile? {
        if let givenWearer { return { _ in givenWearer } }
        let profile = (try? profile()) ?? configuredProfile
        return { profile?.wearer(at: $0) }
    }

    /// Returns the wearer of a session: from code, otherwise the athlete of a replayed recording, otherwise from
    /// ``profile()``.
    package func wearer(of sensors: [any Sensor]) -> WearerProfile? {
        if let givenWearer { return givenWearer }
        guard let replay = sensors.first(where: { $0.pace != .wall }) else { return wearer }
        return replay.wearer
    }
}

extension HealthEnvironment {
    /// Returns the stored facts about the sensor with this address.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an invalid address.
    package func pairedSensor(_ text: String) throws -> PairedSensor {
        guard let address = DeviceAddress(text) else {
            throw HKError.make(
                .errorInvalidArgument,
                "The sensor '\(text)' cannot be used: an address looks like AA:BB:CC:DD:EE:FF or ant:hr:12345.")
        }
        return pairedSensors.first { $0.address == address } ?? PairedSensor(address: address)
    }
}

extension HealthEnvironment {
    /// Throws if health data is unavailable.
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

    /// Throws if nothing can be read. First stores what apps saved while the device was locked, and what running
    /// sessions have measured, in this process and in others.
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

    /// The journal for writes while the device is locked. Nil otherwise, and for a store in memory.
    package var lockedJournal: LockedJournal? {
        get throws { try conditions.get().contains(.locked) ? location.localPath.map(LockedJournal.init) : nil }
    }

    /// Moves the objects that apps saved while the device was locked into the store, once it is unlocked.
    package func mergeLockedWrites() throws {
        guard let path = location.localPath, try !conditions.get().contains(.locked) else { return }
        let journal = LockedJournal(besideStore: path)
        if !journal.isEmpty { try journal.merge(into: database) }
    }

    /// Throws if nothing can be written. A locked device accepts writes.
    package func requireWritable() throws {
        try requireAvailable()
        if try conditions.get().contains(.guest) {
            throw HKError.make(
                .errorNotPermissibleForGuestUserMode, "A guest cannot write health data (HEALTHKIT_SIMULATE).")
        }
    }
}

extension HealthEnvironment {
    /// Returns the sensors of a new session. Prints the reason if there are none.
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

    /// Returns the message of an error, with its cause.
    static func sentence(_ error: any Error) -> String {
        let whole = error as NSError
        let own = whole.userInfo[NSLocalizedDescriptionKey] as? String ?? String(describing: error)
        guard let cause = whole.userInfo[NSUnderlyingErrorKey] as? any Error else { return own }
        let why = String(describing: cause)
        return own.contains(why) ? own : "\(own) \(why)."
    }
}

/// A device state of a phone, simulated for tests by `HEALTHKIT_SIMULATE=locked,guest`.
package enum DeviceCondition: String, Sendable, CaseIterable {
    /// Nothing can be read, and writes are kept. Error code 6.
    case locked
    /// A guest uses the device, so nothing can be written. Error code 15.
    case guest
    /// There is no health data on this machine. Error code 1.
    case unavailable
    /// An administrator restricts health data. Error code 2.
    case restricted

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for any other word.
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
