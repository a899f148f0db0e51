import Synchronization

/// The units in which distances, paces and speeds are told to people. What programs read has metric ones, always.
enum DistanceUnits: String, Sendable, CaseIterable {
    case metric, imperial

    /// Those of the task that tells something. Asked when a distance is told, and not at each start: the profile is in the store.
    @TaskLocal static var choice: @Sendable () -> DistanceUnits = { ofProcess.withLock { $0 }() }

    /// What the command says that runs; asked when the first distance is told.
    static let ofProcess = Mutex<@Sendable () -> DistanceUnits>({ .metric })

    static var current: DistanceUnits { choice() }

    /// Of a locale, as the system's variables name it (locale(7)): miles are used in few countries.
    static func of(locale environment: [String: String]) -> DistanceUnits {
        let locale = ["LC_ALL", "LC_MEASUREMENT", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let region = locale?.prefix { $0 != "." && $0 != "@" }.split(separator: "_").dropFirst().first
        return region.map { ["US", "GB", "LR", "MM"].contains($0) } == true ? .imperial : .metric
    }

    /// By the international yard and pound agreement of 1959.
    static let metersPerYard = 0.9144
    static let metersPerFoot = 0.3048
    static let metersPerMile = 1_609.344
}
