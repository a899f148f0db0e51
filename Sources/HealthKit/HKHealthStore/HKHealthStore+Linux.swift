extension HKHealthStore {
    /// Creates a store with an environment from code.
    package convenience init(environment: HealthEnvironment, database: (any HealthDatabase)? = nil) {
        self.init(StoreEnvironment(fixed: environment), database)
    }
}

extension HKHealthStore {
    /// Creates a store with sensors from code instead of the environment.
    public convenience init(sensors: [SensorSpecification]) {
        self.init(StoreEnvironment { $0.sensors = .success(sensors) })
    }
}

extension HKHealthStore {
    /// Stores medications, like the Health app on a phone, and replaces earlier notes of the same medications. Apps read them
    /// with ``HKUserAnnotatedMedicationQuery``. Needs no permission.
    public func keepMedications(_ medications: [HKUserAnnotatedMedication]) async throws {
        try HKError.translating {
            try environment.requireReadable()
            try database.keep(medications)
        }
    }

    /// Stores doses, like the Health app on a phone. Apps read them with sample queries. Needs no permission.
    public func keepDoses(_ doses: [HKMedicationDoseEvent]) async throws {
        try HKError.translating {
            try environment.requireReadable()
            try database.save(doses, from: .current)
        }
    }
}

extension HKHealthStore {
    /// Creates a store with settings for mirroring from code. The environment supplies missing ones.
    public convenience init(companions settings: CompanionSettings) {
        let companions = Companions(settings.completed(by: HealthEnvironment.current.companions.settings))
        self.init(StoreEnvironment { $0.companions = companions })
    }

    /// Whether this store also saves workouts that other machines mirror to this one, once they are finished there. Off by default.
    /// Existing workouts are not saved again.
    public var savesMirroredWorkouts: Bool {
        get { environment.companions.savesWorkouts }
        set { environment.companions.savesWorkouts = newValue }
    }

    /// Whether the raw bytes of sensors are mirrored too. Applies to mirroring that starts later.
    public var mirrorsSensorNotifications: Bool {
        get { environment.companions.mirrorsNotifications }
        set { environment.companions.mirrorsNotifications = newValue }
    }

    /// Called with the configuration of a workout that another machine starts here (``startWatchApp(with:completion:)``), like
    /// `handle(_:)` of a watch app's delegate. Begin a session with it, and mirror the session.
    ///
    /// Setting it registers this app, so that other machines may start it; starts listening, like setting
    /// ``workoutSessionMirroringStartHandler``; and delivers the configuration that this process was started for. Called on an
    /// arbitrary queue.
    public var workoutConfigurationHandler: (@Sendable (HKWorkoutConfiguration) -> Void)? {
        get { environment.companions.appStarts.handler(of: self) }
        set { environment.companions.setConfigurationHandler(newValue, of: self, in: environment.permissions.app) }
    }

    /// Listens for mirrored sessions, like setting ``workoutSessionMirroringStartHandler``, and returns the address as
    /// `HOST:PORT`. A process listens once: if it already does, this returns the existing address.
    ///
    /// - Parameter address: `HOST:PORT`. Port 0 chooses a free one. Nil means the environment's address, or port 7654.
    /// - Throws: ``HKError/Code/errorHealthDataUnavailable`` if this process can't listen there.
    public func listenForMirroredSessions(at address: String? = nil) async throws -> String {
        try await String(describing: environment.companions.listen(at: address))
    }

    /// Stops listening, and closes the links of machines that mirror to this process. They keep trying to reconnect. Mirrored sessions
    /// remain, and continue when this process listens again.
    public func stopListeningForMirroredSessions() async {
        await environment.companions.stopListening()
    }
}
