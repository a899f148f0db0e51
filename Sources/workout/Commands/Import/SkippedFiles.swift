import Recordings
import Reports
import SessionLog

/// Files in folders and archives that hold no workout of their own: pictures, settings, courses, and the tracks and heart
/// rates of workouts that other files describe.
struct SkippedFiles {
    enum Kind: Hashable {
        /// Files with that extension. Empty for a name without one.
        case ending(String)
        /// Files in a format of recordings with other content.
        case content(UnsupportedContent)

        fileprivate func counted(_ count: Int) -> String {
            switch self {
            case .ending(let ending): "\(count) \(ending.isEmpty ? localized("without an extension") : ending)"
            case .content(let content):
                "\(count) " + Language.current.text(count == 1 ? content.singular : content.plural)
            }
        }

        fileprivate var name: String {
            switch self {
            case .ending(let ending): ending
            case .content(let content): content.plural
            }
        }
    }

    private var counts: [Kind: Int] = [:]
    private static let mostNamed = 8

    mutating func add(_ kind: Kind) { counts[kind, default: 0] += 1 }

    var count: Int { counts.values.reduce(0, +) }

    /// `61 files hold no workout of their own (40 .json, 12 .jpg, 3 courses, 6 without an extension)`; nil if there are none.
    var sentence: String? {
        guard count > 0 else { return nil }
        let kinds = counts.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
        let named = kinds.prefix(Self.mostNamed).map { $0.key.counted($0.value) }
        let rest = kinds.dropFirst(Self.mostNamed).reduce(0) { $0 + $1.value }
        let kindList = (named + (rest > 0 ? [localized("%1 others", "\(rest)")] : [])).joined(separator: ", ")
        return count == 1
            ? localized("1 file holds no workout of its own (%1)", kindList)
            : localized("%1 files hold no workout of their own (%2)", "\(count)", kindList)
    }
}

extension CommandFailure {
    /// Creates the error for a named file that can be read and has no workout.
    init(noWorkoutIn recordings: [Recording], of name: String) {
        let reason = recordings.first?.file.warnings.first.map { " (\($0.message))" } ?? ""
        self.init(
            exitCode: .badInput,
            message: "\(name) contains no workout\(reason); export it again from its source")
    }
}

extension ImportItem {
    /// Returns what the file is if it was found, not named, and is not a workout. Text and JSON can be anything.
    func kindOfOther(
        _ error: any Error, _ source: RecordingSource, _ formats: [any RecordingFormat]
    ) -> SkippedFiles.Kind? {
        if isNamed { return nil }
        switch error as? RecordingError {
        case .otherContent(_, let content): return .content(content)
        case .unknown, .notReadable, .empty, .severalRecordings, .notRegular, .directory: return .ending(ending)
        case .invalid:
            guard let start = try? source.start(),
                let format = RecordingFile.format(startingWith: start, among: formats)
            else { return nil }
            let isOther = ["csv", "json", "rr"].contains(format.name) || format.name == "jsonl" && ending != ".jsonl"
            return isOther ? .ending(ending) : nil
        default: return nil
        }
    }
}
