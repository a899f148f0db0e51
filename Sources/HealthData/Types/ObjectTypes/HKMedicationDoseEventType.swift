/// The type of `HKMedicationDoseEvent`. Read only for apps.
///
/// The right to read these comes with that to the medications themselves; Apple does not say whether the type asks for
/// per-object authorization. Here it does not.
// Immutable, as HKObjectType explains.
public final class HKMedicationDoseEventType: HKSampleType, @unchecked Sendable {}

/// The identifier of `HKObjectType.medicationDoseEventType()`.
public let HKMedicationDoseEventTypeIdentifierMedicationDoseEvent =
    "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent"
