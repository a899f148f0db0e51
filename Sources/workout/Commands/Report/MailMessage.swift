import Foundation
import Reports

/// A message with an attached file, as mail programs open and send it (RFC 5322, RFC 2045).
struct MailMessage {
    var subject: String
    /// The recipient. Nil leaves the address to the sender.
    var recipient: String?
    var lines: [String]
    var attachment: (name: String, type: String, bytes: [UInt8])
    var date: Date

    /// Returns whether the text is an address without a display name. Text that could start another header is not.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && text.unicodeScalars.allSatisfy {
                $0.value > 32 && $0.value < 127 && !"<>,;:\"()[]\\".unicodeScalars.contains($0)
            }
    }

    var bytes: [UInt8] {
        let boundary = "=_openhealthkit_report"
        var text: [String] = []
        if let recipient { text.append("To: \(recipient)") }
        text += [
            "Subject: \(Self.encodedWord(subject))", "Date: \(Self.dateText(date))", "MIME-Version: 1.0",
            // Mail programs that know this header open the message for editing and sending.
            "X-Unsent: 1", "Content-Type: multipart/mixed; boundary=\"\(boundary)\"", "", "--\(boundary)",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64", "",
        ]
        text += Self.base64(Array(lines.joined(separator: "\r\n").utf8))
        text += [
            "", "--\(boundary)", "Content-Type: \(attachment.type); name=\"\(attachment.name)\"",
            "Content-Disposition: attachment; filename=\"\(attachment.name)\"", "Content-Transfer-Encoding: base64", "",
        ]
        text += Self.base64(attachment.bytes)
        text += ["", "--\(boundary)--", ""]
        return Array(text.joined(separator: "\r\n").utf8)
    }

    /// Returns Base64 in lines of at most 76 characters (RFC 2045, section 6.8).
    private static func base64(_ bytes: [UInt8]) -> [String] {
        // 57 bytes encode to 76 characters.
        stride(from: 0, to: bytes.count, by: 57).map {
            Data(bytes[$0..<min($0 + 57, bytes.count)]).base64EncodedString()
        }
    }

    /// Encodes header text that is not ASCII in words of at most 75 characters (RFC 2047, section 2).
    private static func encodedWord(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) else { return text }
        var words: [[UInt8]] = [[]]
        for character in text {
            let bytes = Array(String(character).utf8)
            if words[words.count - 1].count + bytes.count > 42 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    /// Returns the date in English, whatever the language of the report (RFC 5322, section 3.3).
    private static func dateText(_ date: Date) -> String {
        Language.$ofTask.withValue(.english) {
            let page = Page(timeZone: .gmt)
            let day = page.day(date).split(separator: " ")
            return "\(day[0]), \(day.dropFirst().joined(separator: " ")) \(page.clock(date)) +0000"
        }
    }
}
