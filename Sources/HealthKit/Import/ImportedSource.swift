import Recordings
import SessionLog

extension HKSourceRevision {
    /// Who saved a sample, by what an export says: the name and the version, but not the bundle identifier. The name
    /// stands in for that, so that each name is one source.
    ///
    /// Apple's own devices are sources whose version is that of their system; their hardware is the product type.
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

    /// What the bundle identifiers of imported sources begin with.
    package static let importedPrefix = "apple-health."
}
