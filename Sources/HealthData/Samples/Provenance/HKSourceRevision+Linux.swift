import Foundation

extension HKSourceRevision {
    /// The running app on this machine: what a sample that it saves comes from.
    ///
    /// The version is that of the bundle's Info.plist, nil where there is none. The operating system's version is the
    /// kernel's.
    package static let current = HKSourceRevision(
        source: .default(), version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String,
        productType: "Linux,\(LinuxSystem.machine)",
        operatingSystemVersion: ProcessInfo.processInfo.operatingSystemVersion)
}
