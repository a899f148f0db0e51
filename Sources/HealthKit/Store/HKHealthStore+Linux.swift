extension HKHealthStore {
    /// A store whose sensors are named in code and not by the environment.
    public convenience init(sensors: [SensorSpecification]) {
        var environment = HealthEnvironment.current
        environment.sensors = .success(sensors)
        self.init(environment: environment)
    }
}

extension HKHealthStore {
    /// A store whose sessions are mirrored to machines, and to which sessions are mirrored, as named in code and not by the
    /// environment. What the settings leave open, the environment says.
    public convenience init(companions settings: CompanionSettings) {
        var environment = HealthEnvironment.current
        environment.companions = Companions(settings.completed(by: environment.companions.settings))
        self.init(environment: environment)
    }

    /// Whether workouts that other machines mirror to this one are saved in this store too, once they are finished there.
    /// Off unless code says otherwise. A workout that is stored already is not saved again.
    public var savesMirroredWorkouts: Bool {
        get { environment.companions.savesWorkouts }
        set { environment.companions.savesWorkouts = newValue }
    }

    /// Whether sessions of this store are mirrored with the bytes that their sensors sent, beside what was read from them.
    /// Counts for mirroring that is started afterwards.
    public var mirrorsSensorNotifications: Bool {
        get { environment.companions.mirrorsNotifications }
        set { environment.companions.mirrorsNotifications = newValue }
    }

    /// Listens for mirrored sessions, as setting ``workoutSessionMirroringStartHandler`` does, and says where: `HOST:PORT`.
    /// A process listens once: where it does so already, that is the answer.
    ///
    /// - Parameter address: `HOST:PORT`; port 0 chooses a free one. Nil: what the environment says, or port 7654.
    /// - Throws: ``HKError/Code/errorHealthDataUnavailable`` when this process cannot listen there.
    public func listenForMirroredSessions(at address: String? = nil) async throws -> String {
        try await String(describing: environment.companions.listen(at: address))
    }
}
