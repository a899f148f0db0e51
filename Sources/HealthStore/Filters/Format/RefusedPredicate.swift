/// A valid predicate that cannot be used, because it names something that HealthKit's objects do not have.
final class RefusedPredicate: NSPredicate {
    private let format: String
    private let reason: PredicateFormatError

    init(_ format: String, _ reason: PredicateFormatError) {
        self.format = format
        self.reason = reason
        super.init(value: false)
    }

    /// The error of a query with it.
    var error: HKError {
        .make(.errorInvalidArgument, "The predicate \"\(format)\" cannot be used: \(reason).", cause: reason)
    }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        preconditionFailure("the predicate \"\(format)\" cannot be evaluated: \(reason)")
    }

    override var predicateFormat: String { format }

    override var description: String { format }

    override func isEqual(_ object: Any?) -> Bool { object as? RefusedPredicate === self }

    override var hash: Int { ObjectIdentifier(self).hashValue }

    override func copy() -> Any { self }

    override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSPredicate {
    /// The reason why no query can use it. Nil if one can.
    package var refusal: HKError? {
        switch self {
        case let refused as RefusedPredicate: refused.error
        case let compound as NSCompoundPredicate: compound.subpredicates.lazy.compactMap(\.refusal).first
        default: nil
        }
    }
}
