/// `NSComparisonPredicate.Operator`, as the factories of predicates take it.
///
/// Foundation on Linux has the operators, but marks the class around them as deprecated, so that each mention warns; not
/// so a mention by way of an associated type.
public typealias PredicateOperator = AssociatedOperator<PredicateOperators>

/// Names the operators in a way that the compiler does not warn about; apps use ``PredicateOperator``.
public protocol OperatorNaming {
    /// `NSComparisonPredicate.Operator`.
    associatedtype Operator
}

/// The operators that `Names` names; apps use ``PredicateOperator``.
public typealias AssociatedOperator<Names: OperatorNaming> = Names.Operator

/// What ``PredicateOperator`` is made of; apps use that.
public enum PredicateOperators: OperatorNaming {
    /// Foundation's own operators, so that `.greaterThan` and the like work as on Apple's systems.
    @available(*, deprecated, message: "Say NSComparisonPredicate.Operator")
    public typealias Operator = NSComparisonPredicate.Operator
}

extension SampleFilter.Comparison {
    /// The six that compare sizes; nil for the others (`in`, `like` and so on).
    package init?(_ type: PredicateOperator) {
        switch type {
        case .lessThan: self = .less
        case .lessThanOrEqualTo: self = .lessOrEqual
        case .equalTo: self = .equal
        case .notEqualTo: self = .notEqual
        case .greaterThanOrEqualTo: self = .greaterOrEqual
        case .greaterThan: self = .greater
        default: return nil
        }
    }

    /// For the factories, where any other operator is a mistake in the program.
    package init(comparing type: PredicateOperator, _ what: String) {
        guard let comparison = Self(type) else {
            preconditionFailure(
                "\(what) can be compared by ==, !=, <, <=, > and >= only, not by operator \(type.rawValue)")
        }
        self = comparison
    }
}

extension SampleFilter.Text {
    package init?(_ type: PredicateOperator) {
        switch type {
        case .beginsWith: self = .beginsWith
        case .endsWith: self = .endsWith
        case .contains: self = .contains
        case .like: self = .like
        case .matches: self = .matches
        default: return nil
        }
    }
}

extension SampleFilter {
    /// A comparison with something that may be absent: what is absent is unequal, as in `NSPredicate`.
    package static func comparing(_ comparison: Comparison, _ filter: (Comparison) -> SampleFilter) -> SampleFilter {
        comparison == .notEqual ? .not(filter(.equal)) : filter(comparison)
    }
}
