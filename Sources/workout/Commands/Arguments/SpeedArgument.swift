import ArgumentParser
import Foundation
import HealthKit

/// A replay's speed on the command line.
struct SpeedArgument: ExpressibleByArgument, CustomStringConvertible {
    var factor: Double

    init(_ factor: Double) {
        self.factor = factor
    }

    init?(argument: String) {
        guard let factor = SensorSpecification.speed(parsing: argument) else { return nil }
        self.factor = factor
    }

    var description: String { factor.isInfinite ? "max" : factor.formatted() }
    var defaultValueDescription: String { description }
}
