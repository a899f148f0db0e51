public import Foundation

/// A release of FHIR by its usual name.
public struct HKFHIRRelease: RawRepresentable, Hashable, Sendable {
    /// The release's usual name.
    public let rawValue: String

    /// Of any release, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Versions 1.0.x.
    public static let dstu2 = Self(rawValue: "DSTU2")
    /// Versions 4.0.x.
    public static let r4 = Self(rawValue: "R4")
    /// Neither of the two.
    public static let unknown = Self(rawValue: "unknown")
}

/// A version of the FHIR specification.
public final class HKFHIRVersion: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// 4, in 4.0.1.
    public let majorVersion: Int
    /// 0, in 4.0.1.
    public let minorVersion: Int
    /// 1, in 4.0.1.
    public let patchVersion: Int

    private init(_ major: Int, _ minor: Int, _ patch: Int) {
        majorVersion = major
        minorVersion = minor
        patchVersion = patch
    }

    /// Three numbers with dots between them, such as `4.0.1`. Throws `HKError.errorInvalidArgument` for anything else.
    public convenience init(fromVersionString versionString: String) throws {
        let numbers = versionString.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else {
            throw HKError.make(
                .errorInvalidArgument, "\"\(versionString)\" is not a FHIR version; write three numbers, such as 4.0.1."
            )
        }
        self.init(numbers[0], numbers[1], numbers[2])
    }

    /// 1.0.2.
    public static func primaryDSTU2() -> HKFHIRVersion { HKFHIRVersion(1, 0, 2) }

    /// 4.0.1.
    public static func primaryR4() -> HKFHIRVersion { HKFHIRVersion(4, 0, 1) }

    /// DSTU2 for 1.0, R4 for 4.0: the releases as HL7's version history numbers them.
    public var fhirRelease: HKFHIRRelease {
        switch (majorVersion, minorVersion) {
        case (1, 0): .dstu2
        case (4, 0): .r4
        default: .unknown
        }
    }

    /// The three numbers with dots between them: `4.0.1`.
    public var stringRepresentation: String { "\(majorVersion).\(minorVersion).\(patchVersion)" }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when all three numbers are.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKFHIRVersion)?.stringRepresentation == stringRepresentation
    }

    /// That of the version as a string.
    public override var hash: Int { stringRepresentation.hashValue }

    /// The three numbers: `4.0.1`.
    public override var description: String { stringRepresentation }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public convenience init?(coder: NSCoder) {
        guard let string = coder.decodeString(forKey: "version") else { return nil }
        try? self.init(fromVersionString: string)
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(stringRepresentation as NSString, forKey: "version")
    }
}
