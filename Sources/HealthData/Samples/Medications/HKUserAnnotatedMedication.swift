public import Foundation

/// A medication that the user takes, with what they noted about it. Not a sample; read with a query of its own.
public final class HKUserAnnotatedMedication: NSObject, NSSecureCoding, NSCopying, Sendable {
    public let nickname: String?
    /// Whether the user no longer takes it.
    public let isArchived: Bool
    public let hasSchedule: Bool
    public let medication: HKMedicationConcept

    package init(nickname: String?, isArchived: Bool, hasSchedule: Bool, medication: HKMedicationConcept) {
        self.nickname = nickname
        self.isArchived = isArchived
        self.hasSchedule = hasSchedule
        self.medication = medication
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKUserAnnotatedMedication else { return false }
        return medication == other.medication && nickname == other.nickname && isArchived == other.isArchived
            && hasSchedule == other.hasSchedule
    }

    public override var hash: Int { medication.hash }

    // MARK: NSSecureCoding

    public static var supportsSecureCoding: Bool { true }

    public convenience init?(coder: NSCoder) {
        guard let medication = coder.decodeValue(of: HKMedicationConcept.self, forKey: "medication"),
            let isArchived = coder.decodeCount(forKey: "isArchived"),
            let hasSchedule = coder.decodeCount(forKey: "hasSchedule")
        else { return nil }
        self.init(
            nickname: coder.decodeString(forKey: "nickname"), isArchived: isArchived != 0,
            hasSchedule: hasSchedule != 0, medication: medication)
    }

    public func encode(with coder: NSCoder) {
        coder.encodeIfPresent(string: nickname, forKey: "nickname")
        coder.encode(count: isArchived ? 1 : 0, forKey: "isArchived")
        coder.encode(count: hasSchedule ? 1 : 0, forKey: "hasSchedule")
        coder.encode(medication, forKey: "medication")
    }
}
