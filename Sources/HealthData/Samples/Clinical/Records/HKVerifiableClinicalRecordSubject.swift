public import Foundation

/// Whom a verifiable record is about.
public final class HKVerifiableClinicalRecordSubject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The name as the record has it.
    public let fullName: String
    /// Year, month and day in the Gregorian calendar.
    public let dateOfBirthComponents: DateComponents?

    package init(fullName: String, dateOfBirthComponents: DateComponents?) {
        self.fullName = fullName
        self.dateOfBirthComponents = dateOfBirthComponents
    }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public init?(coder: NSCoder) {
        guard let name = coder.decodeString(forKey: "fullName") else { return nil }
        fullName = name
        let parts = coder.decodeList(of: NSNumber.self, forKey: "dateOfBirth")?.map(\.intValue)
        dateOfBirthComponents = parts.flatMap {
            $0.count == 3 ? DateComponents(year: $0[0], month: $0[1], day: $0[2]) : nil
        }
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encode(fullName as NSString, forKey: "fullName")
        guard let birth = dateOfBirthComponents, let year = birth.year, let month = birth.month, let day = birth.day
        else { return }
        coder.encode(list: [year, month, day].map { NSNumber(value: $0) }, forKey: "dateOfBirth")
    }
}
