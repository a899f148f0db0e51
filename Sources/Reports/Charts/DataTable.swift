/// A table whose columns a script sorts; without it they stay as they are.
package struct DataTable: Sendable {
    package struct Cell: Sendable {
        package var text: String
        /// What it is sorted by; nil for its text.
        package var order: Double?
        /// Words beside values, which may take several lines.
        package var isRemark = false
        /// How much of the cell is filled, 0 … 1, and the class of its colour.
        package var bar: (share: Double, style: StaticString)?

        /// Where one goes by it.
        package var link: String?

        package init(_ text: String, order: Double? = nil, isRemark: Bool = false, link: String? = nil) {
            self.text = text
            self.order = order
            self.isRemark = isRemark
            self.link = link
        }

        package init(bar share: Double, _ style: StaticString) {
            text = ""
            bar = (share, style)
        }
    }

    package var columns: [String]
    package var rows: [[Cell]] = []
    package var caption: String?
    package var isSortable = false
    /// What a screen reader calls it beside others; nil for its caption, or what is in it.
    package var name: String?

    package init(columns: [String], caption: String? = nil, isSortable: Bool = false) {
        self.columns = columns
        self.caption = caption
        self.isSortable = isSortable
    }

    package var markup: Markup {
        var page = Markup()
        // What scrolls is reached by keys, too.
        let content = columns.isEmpty ? rows.prefix(4).compactMap(\.first?.text) : columns
        let name = name ?? caption ?? "Table: " + content.joined(separator: ", ")
        page.element("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": name]) { page in
            page.element("table", ["class": isSortable ? "sortable" : nil]) { page in
                if let caption { page.element("caption", text: caption) }
                if !columns.isEmpty {
                    page.element("thead") { page in
                        page.element("tr") { page in
                            for column in columns { page.element("th", ["scope": "col"], text: column) }
                        }
                    }
                }
                page.element("tbody") { page in
                    for row in rows {
                        page.element("tr") { page in
                            for cell in row { Self.append(cell, to: &page) }
                        }
                    }
                }
            }
        }
        return page
    }

    private static func append(_ cell: Cell, to page: inout Markup) {
        guard let bar = cell.bar else {
            let order = cell.order.flatMap { $0.isFinite ? "\($0)" : nil }
            return page.element("td", ["class": cell.isRemark ? "remark" : nil, "data-order": order]) { page in
                guard let link = cell.link else { return page.text(cell.text) }
                page.element("a", ["href": link], text: cell.text)
            }
        }
        page.element("td", ["class": "wide"]) { page in
            let percent = Plot.percent(min(max(bar.share, 0), 1))
            page.element("span", ["class": "bar \(bar.style)", "style": "width:\(percent)"]) { _ in }
        }
    }
}
