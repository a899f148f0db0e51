/// Why a format string is not a predicate.
struct PredicateFormatError: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
