public import Foundation

/// A source at one of its versions, on one kind of machine. Two are equal when all of it is.
public final class HKSourceRevision: NSObject, NSSecureCoding, NSCopying, Sendable {
    public let source: HKSource
    /// The app's version; nil when it has none.
    public let version: String?
    /// The kind of machine, such as `Linux,x86_64`; nil when not known.
    public let productType: String?
    public let operatingSystemVersion: OperatingSystemVersion

    /// A revision that stands for any product and any operating system, as a predicate over source revisions needs it.
    public convenience init(source: HKSource, version: String?) {
        self.init(
            source: source, version: version, productType: HKSourceRevisionAnyProductType,
            operatingSystemVersion: HKSourceRevisionAnyOperatingSystem)
    }

    public init(
        source: HKSource, version: String?, productType: String?, operatingSystemVersion: OperatingSystemVersion
    ) {
        self.source = source
        self.version = version
        self.productType = productType
        self.operatingSystemVersion = operatingSystemVersion
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKSourceRevision else { return false }
        return self === other
            || (source == other.source && version == other.version && productType == other.productType
                && systemNumbers == other.systemNumbers)
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(source)
        hasher.combine(version)
        hasher.combine(productType)
        hasher.combine(systemNumbers)
        return hasher.finalize()
    }

    private var systemNumbers: [Int] {
        let system = operatingSystemVersion
        return [system.majorVersion, system.minorVersion, system.patchVersion]
    }

    public override var description: String {
        let system = systemNumbers.map(String.init).joined(separator: ".")
        return "\(source) \(version ?? "") \(productType ?? "") \(system)"
    }

    // MARK: NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let source = coder.decodeValue(of: HKSource.self, forKey: "source"),
            let system = coder.decodeList(of: NSNumber.self, forKey: "operatingSystemVersion"), system.count == 3
        else { return nil }
        self.init(
            source: source, version: coder.decodeString(forKey: "version"),
            productType: coder.decodeString(forKey: "productType"),
            operatingSystemVersion: OperatingSystemVersion(
                majorVersion: system[0].intValue, minorVersion: system[1].intValue, patchVersion: system[2].intValue))
    }

    public func encode(with coder: NSCoder) {
        coder.encode(source, forKey: "source")
        coder.encodeIfPresent(string: version, forKey: "version")
        coder.encodeIfPresent(string: productType, forKey: "productType")
        coder.encode(list: systemNumbers.map { NSNumber(value: $0) }, forKey: "operatingSystemVersion")
    }
}

/// Stands for every version of a source.
public let HKSourceRevisionAnyVersion = "HKSourceRevisionAnyVersion"

/// Stands for every kind of machine.
public let HKSourceRevisionAnyProductType = "HKSourceRevisionAnyProductType"

/// Stands for every operating system. Apple does not publish the value; this is 0.0.0, which no system has.
public let HKSourceRevisionAnyOperatingSystem = OperatingSystemVersion(
    majorVersion: 0, minorVersion: 0, patchVersion: 0)
