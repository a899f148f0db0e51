/// What a walking steadiness says of the risk to fall in the next twelve months.
///
/// Apple does not publish where one class ends and the next begins, and this module makes no such limits up.
public enum HKAppleWalkingSteadinessClassification: Int, CaseIterable, Sendable {
    /// The risk to fall is small.
    case ok = 1
    /// The risk to fall is raised.
    case low = 2
    /// The risk to fall is high.
    case veryLow = 3

    /// - Parameter appleWalkingSteadiness: A fraction from 0 to 1, in `%`.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for what is no walking steadiness; ``HKError/Code/errorNoData`` for
    ///   every other, since the limits of the classes are not known.
    public init(for appleWalkingSteadiness: HKQuantity) throws {
        guard appleWalkingSteadiness.is(compatibleWith: .percent()),
            (0...1).contains(appleWalkingSteadiness.doubleValue(for: .percent()))
        else {
            throw HKError.make(
                .errorInvalidArgument,
                "\(appleWalkingSteadiness) is no walking steadiness: that is a fraction from 0 to 1, in %.")
        }
        throw HKError.make(
            .errorNoData,
            "The walking steadiness \(appleWalkingSteadiness) cannot be classified: Apple does not publish where one class "
                + "ends and the next begins. Show the value itself.")
    }

    /// 0 %, the least that there is: the class begins there or above.
    public var minimum: HKQuantity { HKQuantity(unit: .percent(), doubleValue: 0) }

    /// 100 %, as 1, the most that there is: the class ends there or below.
    public var maximum: HKQuantity { HKQuantity(unit: .percent(), doubleValue: 1) }
}
