/// What a walking steadiness says of the risk to fall in the next twelve months.
public enum HKAppleWalkingSteadinessClassification: Int, CaseIterable, Sendable {
    case ok = 1
    case low = 2
    case veryLow = 3

    @available(*, unavailable, message: "Apple does not publish where one class of walking steadiness ends")
    public init(for quantity: HKQuantity) throws {
        throw HKError.make(.errorInvalidArgument, "The limits of walking steadiness are not known.")
    }

    @available(*, unavailable, message: "Apple does not publish where one class of walking steadiness ends")
    public var minimum: HKQuantity { HKQuantity(unit: .percent(), doubleValue: 0) }

    @available(*, unavailable, message: "Apple does not publish where one class of walking steadiness ends")
    public var maximum: HKQuantity { HKQuantity(unit: .percent(), doubleValue: 1) }
}
