public import Foundation

/// A release of FHIR by its usual name.
public struct HKFHIRRelease: RawRepresentable, Hashable, Sendable {
    /// The release's usual name.
    public let rawValue: String

    /// Creates a release from any name, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Versions 1.0.x.
    public static let dstu2 = Self(rawValue: "DSTU2")
    /// Versions 4.0.x.
    public static let r4 = Self(rawValue: "R4")
    /// Any other version.
    public static let unknown = Self(rawValue: "unknown")
}

/// A version of the FHIR specification.
public final class HKFHIRVersion: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The major version: 4 in 4.0.1.
    public let majorVersion: Int
    /// The minor version: 0 in 4.0.1.
    public let minorVersion: Int
    /// The patch version: 1 in 4.0.1.
    public let patchVersion: Int

    private init(_ major: Int, _ minor: Int, _ patch: Int) {
        majorVersion = major
        minorVersion = minor
        patchVersion = patch
    }

    /// Reads three numbers separated by dots, such as `4.0.1`. Throws `HKError.errorInvalidArgument` for anything else.
    public convenience init(fromVersionString versionString: String) throws {
        let numbers = versionString.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else {
            throw HKError.make(
                .errorInvalidArgument, "\"\(versionString)\" is not a FHIR version; write three numbers, such as 4.0.1."
            )
        }
        self.init(numbers[0], numbers[1], numbers[2])
    }

    /// Returns 1.0.2.
    public static func primaryDSTU2() -> HKFHIRVersion { HKFHIRVersion(1, 0, 2) }

    /// Returns 4.0.1.
    public static func primaryR4() -> HKFHIRVersion { HKFHIRVersion(4, 0, 1) }

    /// The release: DSTU2 for 1.0, R4 for 4.0, from HL7's version history.
    public var fhirRelease: HKFHIRRelease {
        switch (majorVersion, minorVersion) {
        case (1, 0): .dstu2
        case (4, 0): .r4
        default: .unknown
        }
    }

    /// The three numbers separated by dots: `4.0.1`.
    public var stringRepresentation: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether all three numbers are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFHIRVersion)?.stringRepresentation == stringRepresentation
    }

    /// The hash of the version as a string.
    public override var hash: Int { stringRepresentation.hashValue }

    /// The three numbers: `4.0.1`.
    public override var description: String { stringRepresentation }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let string = coder.decodeString(forKey: "version") else { return nil }
        try? self.init(fromVersionString: string)
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(stringRepresentation as NSString, forKey: "version")
    }
}
