/// `NSComparisonPredicate.Operator` for the factories of predicates.
///
/// Foundation on Linux has the operators, but in a deprecated class, so that each use causes a warning. A use through
/// an associated type does not.
public typealias PredicateOperator = AssociatedOperator<PredicateOperators>

/// Names the operators without a warning of the compiler. Apps use ``PredicateOperator``.
public protocol OperatorNaming {
    /// `NSComparisonPredicate.Operator`.
    associatedtype Operator
}

/// The operators named by `Names`. Apps use ``PredicateOperator``.
public typealias AssociatedOperator<Names: OperatorNaming> = Names.Operator

/// The parts of ``PredicateOperator``, which apps use.
public enum PredicateOperators: OperatorNaming {
    /// Foundation's own operators, so that `.greaterThan` and others work as on Apple's systems.
    @available(*, deprecated, message: "Use NSComparisonPredicate.Operator")
    public typealias Operator = NSComparisonPredicate.Operator
}

extension SampleFilter.Comparison {
    /// One of the six comparisons of size. Nil for others, such as `in` and `like`.
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

    /// For the factories, for which any other operator is a programming error.
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
    /// A comparison with an optional value. As in `NSPredicate`, a missing value is unequal to all others.
    package static func comparing(_ comparison: Comparison, _ filter: (Comparison) -> SampleFilter) -> SampleFilter {
        comparison == .notEqual ? .not(filter(.equal)) : filter(comparison)
    }
}
