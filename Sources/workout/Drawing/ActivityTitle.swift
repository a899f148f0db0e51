import Recordings

/// An activity's name as a person reads it.
enum ActivityTitle {
    /// `traditionalStrengthTraining` becomes `Traditional strength training`; with a known place, `Outdoor running`.
    static func of(_ activity: String, location: ActivityDescription.Location = .unknown) -> String {
        let words = words(activity)
        let title =
            switch location {
            case .unknown: words
            case .indoor, .outdoor: location.rawValue + " " + words
            }
        guard let first = title.first else { return "Workout" }
        return first.uppercased() + title.dropFirst()
    }

    /// The words of a name in camel case, in lower case: `distanceWalkingRunning` becomes `distance walking running`.
    /// Abbreviations in capitals stay whole: `heartRateVariabilitySDNN` becomes `heart rate variability SDNN`.
    static func words(_ name: String) -> String {
        var words: [String] = []
        var previous: Character = " "
        for character in name {
            if words.isEmpty || (character.isUppercase && !previous.isUppercase) {
                words.append(String(character))
            } else {
                words[words.count - 1].append(character)
            }
            previous = character
        }
        return words.map { $0.count > 1 && $0.allSatisfy(\.isUppercase) ? $0 : $0.lowercased() }
            .joined(separator: " ")
    }
}
