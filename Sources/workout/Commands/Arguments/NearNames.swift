/// The names that somebody may have meant by one that does not exist.
enum NearNames {
    /// Returns the nearest of `names`, best first: those that contain the text, begin alike or differ by a few letters.
    static func of(_ text: String, in names: some Sequence<String>, limit: Int = 3) -> [String] {
        let wanted = Array(text.lowercased())
        guard !wanted.isEmpty else { return [] }
        let allowed = max(2, wanted.count / 3)
        let ranked = names.compactMap { name -> (rank: Int, name: String)? in
            let other = name.lowercased()
            if wanted.count > 2, other.contains(String(wanted)) { return (other.count - wanted.count, name) }
            // Finds stepCount for 'steps'.
            let shared = zip(wanted, other).prefix { $0 == $1 }.count
            if shared >= 4, shared * 3 >= wanted.count * 2 { return (60 - shared, name) }
            let distance = distance(wanted, Array(other))
            // Ranks behind a name that contains all of the text, unless it is very near.
            return distance <= allowed ? (distance * 4, name) : nil
        }
        return ranked.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.prefix(limit).map(\.name)
    }

    /// Returns a question to follow "Unknown …", or an empty text.
    static func question(_ text: String, in names: some Sequence<String>) -> String {
        let near = of(text, in: names)
        guard let last = near.last else { return "" }
        let others = near.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        return " Did you mean \(others.isEmpty ? "" : others + " or ")'\(last)'?"
    }

    /// Returns how many letters to change, add or remove (Levenshtein 1966).
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var previous = Array(0...b.count)
        for (row, letter) in a.enumerated() {
            var current = [row + 1]
            for (column, other) in b.enumerated() {
                current.append(
                    min(previous[column + 1] + 1, current[column] + 1, previous[column] + (letter == other ? 0 : 1)))
            }
            previous = current
        }
        return previous[b.count]
    }
}
