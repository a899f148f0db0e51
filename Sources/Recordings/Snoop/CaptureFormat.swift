/// Captures of Bluetooth traffic.
public struct CaptureFormat: RecordingFormat {
    /// `btsnoop`, `pcapng` or `pcap`.
    public let name: String
    /// As it stands in a sentence.
    public let title: String
    /// The usual one first.
    public let endings: [String]
    /// What a file begins with: one of these.
    private let marks: [[UInt8]]

    /// What `btmon -w` and Android's HCI log write.
    public static let btsnoop = CaptureFormat(
        name: "btsnoop", title: "btsnoop captures", endings: ["btsnoop", "log"], marks: [Array("btsnoop\0".utf8)])

    /// What Wireshark writes.
    public static let pcapng = CaptureFormat(
        name: "pcapng", title: "pcapng captures", endings: ["pcapng"], marks: [[0x0A, 0x0D, 0x0D, 0x0A]])

    /// In either order of bytes, in microseconds or nanoseconds.
    public static let pcap = CaptureFormat(
        name: "pcap", title: "pcap captures", endings: ["pcap"],
        marks: [
            [0xD4, 0xC3, 0xB2, 0xA1], [0xA1, 0xB2, 0xC3, 0xD4], [0x4D, 0x3C, 0xB2, 0xA1], [0xA1, 0xB2, 0x3C, 0x4D],
        ])

    /// Whether the first bytes are those of the kind of capture.
    public func recognizes(_ start: FileStart) -> Bool { marks.contains { start.holds($0) } }

    /// One recording of the straps' notifications in the traffic; without any, one without entries.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] {
        Recording.numbered([try CaptureFile.read(source, format: name)])
    }
}
