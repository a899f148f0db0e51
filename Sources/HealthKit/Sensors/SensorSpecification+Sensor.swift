package import Bluetooth
package import Engine
package import GATT
package import SessionLog

extension HealthEnvironment {
    /// Creates the sensors of a session from their specifications.
    ///
    /// Bluetooth and ANT+ sensors become one sensor, in order of priority.
    /// - Parameters:
    ///   - specifications: Nil for those in the environment.
    ///   - keepsNotifications: Whether the log also gets the raw notifications of Bluetooth sensors.
    ///   - trainer: Controls the trainer among the Bluetooth sensors.
    ///   - streams: The streams to start of sensors of Polar.
    ///   - observe: Called with all events on the links of Bluetooth sensors.
    ///   - warn: Called with the reason why a broker's sensor is away.
    /// - Throws: `HKError` for an unavailable sensor, such as an unreadable file or an unknown profile.
    package func makeSensors(
        _ specifications: [SensorSpecification]? = nil, for activity: ActivityDescription,
        keepsNotifications: Bool = false, trainer: TrainerControl? = nil, streams: Set<PolarStream> = [],
        observe: (@Sendable (PairedSensor, SensorLinkEvent) -> Void)? = nil,
        warn: (@Sendable (String) -> Void)? = nil
    ) throws -> [any Sensor] {
        var sensors: [any Sensor] = []
        var bluetooth: [PairedSensor] = []
        var others: [any Sensor] = []
        for specification in try specifications ?? self.sensors.get() {
            if let address = specification.deviceAddressText { bluetooth.append(try pairedSensor(address)) }
            if case .mqtt(let text) = specification {
                others.append(try makeBrokerSensor(text, warn: warn))
            }
            if case .nats(let text) = specification {
                others.append(try makeStreamSensor(text, warn: warn))
            }
            if let replay = try specification.makeReplaySensor(in: self) { sensors.append(replay) }
        }
        guard sensors.count <= 1 else {
            throw HKError.make(
                .errorInvalidArgument, "Only one sensor of a session can be a replay or a simulation.")
        }
        if !bluetooth.isEmpty {
            sensors.append(
                makeSensor(
                    bluetooth, for: activity, keepsNotifications: keepsNotifications, trainer: trainer,
                    streams: streams,
                    observe: observe))
        }
        sensors += others
        if specifications == nil { sensors += givenSensors?(activity) ?? [] }
        return sensors
    }

    /// Combines Bluetooth sensors, in order of priority.
    package func makeSensor(
        _ sensors: [PairedSensor], for activity: ActivityDescription, keepsNotifications: Bool = false,
        trainer: TrainerControl? = nil, streams: Set<PolarStream> = [],
        observe: (@Sendable (PairedSensor, SensorLinkEvent) -> Void)? = nil
    ) -> any Sensor {
        let known = Set((sensors + pairedSensors).map(\.address))
        let sensors = sensors.map { sensor in
            BluetoothSensor(
                sensor, activity: activity, central: central, others: known.subtracting([sensor.address]),
                keepsNotifications: keepsNotifications, trainer: trainer, streams: streams, observe: observe)
        }
        return sensors.count == 1 ? sensors[0] : SensorGroup(sensors)
    }
}

extension SensorSpecification {
    /// Nil for a live sensor.
    fileprivate func makeReplaySensor(in environment: HealthEnvironment) throws -> ReplaySensor? {
        func options(_ speed: Double, keepsDates: Bool = false, _ wearer: Wearer) -> ReplayOptions {
            ReplayOptions(
                speed: speed, keepsDates: keepsDates, wearer: wearer == .profile ? environment.wearer : nil)
        }
        let now = environment.time.now()
        switch self {
        case .replay(let url, let speed, let keepsDates, let wearer):
            return try ReplaySensor(
                try ReplayedWorkout.recorded(in: url),
                options(speed, keepsDates: keepsDates, wearer), now: now)
        case .simulate(let name, let seed, let speed, let duration, let wearer):
            let profile = try HKError.translating { try WorkoutProfile(named: name ?? "easyRun") }
            return try ReplaySensor(
                SimulatedWorkout(profile: profile, seed: seed, start: now, duration: duration).replayed,
                options(speed, wearer), now: now)
        case .bluetooth, .ant, .mqtt, .nats:
            return nil
        }
    }
}
