/// What somebody may have meant by a name that does not exist.
enum NearNames {
    /// The nearest of `names`, best first: those that contain the text, begin alike or are a few letters away.
    static func of(_ text: String, in names: some Sequence<String>, limit: Int = 3) -> [String] {
        let wanted = Array(text.lowercased())
        guard !wanted.isEmpty else { return [] }
        let allowed = max(2, wanted.count / 3)
        let ranked = names.compactMap { name -> (rank: Int, name: String)? in
            let other = name.lowercased()
            if wanted.count > 2, other.contains(String(wanted)) { return (other.count - wanted.count, name) }
            // 'steps' for stepCount.
            let shared = zip(wanted, other).prefix { $0 == $1 }.count
            if shared >= 4, shared * 3 >= wanted.count * 2 { return (60 - shared, name) }
            let distance = distance(wanted, Array(other))
            // Behind a name that contains all of the text unless very near.
            return distance <= allowed ? (distance * 4, name) : nil
        }
        return ranked.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.prefix(limit).map(\.name)
    }

    /// A question to follow "Unknown …", or nothing.
    static func question(_ text: String, in names: some Sequence<String>) -> String {
        let near = of(text, in: names)
        guard let last = near.last else { return "" }
        let others = near.dropLast().map { "'\($0)'" }.joined(separator: ", ")
        return " Did you mean \(others.isEmpty ? "" : others + " or ")'\(last)'?"
    }

    /// How many letters have to be changed, added or left out (Levenshtein 1966).
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
