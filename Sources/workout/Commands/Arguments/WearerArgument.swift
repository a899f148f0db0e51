public import ArgumentParser
public import HealthKit

extension SensorSpecification.Wearer: ExpressibleByArgument {}
