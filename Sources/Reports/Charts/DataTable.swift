/// A table whose columns a script sorts. Without the script, their order stays.
package struct DataTable: Sendable {
    package struct Cell: Sendable {
        package var text: String
        /// The value to sort by. Nil means the text.
        package var order: Double?
        /// Whether the text is a remark beside values, which may take several lines.
        package var isRemark = false
        /// The filled share of the cell, 0 … 1, and the class of its colour.
        package var bar: (share: Double, style: StaticString)?

        /// The address that the cell links to.
        package var link: String?
        /// The identity of its row, for links to it.
        package var identity: String?

        package init(
            _ text: String, order: Double? = nil, isRemark: Bool = false, link: String? = nil, identity: String? = nil
        ) {
            self.text = text
            self.order = order
            self.isRemark = isRemark
            self.link = link
            self.identity = identity
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
    /// Whether each row becomes a card on a narrow screen, so that no sideways scrolling is needed.
    package var isCardsOnPhones = false
    /// The name for screen readers. Nil means the caption, or else the content.
    package var name: String?

    package init(columns: [String], caption: String? = nil, isSortable: Bool = false) {
        self.columns = columns
        self.caption = caption
        self.isSortable = isSortable
    }

    package var markup: Markup {
        var page = Markup()
        // Keys can scroll it too.
        let content = columns.isEmpty ? rows.prefix(4).compactMap(\.first?.text) : columns.filter { !$0.isEmpty }
        let words = columnsOfWords
        let name = name ?? caption ?? localized("Table: %1", content.joined(separator: ", "))
        page.element("div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": name]) { page in
            let classes = [isSortable ? "sortable" : nil, isCardsOnPhones ? "cards" : nil].compactMap { $0 }
            page.element("table", ["class": classes.isEmpty ? nil : classes.joined(separator: " ")]) { page in
                if let caption { page.element("caption", text: caption) }
                if !columns.isEmpty {
                    page.element("thead") { page in
                        page.element("tr") { page in
                            for (index, column) in columns.enumerated() {
                                // A column without a title has no heading.
                                guard !column.isEmpty else {
                                    page.element("td") { _ in }
                                    continue
                                }
                                page.element(
                                    "th", ["scope": "col", "class": words.contains(index) ? "word" : nil]
                                ) { $0.hyphenated(Language.current.syllables(column)) }
                            }
                        }
                    }
                }
                page.element("tbody") { page in
                    for row in rows {
                        page.element("tr", ["id": row.lazy.compactMap(\.identity).first]) { page in
                            for (index, cell) in row.enumerated() {
                                let label = isCardsOnPhones && columns.indices.contains(index) ? columns[index] : nil
                                Self.append(cell, isWord: words.contains(index), label, to: &page)
                            }
                        }
                    }
                }
            }
        }
        return page
    }

    /// The columns of words, which are left-aligned like the first. Columns of numbers are right-aligned.
    private var columnsOfWords: Set<Int> {
        Set(
            columns.indices.dropFirst().filter { column in
                let texts = rows.compactMap { $0.indices.contains(column) ? $0[column].text : nil }.filter {
                    !$0.isEmpty
                }
                return !texts.isEmpty && texts.allSatisfy { $0.first?.isLetter ?? false }
            })
    }

    /// - Parameter label: The column's title, for a card without a head.
    private static func append(_ cell: Cell, isWord: Bool, _ label: String?, to page: inout Markup) {
        guard let bar = cell.bar else {
            let order = cell.order.flatMap { $0.isFinite ? "\($0)" : nil }
            let style = cell.isRemark ? "remark" : isWord ? "word" : nil
            return page.element("td", ["class": style, "data-order": order, "data-label": label]) { page in
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
