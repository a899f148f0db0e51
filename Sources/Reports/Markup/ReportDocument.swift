/// A page in one file that contains its style and its script. It loads nothing except map tiles, if the user named a
/// server.
package struct ReportDocument: Sendable {
    package var title: String
    package var body = Markup()
    /// Whether it shows only the top, as a picture for a message: headline numbers, charts and route, or the calendar
    /// and the volume of months.
    package var isPicture = false
    /// The footer below everything else.
    package var footer = Markup()
    /// The servers from which the opened page loads map tiles: `https://tiles.example.org`.
    package var pictureOrigins: Set<String> = []
    /// The paper for print and PDF.
    package var paper = Paper.a4
    /// Whether sections stand side by side on paper, three to a row, so that a workout fits one page. Those of a ``group(_:_:)`` stand
    /// two to a row.
    package var hasColumnsOnPaper = false
    private var missing: [(title: String, reasons: [String])] = []

    package enum Paper: String, Sendable { case a4 = "A4", letter = "Letter" }

    package init(title: String) { self.title = title }

    /// The page in UTF-8.
    package var bytes: [UInt8] {
        var page = Markup()
        page.verbatim("<!DOCTYPE html>\n")
        page.element("html", language) { page in
            page.element("head") { page in
                page.void("meta", ["charset": "utf-8"])
                page.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                // Forbids scripts of others, and pictures from servers that the user did not name.
                page.void(
                    "meta",
                    [
                        "http-equiv": "Content-Security-Policy",
                        "content":
                            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src "
                            + (["data:"] + pictureOrigins.sorted()).joined(separator: " "),
                    ])
                page.void("meta", ["name": "color-scheme", "content": "light dark"])
                // An empty icon keeps browsers from requesting one.
                page.void("link", ["rel": "icon", "href": "data:,"])
                page.element("title", text: title)
                page.element("style") { page in
                    page.verbatim(PageStyle.text)
                    page.text("@page{size:\(paper.rawValue);margin:8mm}")
                }
            }
            page.element("body", ["class": isPicture ? "picture" : nil]) { page in
                page.element("main", ["class": hasColumnsOnPaper ? "sheet" : nil]) { page in
                    page.append(body)
                    page.append(missingCard)
                    if !footer.bytes.isEmpty { page.element("footer") { $0.append(footer) } }
                }
                page.element("script") { $0.verbatim(PageScript.text) }
            }
        }
        page.verbatim("\n")
        return page.bytes
    }

    /// The language, and its formats for the script.
    private var language: Markup.Attributes {
        let language = Language.current
        return [
            "lang": language.tag, "data-decimal": language.decimalMark, "data-group": language.groupMark,
            "data-day": language.shortDayPattern,
            "data-zoom": ["Zoom in", "Zoom out", "Show all"].map { localized($0) }.joined(separator: "|"),
        ]
    }

    /// Adds a card with its heading, if there is content. A card that would only contain reasons becomes a line of the
    /// last card.
    package mutating func section(_ title: String, _ identity: StaticString, _ content: Markup) {
        guard !content.bytes.isEmpty else { return }
        guard !content.hasOnlyReasons else {
            missing.append((title, content.reasons))
            return
        }
        body.element("section", ["id": "\(identity)"]) { page in
            page.element("h2", text: title)
            page.append(content)
        }
    }

    /// Sections that belong together.
    package mutating func group(_ style: StaticString, _ add: (inout ReportDocument) -> Void) {
        let before = body
        body = Markup()
        add(&self)
        let inner = body
        body = before
        if !inner.bytes.isEmpty { body.element("div", ["class": "\(style)"]) { $0.append(inner) } }
    }

    private var missingCard: Markup {
        var page = Markup()
        guard !missing.isEmpty else { return page }
        page.element("section", ["id": "missing"]) { page in
            page.element("h2", text: localized("Not in this report"))
            page.element("ul") { page in
                for (title, reasons) in missing {
                    page.element("li") { page in
                        page.element("b", text: title)
                        page.text(": " + reasons.map(Self.sentence).joined(separator: " "))
                    }
                }
            }
        }
        return page
    }

    private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }
}
