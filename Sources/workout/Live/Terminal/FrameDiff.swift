/// What must be written so that a screen that shows one frame shows the next.
enum FrameDiff {
    /// `old` is nil when nothing is known of the screen: it is cleared then. Empty when both frames are the same.
    ///
    /// The line is erased before it is written, not after: after a full line the cursor still stands on the last
    /// column, and erasing to the right would take that character away. The update is marked as one (private mode
    /// 2026, "synchronized output"), which terminals that do not know it pass over.
    static func bytes(from old: [String]?, to new: [String]) -> String {
        guard old != new else { return "" }
        var output = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
        let known = old ?? []
        for row in 0..<max(new.count, known.count) {
            let line = row < new.count ? new[row] : ""
            if row < known.count ? known[row] == line : line.isEmpty { continue }
            output += "\u{1B}[\(row + 1);1H\u{1B}[2K\(line)"
        }
        return "\u{1B}[?2026h\(output)\u{1B}[?2026l"
    }
}
