import Reports

/// Rows under headings. Each column is as wide as its widest value. If the page is too narrow, the columns on the right
/// are left out first, and the last one shown is clipped.
struct ColumnTable: Sendable {
    struct Column: Sendable {
        /// In English, or translated.
        var title: String
        var isNumber = false
        /// The least width, for tables that grow while they are shown.
        var minimumWidth = 0

        fileprivate var heading: String { Language.current.text(title) }
    }

    enum Row: Sendable {
        case values([String])
        /// A remark over the whole width.
        case remark(String)
    }

    var columns: [Column]
    var rows: [Row] = []
    private static let gap = 2

    /// - Parameter showsTitles: False for rows that continue a table.
    func lines(_ page: Page, showsTitles: Bool = true) -> [String] {
        let shown = fitting(page.columns)
        var lines = showsTitles ? [line(columns.map(\.heading), shown, .dim)] : []
        for row in rows {
            switch row {
            case .values(let values): lines.append(line(values, shown, .plain))
            case .remark(let text): lines.append(StyledLine(text, .dim))
            }
        }
        return lines.map { $0.clipped(to: page.columns, ellipsis: page.ellipsis).text(page.capability.colour) }
    }

    /// Returns the widths of the columns shown.
    private func fitting(_ room: Int) -> [Int] {
        var widths = columns.enumerated().map { index, column in
            rows.reduce(max(column.minimumWidth, DisplayWidth.of(column.heading))) { widest, row in
                guard case .values(let values) = row, index < values.count else { return widest }
                return max(widest, DisplayWidth.of(DisplayWidth.printable(values[index])))
            }
        }
        while widths.count > 1, widths.reduce(0, +) + Self.gap * (widths.count - 1) > room {
            // A last column of text is clipped before it is left out.
            let before = widths.dropLast().reduce(0) { $0 + $1 + Self.gap }
            if !columns[widths.count - 1].isNumber, room - before >= 12 { break }
            widths.removeLast()
        }
        return widths
    }

    private func line(_ values: [String], _ widths: [Int], _ style: TextStyle) -> StyledLine {
        var line = StyledLine()
        for (index, width) in widths.enumerated() {
            if index > 0 { line += .spaces(Self.gap) }
            let value = StyledLine(index < values.count ? values[index] : "", style)
            line += columns[index].isNumber ? .spaces(width - value.width) + value : value.padded(to: width)
        }
        return line
    }
}
