import Analytics
import ArgumentParser
import HealthKit
import SessionLog

/// The target heart rate, and how to alert if it is left.
struct TargetOptions: ParsableArguments {
    @Option(
        help:
            """
            Target zone or range (zone2, 140-155). The live view shows it, and alerts you when you leave it.
            """)
    var target: HeartRateTarget?

    @Option(help: "How to alert: bell (of the terminal), speech (speech-dispatcher or espeak-ng) or none.")
    var targetSound = TargetAlarm.Sound.bell

    /// - Parameter wearer: The profile whose zones count.
    /// - Throws: If the zone is unknown, or if no speech program is installed.
    func alarm(_ wearer: WearerProfile?) throws -> TargetAlarm? {
        guard let target else { return nil }
        let zones = wearer?.heartRateZones
        if case .zone(let number) = target, target.bounds(zones) == nil {
            let known = zones.map { "you have \($0.count) zones" } ?? "your zones are unknown"
            throw CommandFailure(
                exitCode: .wrongUsage,
                message:
                    "--target zone\(number): \(known); use a range, such as 140-155, or set your "
                    + "maximum heart rate or your zones with 'workout profile'")
        }
        return try TargetAlarm(target, targetSound)
    }
}

extension HeartRateTarget: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension TargetAlarm.Sound: ExpressibleByArgument {}
