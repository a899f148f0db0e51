import Foundation

/// A type of data, such as a PDF document, by its uniform type identifier.
///
/// The well-known types of documents and images that are attached to health records are known with their extensions and
/// MIME types; any other identifier is a type of which nothing more is known.
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Such as `com.adobe.pdf`.
    public let identifier: String

    /// Nil for an empty identifier.
    public init?(_ identifier: String) {
        guard !identifier.isEmpty else { return nil }
        self.identifier = identifier
    }

    /// Nil for an extension that is not known.
    public init?(filenameExtension: String) {
        let wanted = filenameExtension.lowercased()
        guard let row = Self.table.first(where: { $0.extensions.contains(wanted) }) else { return nil }
        identifier = row.identifier
    }

    /// Nil for a MIME type that is not known.
    public init?(mimeType: String) {
        let wanted = mimeType.lowercased()
        guard let row = Self.table.first(where: { $0.mimeType == wanted }) else { return nil }
        identifier = row.identifier
    }

    private init(known identifier: String) {
        self.identifier = identifier
    }

    /// Without a dot; nil where none is known.
    public var preferredFilenameExtension: String? { row?.extensions.first }
    /// Nil where none is known.
    public var preferredMIMEType: String? { row?.mimeType }
    /// The identifier.
    public var description: String { identifier }

    /// Whether it is that type or a kind of it.
    public func conforms(to type: UTType) -> Bool {
        var current: String? = identifier
        while let name = current {
            if name == type.identifier { return true }
            current = Self.table.first { $0.identifier == name }?.parent
        }
        return false
    }

    /// Everything that can be in a file or folder: the root of most types.
    public static let item = UTType(known: "public.item")
    /// A row of bytes; `application/octet-stream`.
    public static let data = UTType(known: "public.data")
    /// What people read, see or hear; no type of the table is a kind of it.
    public static let content = UTType(known: "public.content")
    /// Any image, of whatever format.
    public static let image = UTType(known: "public.image")
    /// `.png`; `image/png`.
    public static let png = UTType(known: "public.png")
    /// `.jpeg`, `.jpg`, `.jpe`; `image/jpeg`.
    public static let jpeg = UTType(known: "public.jpeg")
    /// `.heic`; `image/heic`.
    public static let heic = UTType(known: "public.heic")
    /// `.gif`; `image/gif`.
    public static let gif = UTType(known: "com.compuserve.gif")
    /// `.tiff`, `.tif`; `image/tiff`.
    public static let tiff = UTType(known: "public.tiff")
    /// `.pdf`; `application/pdf`.
    public static let pdf = UTType(known: "com.adobe.pdf")
    /// Any text, also with markup.
    public static let text = UTType(known: "public.text")
    /// `.txt`, `.text`; `text/plain`, a kind of text.
    public static let plainText = UTType(known: "public.plain-text")
    /// Plain text in UTF-8. No extension: what ends in `.txt` is ``plainText``.
    public static let utf8PlainText = UTType(known: "public.utf8-plain-text")
    /// `.csv`; `text/csv`, a kind of plain text.
    public static let commaSeparatedText = UTType(known: "public.comma-separated-values-text")
    /// `.html`, `.htm`; `text/html`, a kind of text.
    public static let html = UTType(known: "public.html")
    /// `.xml`; `application/xml`, a kind of text.
    public static let xml = UTType(known: "public.xml")
    /// `.json`; `application/json`, a kind of text.
    public static let json = UTType(known: "public.json")
    /// `.zip`; `application/zip`.
    public static let zip = UTType(known: "public.zip-archive")

    private typealias Row = (identifier: String, parent: String?, extensions: [String], mimeType: String?)

    private var row: Row? { Self.table.first { $0.identifier == identifier } }

    private static let table: [Row] = [
        ("public.item", nil, [], nil),
        ("public.content", nil, [], nil),
        ("public.data", "public.item", [], "application/octet-stream"),
        ("public.image", "public.data", [], nil),
        ("public.png", "public.image", ["png"], "image/png"),
        ("public.jpeg", "public.image", ["jpeg", "jpg", "jpe"], "image/jpeg"),
        ("public.heic", "public.image", ["heic"], "image/heic"),
        ("com.compuserve.gif", "public.image", ["gif"], "image/gif"),
        ("public.tiff", "public.image", ["tiff", "tif"], "image/tiff"),
        ("com.adobe.pdf", "public.data", ["pdf"], "application/pdf"),
        ("public.text", "public.data", [], nil),
        ("public.plain-text", "public.text", ["txt", "text"], "text/plain"),
        ("public.utf8-plain-text", "public.plain-text", [], nil),
        ("public.comma-separated-values-text", "public.plain-text", ["csv"], "text/csv"),
        ("public.html", "public.text", ["html", "htm"], "text/html"),
        ("public.xml", "public.text", ["xml"], "application/xml"),
        ("public.json", "public.text", ["json"], "application/json"),
        ("public.zip-archive", "public.data", ["zip"], "application/zip"),
    ]
}
