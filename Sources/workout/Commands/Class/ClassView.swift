import Foundation
import HealthKit
import Reports
import SessionLog

/// The grid of a class at one instant: a tile for each athlete, in the colour of the zone.
struct ClassView: ScreenContent {
    /// The order of the tiles. Within a zone, and without zones, it is that of the roster, so that tiles do not move at every beat.
    enum Order: Sendable, Equatable {
        case zone, roster

        var other: Order { self == .zone ? .roster : .zone }
    }

    struct Tile: Sendable, Equatable {
        var name: String
        var heartRate: Double?
        var zone: Int?
        var zoneCount = 0
        var phase = SessionPhase.notStarted
        var durationInSeconds = 0.0
        /// Whether the sensors are connected and worn.
        var hasContact = true
        /// The battery of a sensor if it is low, in percent.
        var lowBattery: Int?
        /// What became of a session that is over.
        var end: String?
        var isSelected = false

        var isLost: Bool { end == nil && !(hasContact && heartRate != nil) && phase != .notStarted }

        /// The second line of the tile.
        var status: String {
            if let end { return "\(end) \(MetricFormat.shortTime(durationInSeconds))" }
            switch phase {
            case .notStarted, .prepared: return heartRate == nil ? localized("waiting") : localized("ready")
            case .paused: return localized("paused")
            default: break
            }
            let time = MetricFormat.shortClock(durationInSeconds)
            if !hasContact { return localized("no contact") }
            if heartRate == nil { return "\(localized("no heart rate")) \(time)" }
            if let lowBattery { return localized("battery %1 %", "\(lowBattery)") }
            return (zone.map { "Z\($0) " } ?? "") + time
        }
    }

    var title = "Class"
    var timeOfDay = ""
    var tiles: [Tile] = []
    var order = Order.zone
    var message: String?
    var question: String?

    private static func keys(_ unicode: Bool) -> String {
        let keys = [
            ("s", localized("start")), ("p", localized("pause")), ("r", localized("resume")), ("l", localized("lap")),
            ("q", localized("end")), ("o", localized("order")), (unicode ? "←→" : "arrows", localized("one person")),
            ("Esc", localized("all")),
        ]
        return keys.map { "\($0) \($1)" }.joined(separator: "  ")
    }

    private static let gap = 2

    /// The tiles as they are shown: the hardest first, then those who are waiting or lost, then those who have ended.
    var sorted: [Tile] {
        guard order == .zone else { return tiles }
        func rank(_ tile: Tile) -> Int { tile.end != nil ? 2 : tile.heartRate == nil || !tile.hasContact ? 1 : 0 }
        return tiles.enumerated().sorted { a, b in
            let (first, second) = (rank(a.element), rank(b.element))
            if first != second { return first < second }
            let (zone, other) = (a.element.zone ?? 0, b.element.zone ?? 0)
            if first == 0, zone != other { return zone > other }
            return a.offset < b.offset
        }.map(\.element)
    }

    /// The layouts of a tile, the largest first.
    private struct Layout {
        var width: Int
        var rows: Int
        var digits: BigDigits.Size?
    }

    private static func layouts(_ unicode: Bool) -> [Layout] {
        [
            Layout(width: 24, rows: 8, digits: .medium),
            Layout(width: 16, rows: unicode ? 6 : 8, digits: .small),
            Layout(width: 34, rows: 1, digits: nil),
            Layout(width: 22, rows: 1, digits: nil),
        ]
    }

    func lines(_ size: TerminalSize, _ capability: TerminalCapability) -> [String] {
        let running = tiles.count { $0.end == nil && $0.phase == .running }
        let lost = tiles.count { $0.isLost && $0.phase != .prepared }
        var heading =
            StyledLine(title, .bold)
            + StyledLine("  " + localized("%1 of %2 running", "\(running)", "\(tiles.count)"), .dim)
        if lost > 0 {
            heading += StyledLine("  " + localized("%1 without heart rate", "\(lost)"), .colour(.yellow, bold: true))
        }
        var lines = [StyledLine.spread(heading, StyledLine(timeOfDay, .dim), columns: size.columns), StyledLine()]
        let room = max(1, size.rows - 4)
        lines += grid(columns: size.columns, rows: room, capability)
        while lines.count < size.rows - 2 { lines.append(StyledLine()) }
        lines = Array(lines.prefix(max(0, size.rows - 2)))
        lines.append(
            question.map { StyledLine($0, .bold) } ?? message.map { StyledLine($0, .colour(.yellow)) } ?? StyledLine())
        lines.append(StyledLine(Self.keys(capability.unicode), .dim))
        return lines.map {
            $0.clipped(to: size.columns, ellipsis: capability.unicode ? "…" : "...").text(capability.colour)
        }
    }

