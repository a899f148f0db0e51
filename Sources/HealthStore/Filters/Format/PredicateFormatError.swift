/// Why a format string is not a predicate that can be used.
package struct PredicateFormatError: Error, Equatable, CustomStringConvertible {
    package var description: String
    /// Whether the words make sense as a format, and only speak of what HealthKit's objects do not have.
    package var isReadable = false

    package init(_ description: String) {
        self.description = description
    }

    /// Of a predicate that the grammar allows.
    static func unusable(_ description: String) -> PredicateFormatError {
        var error = PredicateFormatError(description)
        error.isReadable = true
        return error
    }
}
