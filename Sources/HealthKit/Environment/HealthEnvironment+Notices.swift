import Recordings

extension HealthEnvironment {
    /// The sensors of a session that an app begins; says why there are none.
    func sensorsOfSession(_ activity: ActivityDescription) throws -> [any Sensor] {
        do {
            let sensors = try makeSensors(for: activity)
            if sensors.isEmpty, !hasChosenSensors {
                notices.tell(
                    .noSensor,
                    "The session gets no readings: no sensor is paired, and HEALTHKIT_SENSORS is not set. Pair one with "
                        + "'workout pair', or set HEALTHKIT_SENSORS to simulate, to replay:FILE, or to none.")
            }
            return sensors
        } catch {
            notices.tell(.sensorsFailed, "The session cannot begin: \(Self.sentence(error))")
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
