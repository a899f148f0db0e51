/// The type of `HKAudiogramSample`: a hearing test.
// Immutable, as HKObjectType explains.
public final class HKAudiogramSampleType: HKSampleType, @unchecked Sendable {}
