import ArgumentParser
import Foundation
import HealthKit
import SessionLog

/// The units in which a command shows distances.
struct UnitOptions: ParsableArguments {
    @Option(
        help:
            """
            Units of distance, pace and speed. Default: set by 'workout profile', otherwise by the locale.
            """
    )
    var units: DistanceUnits?
}

/// A command with an option for its units.
protocol UnitConfigurable {
    var distances: UnitOptions { get }
}

extension DistanceUnits: ExpressibleByArgument {
    /// - Parameter argument: `metric`, `imperial`, or the words of 'workout profile': `us` and `uk`.
    public init?(argument: String) {
        switch argument {
        case "metric": self = .metric
        case "imperial", "us", "uk": self = .imperial
        default: return nil
        }
    }

    public static var allValueStrings: [String] { ["metric", "imperial", "us", "uk"] }

    /// The units of the profile, or else of the locale.
    private static let ofMachine: DistanceUnits = {
        switch try? HealthEnvironment.process.ofOwner.profile().units {
        case .metric: .metric
        case .us, .uk: .imperial
        case nil: of(locale: ProcessInfo.processInfo.environment)
        }
    }()

    /// Sets the units of distances to those of the command's option, or else to those of this machine.
    static func choose(for command: any ParsableCommand) {
        let chosen = (command as? any UnitConfigurable)?.distances.units
        ofProcess.function = { chosen ?? ofMachine }
    }
}
