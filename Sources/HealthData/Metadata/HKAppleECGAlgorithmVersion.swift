/// Which algorithm classified an electrocardiogram. The value of `HKMetadataKeyAppleECGAlgorithmVersion`.
public enum HKAppleECGAlgorithmVersion: Int, Sendable {
    /// The first algorithm.
    case version1 = 1
    /// The second algorithm.
    case version2 = 2
}
