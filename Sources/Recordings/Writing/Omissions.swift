/// The kinds of values that a format cannot hold, or holds less precisely, each with a count.
struct Omissions {
    private var counts: [(what: String, count: Int?)] = []
    private var places: [String: Int] = [:]

    /// - Parameter what: The name in the plural, such as “RR intervals”.
    mutating func add(_ what: String, count: Int = 1) {
        guard count > 0 else { return }
        if let place = places[what] {
            counts[place].count = counts[place].count.map { $0 + count }
        } else {
            places[what] = counts.count
            counts.append((what, count))
        }
    }

    /// Notes something without a count, such as “the wearer's age”.
    mutating func note(_ what: String) {
        guard places[what] == nil else { return }
        places[what] = counts.count
        counts.append((what, nil))
    }

    /// The names for a list.
    var words: [String] { counts.map { what, count in count.map { "\($0) \(what)" } ?? what } }
}
