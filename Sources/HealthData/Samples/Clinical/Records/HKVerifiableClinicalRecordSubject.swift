public import Foundation

/// The person that a verifiable record is about.
public final class HKVerifiableClinicalRecordSubject: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The full name in the record.
    public let fullName: String
    /// The date of birth: year, month and day in the Gregorian calendar.
    public let dateOfBirthComponents: DateComponents?

    package init(fullName: String, dateOfBirthComponents: DateComponents?) {
        self.fullName = fullName
        self.dateOfBirthComponents = dateOfBirthComponents
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public init?(coder: NSCoder) {
        guard let name = coder.decodeString(forKey: "fullName") else { return nil }
        fullName = name
        let parts = coder.decodeList(of: NSNumber.self, forKey: "dateOfBirth")?.map(\.intValue)
        dateOfBirthComponents = parts.flatMap {
            $0.count == 3 ? DateComponents(year: $0[0], month: $0[1], day: $0[2]) : nil
        }
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(fullName as NSString, forKey: "fullName")
        guard let birth = dateOfBirthComponents, let year = birth.year, let month = birth.month, let day = birth.day
        else { return }
        coder.encode(list: [year, month, day].map { NSNumber(value: $0) }, forKey: "dateOfBirth")
    }
}
