/// The type of `HKAudiogramSample`: a hearing test.
public final class HKAudiogramSampleType: HKSampleType, @unchecked Sendable {}
