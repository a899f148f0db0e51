/// A page in one file: its style and its script are in it, and it asks no network for anything.
package struct ReportDocument: Sendable {
    package var title: String
    package var body = Markup()
    /// The top alone, as a picture for a message: headline numbers, course and route, or the calendar and the volume of months.
    package var isPicture = false

    package init(title: String) { self.title = title }

    /// UTF-8.
    package var bytes: [UInt8] {
        var page = Markup()
        page.verbatim("<!DOCTYPE html>\n")
        page.element("html", ["lang": "en"]) { page in
            page.element("head") { page in
                page.void("meta", ["charset": "utf-8"])
                page.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                // Nothing but what is in the file: neither a script of others nor a picture from elsewhere.
                page.void(
                    "meta",
                    [
                        "http-equiv": "Content-Security-Policy",
                        "content":
                            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:",
                    ])
                page.void("meta", ["name": "color-scheme", "content": "light dark"])
                // None, so that no browser asks a server for one.
                page.void("link", ["rel": "icon", "href": "data:,"])
                page.element("title", text: title)
                page.element("style") { $0.verbatim(PageStyle.text) }
            }
            page.element("body", ["class": isPicture ? "picture" : nil]) { page in
                page.element("main") { $0.append(body) }
                page.element("script") { $0.verbatim(PageScript.text) }
            }
        }
        page.verbatim("\n")
        return page.bytes
    }

    /// A part of the page under its heading; nothing where nothing is in it.
    package mutating func section(_ title: String, _ identity: StaticString, _ content: Markup) {
        guard !content.bytes.isEmpty else { return }
        body.element("section", ["id": "\(identity)"]) { page in
            page.element("h2", text: title)
            page.append(content)
        }
    }
}
