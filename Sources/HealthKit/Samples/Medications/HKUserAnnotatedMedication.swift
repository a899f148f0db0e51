public import Foundation

/// A medication that the user takes, with what they noted about it. Not a sample; read with a query of its own.
public final class HKUserAnnotatedMedication: NSObject, NSCopying, Sendable {
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
}
