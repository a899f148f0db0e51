import HealthKit
import Reports
import StoredWorkouts

/// The content of `workout browse`: the list, the selection and the search. Pure: a key leads to another state.
struct BrowseList: Sendable, Equatable {
    /// Newest first.
    private let all: [HKWorkout]
    private(set) var shown: [HKWorkout]
    /// The index among the workouts shown.
    private(set) var selected = 0
    private(set) var search = ""
    /// Whether letters extend the search.
    private(set) var isSearching = false
    /// The first line shown if the selected workout fills the screen; nil otherwise.
    private(set) var openedAtLine: Int?
    private(set) var isOver = false

    static let page = 10

    init(_ workouts: [HKWorkout]) {
        all = workouts
        shown = workouts
    }

    var selection: HKWorkout? { shown.indices.contains(selected) ? shown[selected] : nil }
    var count: Int { all.count }

    mutating func press(_ key: Key) {
        if isSearching { return type(key) }
        if let line = openedAtLine { return scroll(key, from: line) }
        switch key {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .left, .character("b"): move(by: -Self.page)
        case .right, .character(" "), .character("f"): move(by: Self.page)
        case .character("g"): selected = 0
        case .character("G"): selected = max(0, shown.count - 1)
        case .character("/"): isSearching = true
        case .escape: find("")
        case .enter: if selection != nil { openedAtLine = 0 }
        case .character("q"): isOver = true
        default: break
        }
    }

    private mutating func move(by rows: Int) { selected = min(max(0, selected + rows), max(0, shown.count - 1)) }

    private mutating func scroll(_ key: Key, from line: Int) {
        switch key {
        case .up, .character("k"): openedAtLine = max(0, line - 1)
        case .down, .character("j"): openedAtLine = line + 1
        case .left, .character("b"): openedAtLine = max(0, line - Self.page)
        case .right, .character(" "), .character("f"): openedAtLine = line + Self.page
        case .escape, .enter, .backspace, .character("q"): openedAtLine = nil
        default: break
        }
    }

    private mutating func type(_ key: Key) {
        switch key {
        case .character(let letter): find(search + String(letter))
        case .backspace: find(String(search.dropLast()))
        case .enter, .up, .down: isSearching = false
        case .escape:
            isSearching = false
            find("")
        default: break
        }
    }

    private mutating func find(_ text: String) {
        let before = selection
        search = text
        let filter = WorkoutFilter(text: text)
        shown = text.isEmpty ? all : all.filter(filter.matches)
        selected = before.flatMap { shown.firstIndex(of: $0) } ?? 0
    }
}

/// The list with the summary of the selected workout, beside it or below.
struct BrowseFrame: ScreenContent {
    var list: BrowseList
    /// The summary of the selected workout, as wide as ``previewColumns(_:)`` returns.
    var preview: [String]

    /// The least width of a screen with the preview beside the list.
    static let leastColumnsBeside = 110
    private static let listColumns = 58

    /// How wide the preview is on a screen.
    static func previewColumns(_ list: BrowseList, _ size: TerminalSize) -> Int {
        list.openedAtLine == nil && size.columns >= leastColumnsBeside ? size.columns - listColumns - 3 : size.columns
    }

    func lines(_ size: TerminalSize, _ capability: TerminalCapability) -> [String] {
        let page = Page(columns: size.columns, capability: capability)
        let body = max(1, size.rows - 2)
        if let line = list.openedAtLine {
            let first = min(line, max(0, preview.count - body))
            return [head(localized("Esc back  ↑↓ scroll"), page)] + [""] + Array(preview.dropFirst(first).prefix(body))
        }
        let keys =
            list.isSearching
            ? localized("Enter done  Esc clear") : localized("↑↓ move  / search  Enter open  q quit")
        let top = [head(keys, page), ""]
        guard size.columns < Self.leastColumnsBeside else {
            let left = rows(body, columns: Self.listColumns, page)
            let bar = capability.unicode ? " │ " : " | "
            return top
                + (0..<body).map { row in
                    let own = row < left.count ? left[row] : StyledLine()
                    let beside = row < preview.count ? preview[row] : ""
                    return own.padded(to: Self.listColumns).text(capability.colour, keepsSpaces: true) + bar + beside
                }
        }
        let half = min(max(list.shown.count, 1), max(1, body / 2))
        let above = rows(half, columns: size.columns, page).map { $0.text(capability.colour) }
        return top + above + [""] + Array(preview.prefix(max(0, body - above.count - 1)))
    }

    private func head(_ keys: String, _ page: Page) -> String {
        let found = list.search.isEmpty && !list.isSearching ? "" : "   /\(list.search)\(list.isSearching ? "_" : "")"
        let keys = page.capability.unicode ? keys : keys.replacing("↑↓", with: "j k")
        return StyledLine.spread(
            StyledLine(
                "\(list.shown.count) \(localized("of")) \(Page.counted(list.count, "workout"))\(found)", .bold),
            StyledLine(keys, .dim), columns: page.columns, ellipsis: page.ellipsis
        ).text(page.capability.colour)
    }

    /// As many rows as fit, including the selected one.
    private func rows(_ room: Int, columns: Int, _ page: Page) -> [StyledLine] {
        guard !list.shown.isEmpty else { return [StyledLine(localized("No workout matches."), .dim)] }
        let first = max(0, min(list.selected - room / 2, list.shown.count - room))
        return list.shown.enumerated().dropFirst(first).prefix(room).map { place, workout in
            let isSelected = place == list.selected
            let figures = [workout.metersCovered.map(MetricFormat.distance) ?? "", MetricFormat.time(workout.duration)]
                .map { StyledLine(String(repeating: " ", count: max(0, 9 - DisplayWidth.of($0))) + $0) }
            let title = WorkoutTitle.of(workout, page.timeZone)
            return StyledLine.spread(
                StyledLine("\(isSelected ? ">" : " ") \(page.at(workout.timeZone).minute(workout.startDate))  ")
                    + StyledLine(title, isSelected ? .bold : .plain),
                figures[0] + figures[1], columns: columns, ellipsis: page.ellipsis)
        }
    }
}
