/// The type of `HKElectrocardiogram`. Read only for apps.
public final class HKElectrocardiogramType: HKSampleType, @unchecked Sendable {}
