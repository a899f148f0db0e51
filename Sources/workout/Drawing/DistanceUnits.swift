import SessionLog

/// The units in which people read distances, paces and speeds. Output for programs is always metric.
enum DistanceUnits: String, Sendable, CaseIterable {
    case metric, imperial

    // Not a closure: Swift 6.3.1 crashes in an optimised `withValue` of a function that awaits.
    @TaskLocal static var ofTask: DistanceUnits?

    /// Looks up the units of the running command. It is called when a distance is shown and not at each start, because the profile is in
    /// the store.
    static let ofProcess = LockedFunction<@Sendable () -> DistanceUnits>({ .metric })

    /// The units of the current task, or of the running command.
    static var current: DistanceUnits { ofTask ?? ofProcess.function() }

    /// Returns the units of a locale in the system's variables (locale(7)). Few countries use miles.
    static func of(locale environment: [String: String]) -> DistanceUnits {
        let locale = ["LC_ALL", "LC_MEASUREMENT", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let region = locale?.prefix { $0 != "." && $0 != "@" }.split(separator: "_").dropFirst().first
        return of(region: region.map { String($0) })
    }

    static func of(region: String?) -> DistanceUnits {
        region.map { ["US", "GB", "LR", "MM"].contains($0) } == true ? .imperial : .metric
    }

    /// The international yard and pound agreement of 1959.
    static let metersPerYard = 0.9144
    static let metersPerFoot = 0.3048
    static let metersPerMile = 1_609.344
}
