import Foundation

/// `.erg` and `.mrc`, the text files of CompuTrainer, which most programs for trainers write: a header in brackets, then a minute and a power on
/// each line. The power changes evenly from one line to the next; two lines of the same minute are a jump.
extension WorkoutPlan {
    static func course(_ text: String, _ path: String) throws(RecordingError) -> WorkoutPlan {
        var section = ""
        var name: String?
        var isShare: Bool?
        var points: [(minutes: Double, value: Double, line: Int)] = []
        var notes: [Note] = []
        var isEnded = false
        func refused(_ line: Int, _ reason: String) -> RecordingError {
            .refused(path: path, reason: "line \(line): \(reason)")
        }
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let number = index + 1
            let content = line.trimmingCharacters(in: .whitespaces)
            guard !content.isEmpty else { continue }
            if content.hasPrefix("[") {
                let title = content.uppercased()
                if title == "[END COURSE DATA]" { isEnded = true }
                section = title.hasPrefix("[END") ? "" : title
                continue
            }
            switch section {
            case "[COURSE HEADER]":
                let upper = content.uppercased()
                if let equals = content.firstIndex(of: "="),
                    upper.hasPrefix("DESCRIPTION") || upper.hasPrefix("FILE NAME")
                {
                    let value = content[content.index(after: equals)...].trimmingCharacters(in: .whitespaces)
                    // Prefer the description to the name of the file.
                    if !value.isEmpty, name == nil || upper.hasPrefix("DESCRIPTION") { name = value }
                } else if upper.hasPrefix("MINUTES") {
                    let unit = upper.dropFirst("MINUTES".count).trimmingCharacters(in: .whitespaces)
                    switch unit {
                    case "WATTS": isShare = false
                    case "PERCENT", "PERCENTAGE", "FTP": isShare = true
                    default: throw refused(number, "the unit \(unit) is none of WATTS and PERCENT")
                    }
                }
            case "[COURSE DATA]":
                let words = content.split(whereSeparator: { $0.isWhitespace })
                guard words.count >= 2, let minutes = Double(words[0]), let value = Double(words[1]), minutes.isFinite,
                    value.isFinite
                else {
                    // A lap between the points has no meaning: each step is one.
                    if words.last?.uppercased() == "LAP" { continue }
                    throw refused(number, "write a minute and a power")
                }
                guard minutes >= points.last?.minutes ?? 0 else { throw refused(number, "the minutes go back") }
                guard points.count <= 2 * mostSteps else {
                    throw .refused(path: path, reason: tooManySteps)
                }
                points.append((minutes, value, number))
            case "[COURSE TEXT]":
                let words = content.split(maxSplits: 1, whereSeparator: { $0.isWhitespace })
                guard words.count == 2, let start = Double(words[0]) else { continue }
                // The last number is for how long it is shown.
                let text = String(words[1]).replacing(#/\s+[0-9]+(?:\.[0-9]+)?$/#, with: "")
                notes.append(Note(text, at: start))
            default: break
            }
        }
        guard let isShare else {
            throw .refused(
                path: path, reason: "its header does not state the unit of the powers: MINUTES WATTS or MINUTES PERCENT"
            )
        }
        guard isEnded else { throw .refused(path: path, reason: "it is cut: [END COURSE DATA] is missing") }
        var steps: [Step] = []
        var lines: [Int] = []
        for (from, to) in zip(points, points.dropFirst()) where to.minutes > from.minutes {
            let target: Target =
                isShare ? .share(from: from.value / 100, to: to.value / 100) : .power(from: from.value, to: to.value)
            let start = from.minutes * 60
            // Programs count in hundredths of a minute, and steps last whole seconds.
            let seconds = (to.minutes * 60).rounded() - start.rounded()
            let own = notes.filter { $0.start >= start && $0.start < to.minutes * 60 }
            steps.append(Step(seconds, target, notes: own.map { Note($0.text, at: $0.start - start) }))
            lines.append(to.line)
        }
        return try checked(name, steps, path) { "line \(lines[$0])" }
    }
}
