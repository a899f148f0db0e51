/// The type of `HKVisionPrescription`. The user grants reading prescription by prescription.
// Immutable, as HKObjectType explains.
public final class HKPrescriptionType: HKSampleType, @unchecked Sendable {
    /// True: such prescriptions may not be in the read set of an ordinary request.
    public override func requiresPerObjectAuthorization() -> Bool { true }
}

/// The identifier of `HKObjectType.visionPrescriptionType()`.
public let HKVisionPrescriptionTypeIdentifier = "HKVisionPrescriptionTypeIdentifier"
