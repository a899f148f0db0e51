import Foundation

/// Plans as text: a step on each line.
///
///     name Four times four
///     10m 100-180W
///     4x
///       4m 250W 90rpm "Hold it"
///       3m 55%
///     lap free
///     5m grade 3
extension WorkoutPlan {
    static func plain(_ text: String, _ path: String) throws(RecordingError) -> WorkoutPlan {
        var name: String?
        var steps: [Step] = []
        var lines: [Int] = []
        /// The steps that are repeated, from which one on and how often, and how far their line is indented.
        var block: (first: Int, times: Int, indent: Int, line: Int)?
        func refused(_ line: Int, _ reason: String) -> RecordingError {
            .refused(path: path, reason: "line \(line): \(reason)")
        }
        func endBlock() throws(RecordingError) {
            guard let open = block else { return }
            block = nil
            let (body, numbers) = (Array(steps[open.first...]), Array(lines[open.first...]))
            guard !body.isEmpty else { throw refused(open.line, "indent the steps that are repeated below this line") }
            guard steps.count + body.count * (open.times - 1) <= mostSteps else {
                throw refused(open.line, tooManySteps)
            }
            for _ in 1..<open.times {
                steps += body
                lines += numbers
            }
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            let indent = line.prefix { $0 == " " || $0 == "\t" }.count
            let content = Self.withoutComment(line).trimmingCharacters(in: .whitespacesAndNewlines)
            guard !content.isEmpty else { continue }
            if let open = block, indent <= open.indent { try endBlock() }
            if content.lowercased().hasPrefix("name ") {
                name = String(content.dropFirst(5))
            } else if let match = content.wholeMatch(of: #/([0-9]{1,4}) ?[x×]/#), let times = Int(match.1) {
                guard block == nil else { throw refused(number, "repeats cannot be nested") }
                guard times > 0 else { throw refused(number, "a block is repeated at least once") }
                block = (steps.count, times, indent, number)
            } else {
                guard block != nil || indent == 0 else {
                    throw refused(number, "only steps below a repeat, such as 4x, are indented")
                }
                switch Self.step(content) {
                case .success(let step):
                    steps.append(step)
                    lines.append(number)
                case .failure(let fault): throw refused(number, fault.reason)
                }
            }
        }
        try endBlock()
        return try checked(name, steps, path) { "line \(lines[$0])" }
    }

    private struct LineFault: Error {
        var reason: String
    }

    /// Without what follows a `#` outside of quotes.
    private static func withoutComment(_ line: Substring) -> Substring {
        var isQuoted = false
        let end = line.firstIndex { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "#" && !isQuoted
        }
        return line[..<(end ?? line.endIndex)]
    }

    private static func step(_ line: String) -> Result<Step, LineFault> {
        var words = line
        var notes: [Note] = []
        if let match = line.firstMatch(of: #/"([^"]*)"\s*$/#) {
            notes = [Note(String(match.1))]
            words = String(line[..<match.range.lowerBound])
        }
        var left = words.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)[...]
        func fault(_ reason: String) -> Result<Step, LineFault> { .failure(LineFault(reason: reason)) }
        guard let first = left.popFirst(), let seconds = duration(first) else {
            return fault("write a duration first, such as 90s, 5m or 1h30m, or lap for a step that you end yourself")
        }
        var cadence: Double?
        if let last = left.last, let match = last.wholeMatch(of: #/([0-9]{1,3})rpm/#) {
            cadence = Double(match.1)
            left = left.dropLast()
        }
        guard let target = target(left.joined(separator: " ")) else {
            return fault("write a target after the duration: 200W, 100-180W, 85%, grade 3 or free")
        }
        return .success(
            Step(seconds.isInfinite ? nil : seconds, target, cadencePerMinute: cadence, notes: notes))
    }

    /// Infinite for a step that the rider ends.
    private static func duration(_ text: String) -> Double? {
        if text == "lap" { return .infinity }
        guard let match = text.wholeMatch(of: #/(?:([0-9]{1,2})h)?(?:([0-9]{1,4})m)?(?:([0-9]{1,5})s)?/#),
            !text.isEmpty
        else { return nil }
        let parts = [match.1, match.2, match.3].map { $0.flatMap { Double($0) } ?? 0 }
        return parts[0] * 3600 + parts[1] * 60 + parts[2]
    }

    private static func target(_ text: String) -> Target? {
        if text == "free" { return .free }
        if let match = text.wholeMatch(of: #/grade ([-+]?[0-9]{1,2}(?:\.[0-9]{1,2})?) ?%?/#) {
            return Double(match.1).map { .grade($0) }
        }
        guard let match = text.wholeMatch(of: #/([0-9]{1,4})(?:[-–]([0-9]{1,4}))? ?(w|%)/#), let from = Double(match.1)
        else { return nil }
        let to = match.2.flatMap { Double($0) } ?? from
        return match.3 == "w" ? .power(from: from, to: to) : .share(from: from / 100, to: to / 100)
    }
}
