/// The reason why a format string is not a usable predicate.
package struct PredicateFormatError: Error, Equatable, CustomStringConvertible {
    package var description: String
    /// Whether the format is valid, but names something that HealthKit's objects do not have.
    package var isReadable = false

    package init(_ description: String) {
        self.description = description
    }

    /// An error in a valid predicate.
    static func unusable(_ description: String) -> PredicateFormatError {
        var error = PredicateFormatError(description)
        error.isReadable = true
        return error
    }
}