    private func grid(columns: Int, rows: Int, _ capability: TerminalCapability) -> [StyledLine] {
        let tiles = sorted
        let layouts = Self.layouts(capability.unicode)
        func perLine(_ layout: Layout) -> Int { max(1, (columns + Self.gap) / (layout.width + Self.gap)) }
        let fitting = layouts.first { layout in
            let count = (tiles.count + perLine(layout) - 1) / perLine(layout)
            return count * layout.rows <= rows && layout.width <= columns
        }
        let layout = fitting ?? layouts[layouts.count - 1]
        let across = perLine(layout)
        var shown = tiles
        let capacity = max(1, rows / layout.rows) * across
        var rest: StyledLine?
        if tiles.count > capacity {
            shown = Array(tiles.prefix(max(0, capacity - across)))
            let left = localized(
                "and %1 more; make the window larger, or see the board", "\(tiles.count - shown.count)")
            rest = StyledLine(left, .dim)
        }
        var lines: [StyledLine] = []
        for start in stride(from: 0, to: shown.count, by: across) {
            let row = shown[start..<min(start + across, shown.count)].map { draw($0, layout, capability) }
            for line in 0..<layout.rows {
                lines.append(
                    row.map { $0[line].padded(to: layout.width) }.reduce(StyledLine()) { sum, piece in
                        sum.width == 0 ? piece : sum + .spaces(Self.gap) + piece
                    })
            }
        }
        if let rest { lines.append(rest) }
        return lines
    }

    private func draw(_ tile: Tile, _ layout: Layout, _ capability: TerminalCapability) -> [StyledLine] {
        let style = Self.style(tile)
        let mark = tile.isSelected ? (capability.unicode ? "▸ " : "> ") : ""
        let name = StyledLine(mark + tile.name, tile.isSelected ? .bold : .plain)
        let rate = tile.heartRate.map { MetricFormat.fixed($0, 0) } ?? "-"
        let status = StyledLine(tile.status, tile.isLost ? .colour(.yellow) : .dim)
        guard let digits = layout.digits else {
            let right = StyledLine(String(repeating: " ", count: max(0, 3 - rate.count)) + rate, style) + " " + status
            return [.spread(name, right, columns: layout.width)]
        }
        let number = BigDigits.rows(rate, size: digits, unicode: capability.unicode).map { StyledLine($0, style) }
        var lines = [name] + number + [status]
        while lines.count < layout.rows { lines.append(StyledLine()) }
        return lines.map { $0.clipped(to: layout.width) }
    }

    private static func style(_ tile: Tile) -> TextStyle {
        guard tile.end == nil, tile.hasContact else { return .dim }
        guard let zone = tile.zone else { return tile.zoneCount > 0 ? .colour(.grey) : .bold }
        return .zone(zone, of: tile.zoneCount)
    }

    /// The class in one line of plain text, for a pipe.
    var plainLine: String {
        let people = tiles.map { tile in
            let rate = tile.heartRate.map { MetricFormat.fixed($0, 0) } ?? "-"
            return "\(tile.name) \(rate)" + (tile.end ?? (tile.zone.map { "Z\($0)" } ?? "")).withSpace
        }
        return "\(timeOfDay)  " + people.joined(separator: ", ")
    }
}

extension String {
    fileprivate var withSpace: String { isEmpty ? "" : " " + self }
}

/// The keys of a class and the requests that they stand for. Pure: the time is a parameter.
struct ClassKeys: Sendable {
    enum Request: Equatable, Sendable { case start, pause, resume, lap, end }

    /// Whom a request concerns.
    enum Target: Equatable, Sendable {
        case all
        case one(String)
    }

    private(set) var order = ClassView.Order.zone
    /// The name of the athlete whom keys concern. Nil for all.
    private(set) var selected: String?
    private var asked: Date?

    /// - Parameter names: Of those whose session is not over, as they are shown.
    mutating func press(_ key: Key, among names: [String], at now: Date) -> (request: Request, target: Target)? {
        let wasAsked = isAsked(at: now)
        asked = nil
        if let selected, !names.contains(selected) { self.selected = nil }
        let target = selected.map { Target.one($0) } ?? .all
        switch key {
        case .control("c"): return (.end, .all)
        case .escape: selected = nil
        case .right, .down, .tab: move(by: 1, among: names)
        case .left, .up: move(by: -1, among: names)
        case .enter: return (.start, target)
        case .character(let character):
            switch character.lowercased() {
            case "s": return (.start, target)
            case "p": return (.pause, target)
            case "r": return (.resume, target)
            case "l": return (.lap, target)
            case "o": order = order.other
            case "q": asked = now
            case "y" where wasAsked: return (.end, target)
            default: break
            }
        default: break
        }
        return nil
    }

    private mutating func move(by step: Int, among names: [String]) {
        guard !names.isEmpty else { return selected = nil }
        guard let selected, let index = names.firstIndex(of: selected) else {
            return self.selected = step > 0 ? names.first : names.last
        }
        let next = index + step
        self.selected = names.indices.contains(next) ? names[next] : nil
    }

    func show(on view: inout ClassView, at now: Date) {
        view.order = order
        for index in view.tiles.indices where view.tiles[index].end == nil {
            view.tiles[index].isSelected = view.tiles[index].name == selected
        }
        guard isAsked(at: now) else { return }
        view.question =
            selected.map { localized("End the workout of %1 and save it? y: yes, any other key: keep going", $0) }
            ?? localized("End the class and save all workouts? y: yes, any other key: keep going")
    }

    private func isAsked(at now: Date) -> Bool {
        asked.map { (0..<LiveKeys.questionLimitInSeconds).contains(now.timeIntervalSince($0)) } ?? false
    }
}
