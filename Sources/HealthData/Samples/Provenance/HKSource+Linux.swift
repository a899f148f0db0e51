import Foundation

extension HKSource {
    /// The app that this process is, found once.
    static let runningApp = app(
        environment: ProcessInfo.processInfo.environment, bundleIdentifier: Bundle.main.bundleIdentifier,
        executableName: ProcessInfo.processInfo.processName)

    /// What an app is called on Linux, where programs carry no bundle.
    ///
    /// The identifier is that of the variable `HEALTHKIT_BUNDLE_ID`, else of the bundle, else `local.` and the name of
    /// the executable. The name is that of `HEALTHKIT_APP_NAME`, else the name of the executable. A variable that is
    /// empty counts as not set.
    package static func app(
        environment: [String: String], bundleIdentifier: String?, executableName: String
    ) -> HKSource {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        return HKSource(
            name: variable("HEALTHKIT_APP_NAME") ?? executableName,
            bundleIdentifier: variable("HEALTHKIT_BUNDLE_ID") ?? bundleIdentifier ?? "local.\(executableName)")
    }
}
