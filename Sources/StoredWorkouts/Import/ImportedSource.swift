import Recordings
import SessionLog

extension HKSourceRevision {
    /// Creates the source of a sample from an export, which contains the name and the version but not the bundle
    /// identifier. The name replaces the identifier, so that each name is one source.
    ///
    /// For Apple's own devices, the version is that of their system, and the product type is their hardware.
    convenience init(_ source: HealthSource) {
        let device = source.device
        let isSystem = device?.softwareVersion != nil && device?.softwareVersion == source.version
        let numbers = isSystem ? (source.version ?? "").split(separator: ".").map { Int($0) ?? 0 } : []
        func number(_ index: Int) -> Int { index < numbers.count ? numbers[index] : 0 }
        self.init(
            source: HKSource(name: source.name, bundleIdentifier: Self.importedPrefix + source.name),
            version: source.version, productType: isSystem ? device?.hardwareVersion : nil,
            operatingSystemVersion: OperatingSystemVersion(
                majorVersion: number(0), minorVersion: number(1), patchVersion: number(2)))
    }

    /// The prefix of the bundle identifiers of imported sources.
    fileprivate static let importedPrefix = "apple-health."
}

extension HKSource {
    /// Whether its objects came from an Apple Health export.
    package var isOfExport: Bool { bundleIdentifier.hasPrefix(HKSourceRevision.importedPrefix) }
}
