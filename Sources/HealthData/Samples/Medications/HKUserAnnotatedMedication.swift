public import Foundation

/// A medication that the user takes, with the user's notes about it. It is not a sample and has a query of its own.
public final class HKUserAnnotatedMedication: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The nickname that the user chose. Nil without one.
    public let nickname: String?
    /// Whether the user no longer takes it.
    public let isArchived: Bool
    /// Whether the user takes it at fixed times.
    public let hasSchedule: Bool
    /// The medication itself.
    public let medication: HKMedicationConcept

    package init(nickname: String?, isArchived: Bool, hasSchedule: Bool, medication: HKMedicationConcept) {
        self.nickname = nickname
        self.isArchived = isArchived
        self.hasSchedule = hasSchedule
        self.medication = medication
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the medication and all notes about it are equal.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKUserAnnotatedMedication else { return false }
        return medication == other.medication && nickname == other.nickname && isArchived == other.isArchived
            && hasSchedule == other.hasSchedule
    }

    /// The hash of the medication.
    public override var hash: Int { medication.hash }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let medication = coder.decodeValue(of: HKMedicationConcept.self, forKey: "medication"),
            let isArchived = coder.decodeCount(forKey: "isArchived"),
            let hasSchedule = coder.decodeCount(forKey: "hasSchedule")
        else { return nil }
        self.init(
            nickname: coder.decodeString(forKey: "nickname"), isArchived: isArchived != 0,
            hasSchedule: hasSchedule != 0, medication: medication)
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encodeIfPresent(string: nickname, forKey: "nickname")
        coder.encode(count: isArchived ? 1 : 0, forKey: "isArchived")
        coder.encode(count: hasSchedule ? 1 : 0, forKey: "hasSchedule")
        coder.encode(medication, forKey: "medication")
    }
}
