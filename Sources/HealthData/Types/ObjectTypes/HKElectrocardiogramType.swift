/// The type of `HKElectrocardiogram`. Read only for apps.
// Immutable, as HKObjectType explains.
public final class HKElectrocardiogramType: HKSampleType, @unchecked Sendable {}
