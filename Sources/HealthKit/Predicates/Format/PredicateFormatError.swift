/// Why a format string is not a predicate.
package struct PredicateFormatError: Error, Equatable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
