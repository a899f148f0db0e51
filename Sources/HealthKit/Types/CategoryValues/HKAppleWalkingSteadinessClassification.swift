/// What a walking steadiness says of the risk to fall in the next twelve months.
public enum HKAppleWalkingSteadinessClassification: Int, CaseIterable, Sendable {
    case ok = 1
    case low = 2
    case veryLow = 3
}
