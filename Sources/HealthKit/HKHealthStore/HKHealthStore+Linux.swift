extension HKHealthStore {
    /// A store whose environment is named in code.
    package convenience init(environment: HealthEnvironment, database: (any HealthDatabase)? = nil) {
        self.init(StoreEnvironment(fixed: environment), database)
    }
}

extension HKHealthStore {
    /// A store whose sensors are named in code and not by the environment.
    public convenience init(sensors: [SensorSpecification]) {
        self.init(StoreEnvironment { $0.sensors = .success(sensors) })
    }
}

extension HKHealthStore {
    /// Keeps medications, as Health does for the person on a phone: what was noted of the same ones before is replaced.
    /// Apps read them with ``HKUserAnnotatedMedicationQuery``. Needs no permission.
    public func keepMedications(_ medications: [HKUserAnnotatedMedication]) async throws {
        try HKError.translating {
            try environment.requireReadable()
            try database.keep(medications)
        }
    }

    /// Keeps doses, as Health does for the person on a phone. Apps read them with sample queries. Needs no permission.
    public func keepDoses(_ doses: [HKMedicationDoseEvent]) async throws {
        try HKError.translating {
            try environment.requireReadable()
            try database.save(doses, from: .current)
        }
    }
}

extension HKHealthStore {
    /// A store whose sessions are mirrored to machines, and to which sessions are mirrored, as named in code and not by the
    /// environment. What the settings leave open, the environment says.
    public convenience init(companions settings: CompanionSettings) {
        let companions = Companions(settings.completed(by: HealthEnvironment.current.companions.settings))
        self.init(StoreEnvironment { $0.companions = companions })
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

    /// Called with the workout that another machine wants begun here (``startWatchApp(with:completion:)``): what an app of a
    /// watch gets as `handle(_:)` of its delegate. Begin a session with it, and mirror that.
    ///
    /// Setting it makes this app known as one that other machines may have started, begins to listen as setting
    /// ``workoutSessionMirroringStartHandler`` does, and hands over the workout that this process was started for. Called on
    /// an arbitrary queue.
    public var workoutConfigurationHandler: (@Sendable (HKWorkoutConfiguration) -> Void)? {
        get { environment.companions.appStarts.handler(of: self) }
        set { environment.companions.setConfigurationHandler(newValue, of: self, in: environment.permissions.app) }
    }

    /// Listens for mirrored sessions, as setting ``workoutSessionMirroringStartHandler`` does, and says where: `HOST:PORT`.
    /// A process listens once: where it does so already, that is the answer.
    ///
    /// - Parameter address: `HOST:PORT`; port 0 chooses a free one. Nil: what the environment says, or port 7654.
    /// - Throws: ``HKError/Code/errorHealthDataUnavailable`` when this process cannot listen there.
    public func listenForMirroredSessions(at address: String? = nil) async throws -> String {
        try await String(describing: environment.companions.listen(at: address))
    }

    /// Listens no more, and cuts the links of the machines that mirror to this process: to them it is out of reach, and each
    /// goes on trying. Sessions that are here stay, and come back to life when this process listens again.
    public func stopListeningForMirroredSessions() async {
        await environment.companions.stopListening()
    }
}
