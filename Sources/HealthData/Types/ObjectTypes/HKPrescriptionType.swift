/// The type of `HKVisionPrescription`. The user grants reading prescription by prescription.
// Immutable, as HKObjectType explains.
public final class HKPrescriptionType: HKSampleType, @unchecked Sendable {
    public override func requiresPerObjectAuthorization() -> Bool { true }
}

/// The identifier of `HKObjectType.visionPrescriptionType()`.
public let HKVisionPrescriptionTypeIdentifier = "HKVisionPrescriptionTypeIdentifier"
