/// Which algorithm classified an electrocardiogram. The value of `HKMetadataKeyAppleECGAlgorithmVersion`.
public enum HKAppleECGAlgorithmVersion: Int, Sendable {
    case version1 = 1
    case version2 = 2
}
