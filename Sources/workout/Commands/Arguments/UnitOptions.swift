import ArgumentParser
import Foundation
import HealthKit
import Synchronization

/// In which units a command tells distances.
struct UnitOptions: ParsableArguments {
    @Option(
        help:
            """
            Units of distance, pace and speed. Default: set by 'workout profile', otherwise by the locale.
            """
    )
    var units: DistanceUnits?
}

/// A command that can be told.
protocol UnitConfigurable {
    var distances: UnitOptions { get }
}

extension DistanceUnits: ExpressibleByArgument {
    /// What the profile says, else the locale.
    private static let ofMachine: DistanceUnits = {
        switch try? HealthEnvironment.process.ofOwner.profile().units {
        case .metric: .metric
        case .us, .uk: .imperial
        case nil: of(locale: ProcessInfo.processInfo.environment)
        }
    }()

    /// From here on distances are told in the units that a command was told, or in those of this machine.
    static func choose(for command: any ParsableCommand) {
        let told = (command as? any UnitConfigurable)?.distances.units
        ofProcess.withLock { $0 = { told ?? ofMachine } }
    }
}
