public import Foundation

/// A version of a source on a kind of machine. Two are equal if all properties are.
public final class HKSourceRevision: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The app, or a sensor that is paired on its own.
    public let source: HKSource
    /// The app's version. Nil if it has none.
    public let version: String?
    /// The kind of machine, such as `Linux,x86_64`. Nil if not known.
    public let productType: String?
    /// The operating system that the app ran on. In predicates, 0.0.0 stands for any.
    public let operatingSystemVersion: OperatingSystemVersion

    /// Creates a revision that stands for any product and any operating system, for use in predicates.
    public convenience init(source: HKSource, version: String?) {
        self.init(
            source: source, version: version, productType: HKSourceRevisionAnyProductType,
            operatingSystemVersion: HKSourceRevisionAnyOperatingSystem)
    }

    /// Creates a revision with all properties.
    public init(
        source: HKSource, version: String?, productType: String?, operatingSystemVersion: OperatingSystemVersion
    ) {
        self.source = source
        self.version = version
        self.productType = productType
        self.operatingSystemVersion = operatingSystemVersion
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether source, version, product and operating system are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKSourceRevision else { return false }
        return self === other
            || (source == other.source && version == other.version && productType == other.productType
                && systemNumbers == other.systemNumbers)
    }

    /// The hash of source, version, product and operating system.
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

    /// The source, its version, the product and the operating system.
    public override var description: String {
        let system = systemNumbers.map(String.init).joined(separator: ".")
        return "\(source) \(version ?? "") \(productType ?? "") \(system)"
    }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
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

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
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
