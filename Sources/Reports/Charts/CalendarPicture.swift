/// Days in columns of weeks. The shade shows how much was done.
package struct CalendarPicture: Sendable {
    package struct Day: Sendable {
        /// The shade: 0 for nothing, 4 for the most.
        package var level: Int
        /// The day's workouts in words. Empty if there are none.
        package var title: String
        /// The day and the amount, for the table behind the picture.
        package var date: String
        package var amount: String
        /// The month's name above the column in which it begins.
        package var month: String?
        /// The link to the day's workouts: a page, or a part of one.
        package var link: String?

        package init(
            level: Int, title: String, date: String = "", amount: String = "", month: String? = nil, link: String? = nil
        ) {
            self.level = level
            self.title = title
            self.date = date
            self.amount = amount
            self.month = month
            self.link = link
        }
    }

    package var days: [Day]
    /// The row of the first day. 0 is the first day of a week.
    package var firstRow: Int

    package init(_ days: [Day], firstRow: Int) {
        self.days = days
        self.firstRow = min(max(firstRow, 0), 6)
    }

    private static let cell = 12
    private static let top = 12

    package func markup(label: String) -> Markup {
        var page = Markup()
        let weeks = (days.count + firstRow + 6) / 7
        guard weeks > 0 else { return page }
        let (width, height) = (max(weeks, 12) * Self.cell, 7 * Self.cell + Self.top)
        page.element(
            "svg",
            [
                // A picture with links is announced as a group.
                "class": "calendar", "role": days.contains { $0.link != nil } ? "group" : "img", "aria-label": label,
                "viewBox": "0 0 \(width) \(height)",
                "style": "max-width:\(width * 3 / 2)px",
            ]
        ) { page in
            var empty = PathData()
            for (index, day) in days.enumerated() {
                let (column, row) = ((index + firstRow) / 7, (index + firstRow) % 7)
                let (x, y) = (column * Self.cell, row * Self.cell + Self.top)
                if let month = day.month {
                    page.element("text", ["x": "\(x)", "y": "9"], text: month)
                }
                guard day.level > 0 else {
                    let (left, upper) = (Double(x), Double(y))
                    empty.move(left, upper)
                    empty.line(left + 10, upper)
                    empty.line(left + 10, upper + 10)
                    empty.line(left, upper + 10)
                    empty.close()
                    continue
                }
                func square(_ page: inout Markup) {
                    page.element(
                        "rect",
                        [
                            "class": "d\(min(day.level, 4))", "x": "\(x)", "y": "\(y)", "width": "10", "height": "10",
                        ]
                    ) { $0.element("title", text: day.title) }
                }
                if let link = day.link {
                    page.element("a", ["href": link, "aria-label": day.title], square)
                } else {
                    square(&page)
                }
            }
            page.element("path", ["class": "day", "d": empty.text]) { _ in }
        }
        page.element("details") { page in
            page.element("summary", text: localized("Show as a table"))
            page.append(table.markup)
        }
        return page
    }

    /// Returns the legend. Whether higher levels are darker depends on the reader's colour scheme.
    /// - Parameter levels: The texts of the levels, those for the shortest days first.
    package static func legend(_ levels: [String]) -> Markup {
        let styles: [StaticString] = ["d1", "d2", "d3", "d4"]
        return Legend(Array(zip(levels, styles))).markup
    }

    /// The table for screen readers: the weeks with workouts, and a column for each day.
    private var table: DataTable {
        var table = DataTable(columns: [localized("Week of")] + Language.current.weekdays)
        for week in 0..<(days.count + firstRow + 6) / 7 {
            let own = (0..<7).map { row in
                let index = week * 7 + row - firstRow
                return days.indices.contains(index) ? days[index] : nil
            }
            guard own.contains(where: { $0.map { $0.level > 0 } ?? false }) else { continue }
            table.rows.append(
                [.init(own.lazy.compactMap { $0 }.first?.date ?? "")]
                    + own.map { .init($0.flatMap { $0.level > 0 ? $0.amount : nil } ?? "") })
        }
        return table
    }
}
