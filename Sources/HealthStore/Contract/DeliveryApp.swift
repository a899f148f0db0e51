/// An app that is started for changes, and how to start it: as it ran when it last asked.
package struct DeliveryApp: Sendable, Equatable, Codable {
    package var bundleIdentifier: String
    package var name: String
    package var executable: String
    package var arguments: [String]
    package var workingDirectory: String
    package var environment: [String: String]
    /// The name on the session bus by which it can be activated: `HEALTHKIT_BUS_NAME`.
    package var busName: String?

    package init(
        bundleIdentifier: String, name: String, executable: String, arguments: [String] = [],
        workingDirectory: String = "/", environment: [String: String] = [:], busName: String? = nil
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.name = name
        self.executable = executable
        self.arguments = arguments
        self.workingDirectory = workingDirectory
        self.environment = environment
        self.busName = busName
    }

    /// This process.
    package static func running(as source: HKSource) -> DeliveryApp {
        let process = ProcessInfo.processInfo
        let files = FileManager.default
        let executable = (try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? process.arguments[0]
        let variables = process.environment
        return DeliveryApp(
            bundleIdentifier: source.bundleIdentifier, name: source.name, executable: executable,
            arguments: Array(process.arguments.dropFirst()), workingDirectory: files.currentDirectoryPath,
            environment: variables.filter { isKept($0.key) },
            busName: variables["HEALTHKIT_BUS_NAME"].flatMap { $0.isEmpty ? nil : $0 })
    }

    /// The variables with which an app finds its store, permissions, bus and libraries, without those by which a test simulates a
    /// machine.
    package static func isKept(_ variable: String) -> Bool {
        if variable == "HEALTHKIT_SIMULATE" { return false }
        return variable.hasPrefix("HEALTHKIT_") || variable.hasPrefix("XDG_") || variable.hasPrefix("LC_")
            || [
                "HOME", "PATH", "USER", "LANG", "TZ", "LD_LIBRARY_PATH", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY",
                "WAYLAND_DISPLAY",
            ].contains(variable)
    }
}

/// The deliveries of one app.
package struct AppDeliveries: Sendable, Equatable {
    package var app: DeliveryApp
    package var deliveries: [Delivery]

    package init(app: DeliveryApp, deliveries: [Delivery]) {
        self.app = app
        self.deliveries = deliveries
    }

    package struct Delivery: Sendable, Equatable {
        package var type: HKSampleType
        package var state: DeliveryState
        /// The latest change of the type, by any app.
        package var latest: Int64

        package init(type: HKSampleType, state: DeliveryState, latest: Int64) {
            self.type = type
            self.state = state
            self.latest = latest
        }

        package func next(now: Date) -> DeliveryState.Step { state.next(latest: latest, for: type, now: now) }
    }
}
