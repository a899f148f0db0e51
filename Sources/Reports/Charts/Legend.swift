/// The names of the series of a chart, each beside its colour.
package struct Legend: Sendable {
    package enum Swatch: Sendable { case area, line }

    private var entries: [(name: String, style: StaticString)]
    private var swatch: Swatch

    /// - Parameter entries: The names, each with its classes in ``PageStyle``.
    package init(_ entries: [(name: String, style: StaticString)], _ swatch: Swatch = .area) {
        self.entries = entries
        self.swatch = swatch
    }

    package var markup: Markup {
        var page = Markup()
        page.element("p", ["class": "key"]) { page in
            for (name, style) in entries {
                page.element("span") { page in
                    page.element("svg", ["viewBox": "0 0 10 10", "aria-hidden": "true"]) { page in
                        switch swatch {
                        case .area:
                            page.element("rect", ["class": "\(style)", "width": "10", "height": "10"]) { _ in }
                        case .line: page.element("path", ["class": "\(style)", "d": "M0 5H10"]) { _ in }
                        }
                    }
                    page.text(name)
                }
            }
        }
        return page
    }
}
