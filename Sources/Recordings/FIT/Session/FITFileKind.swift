/// The kind of a FIT file: `type` of `file_id`, FIT profile, type `file`.
enum FITFileKind {
    /// Returns the contents of a file that is not an activity. Nil for an activity, and if the kind is missing or
    /// unknown.
    ///
    /// The first message nearly always states the kind. If it is not an activity, the whole file is searched, because
    /// an activity may be chained to it.
    static func otherContent(_ source: RecordingSource) throws(RecordingError) -> UnsupportedContent? {
        var first = Types()
        var decoder = FITDecoder()
        try source.open().start(FileStart.size).withUnsafeBytes { decoder.read($0, into: &first) }
        guard let type = first.all.first, let content = contents[type] else { return nil }
        var all = Types()
        _ = try FITFile.decode(source.open(), into: &all)
        return all.all.allSatisfy { contents[$0] != nil } && !all.hasSession ? content : nil
    }

    private struct Types: FITMessageReader {
        var all: [UInt8] = []
        var hasSession = false

        mutating func read(_ message: FITMessage) {
            hasSession = hasSession || message.number == FITProfile.MessageNumber.session
            guard message.number == FITProfile.MessageNumber.fileID, all.count < 1000,
                let type: UInt8 = message.exactly(FITProfile.FileID.type)
            else { return }
            all.append(type)
        }
    }

    private static let contents: [UInt8: UnsupportedContent] = {
        func content(_ singular: String, _ plural: String) -> UnsupportedContent {
            UnsupportedContent(
                singular, plural,
                "it is a FIT file of another kind (a \(singular)), not an activity; choose the activity's own file")
        }
        let settings = content("settings file", "settings files")
        let monitoring = content("file of a day's monitoring", "files of a day's monitoring")
        return [
            1: content("description of a device", "descriptions of devices"), 2: settings, 3: settings, 5: .plan,
            6: .course, 7: content("schedule", "schedules"), 9: content("file of weights", "files of weights"),
            10: content("file of totals", "files of totals"), 11: content("file of goals", "files of goals"),
            14: content("file of blood pressures", "files of blood pressures"), 15: monitoring, 28: monitoring,
            32: monitoring, 34: content("segment", "segments"),
            35: content("list of segments", "lists of segments"), 40: settings,
        ]
    }()
}
