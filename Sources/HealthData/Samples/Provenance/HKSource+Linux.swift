import Foundation
import SessionLog

extension HKSource {
    /// The app of this process, determined once.
    static let runningApp = app(
        environment: ProcessInfo.processInfo.environment, bundleIdentifier: Bundle.main.bundleIdentifier,
        executableName: ProcessInfo.processInfo.processName)

    /// Returns the source of an app on Linux, where programs have no bundle.
    ///
    /// The identifier is that of the variable `HEALTHKIT_BUNDLE_ID`, else of the bundle, else `local.` and the name of
    /// the executable. The name is that of `HEALTHKIT_APP_NAME`, else the name of the executable. An empty variable
    /// counts as not set.
    package static func app(
        environment: [String: String], bundleIdentifier: String?, executableName: String
    ) -> HKSource {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        return HKSource(
            name: variable("HEALTHKIT_APP_NAME") ?? executableName,
            bundleIdentifier: variable("HEALTHKIT_BUNDLE_ID") ?? bundleIdentifier ?? "local.\(executableName)")
    }
}

extension HKDevice {
    /// This machine, with its distribution and processor. Properties that identify the individual machine are nil,
    /// because samples are shared.
    static let thisMachine = HKDevice(
        DeviceDescription(
            name: "Linux", model: LinuxSystem.distribution.name ?? "Linux", hardwareVersion: LinuxSystem.machine,
            softwareVersion: LinuxSystem.distribution.version))
}

extension HKSourceRevision {
    /// The running app on this machine: the source of samples that it saves.
    ///
    /// The version is that of the bundle's Info.plist, nil if there is none. The operating system's version is the
    /// kernel's.
    package static let current = HKSourceRevision(
        source: .default(), version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String,
        productType: "Linux,\(LinuxSystem.machine)",
        operatingSystemVersion: ProcessInfo.processInfo.operatingSystemVersion)
}

/// The properties of this machine that every sample may contain: the distribution and the processor, but nothing that
/// identifies the machine or its owner (no host name, no serial number, no machine id).
package enum LinuxSystem {
    /// The processor architecture, as `uname -m` prints it: `x86_64`, `aarch64`.
    package static let machine: String = {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: names.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }()

    /// The distribution, from the file of os-release(5). Empty if there is none.
    package static let distribution: OSRelease = {
        for path in ["/etc/os-release", "/usr/lib/os-release"] {
            if let text = try? String(contentsOfFile: path, encoding: .utf8) { return OSRelease(text) }
        }
        return OSRelease("")
    }()
}

/// The name and the version of a distribution.
package struct OSRelease: Sendable, Equatable {
    /// `NAME`, such as `Debian GNU/Linux`.
    package let name: String?
    /// `VERSION_ID`, such as `12`. Rolling distributions have none.
    package let version: String?

    /// Reads the shell-like assignments of os-release(5). Ignores other lines.
    package init(_ text: String) {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            values[String(parts[0])] = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"' \t"))
        }
        name = values["NAME"]
        version = values["VERSION_ID"]
    }
}
