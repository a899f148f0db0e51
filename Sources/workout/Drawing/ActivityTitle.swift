import Reports
import SessionLog

/// An activity's name as a person reads it, in the current language.
enum ActivityTitle {
    /// `traditionalStrengthTraining` becomes `Traditional strength training`; with a known place, `Outdoor running`.
    static func of(_ activity: String, location: ActivityDescription.Location = .unknown) -> String {
        let words = words(activity)
        let language = Language.current
        guard !words.isEmpty else { return language.text("Workout") }
        let title = language.text(capitalised(words))
        return switch location {
        case .unknown: title
        case .indoor: language.text("Indoor %1", [language.inSentence(title)])
        case .outdoor: language.text("Outdoor %1", [language.inSentence(title)])
        }
    }

    /// `running`, as it stands within a sentence.
    static func inSentence(_ activity: String) -> String {
        Language.current.inSentence(of(activity))
    }

    private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

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
