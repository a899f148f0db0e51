public import Foundation

/// A medication that the user takes, with what they noted about it. Not a sample; read with a query of its own.
public final class HKUserAnnotatedMedication: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// What the user calls it; nil when they gave it no name.
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

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when the medication and all notes about it are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKUserAnnotatedMedication else { return false }
        return medication == other.medication && nickname == other.nickname && isArchived == other.isArchived
            && hasSchedule == other.hasSchedule
    }

    /// That of the medication.
    public override var hash: Int { medication.hash }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public convenience init?(coder: NSCoder) {
        guard let medication = coder.decodeValue(of: HKMedicationConcept.self, forKey: "medication"),
            let isArchived = coder.decodeCount(forKey: "isArchived"),
            let hasSchedule = coder.decodeCount(forKey: "hasSchedule")
        else { return nil }
        self.init(
            nickname: coder.decodeString(forKey: "nickname"), isArchived: isArchived != 0,
            hasSchedule: hasSchedule != 0, medication: medication)
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encodeIfPresent(string: nickname, forKey: "nickname")
        coder.encode(count: isArchived ? 1 : 0, forKey: "isArchived")
        coder.encode(count: hasSchedule ? 1 : 0, forKey: "hasSchedule")
        coder.encode(medication, forKey: "medication")
    }
}
