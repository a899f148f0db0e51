import Analytics
import ArgumentParser
import HealthKit
import Recordings

/// Where the heart rate is to be, and how it is told that it is not.
struct TargetOptions: ParsableArguments {
    @Option(
        help:
            "Where the heart rate is to be: zone2, or 140-155. The live view shows it, and it is told when it is left.")
    var target: HeartRateTarget?

    @Option(help: "How that is told: bell (of the terminal), speech (speech-dispatcher or espeak-ng), none.")
    var targetSound = TargetAlarm.Sound.bell

    /// - Parameter wearer: Whose zones count.
    /// - Throws: For a zone that is not known, and where nothing speaks.
    func alarm(_ wearer: WearerProfile?) throws -> TargetAlarm? {
        guard let target else { return nil }
        let zones = wearer?.heartRateZones
        if case .zone(let number) = target, target.bounds(zones) == nil {
            let known = zones.map { "there are \($0.count) zones" } ?? "zones are not known"
            throw CommandFailure(
                exitCode: .wrongUsage,
                message:
                    "--target zone\(number): \(known); say a range, such as 140-155, or tell 'workout profile' your "
                    + "maximum heart rate or your zones")
        }
        return try TargetAlarm(target, targetSound)
    }
}

extension HeartRateTarget: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension TargetAlarm.Sound: ExpressibleByArgument {}
