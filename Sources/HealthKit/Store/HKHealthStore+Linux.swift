extension HKHealthStore {
    /// A store whose sensors are named in code and not by the environment.
    public convenience init(sensors: [SensorSpecification]) {
        var environment = HealthEnvironment.current
        environment.sensors = .success(sensors)
        self.init(environment: environment)
    }
}
