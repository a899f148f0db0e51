import SessionLog

/// A piece of what somebody says of a workout, in a developer field of the `activity` message: a FIT string has at most 255 bytes,
/// so a long text stands in several fields of one name.
struct FITLabelField {
    var number: UInt8
    var name: String
    var text: String

    private static let names = [
        ("title", WorkoutLabels.titleKey), ("notes", WorkoutLabels.notesKey), ("tags", WorkoutLabels.tagsKey),
        ("gear", WorkoutLabels.gearKey),
    ]
    private static let mostBytes = 250

    /// - Returns: Also whether there are more pieces than numbers of fields.
    static func fields(of labels: WorkoutLabels, from first: UInt8) -> (fields: [FITLabelField], isCut: Bool) {
        let texts = labels.texts
        var pieces: [(name: String, text: String)] = []
        // The notes come last: only they can be too long.
        for (name, key) in names.sorted(by: { $0.1 != WorkoutLabels.notesKey && $1.1 == WorkoutLabels.notesKey }) {
            pieces += Self.pieces(texts[key] ?? "").map { (name, $0) }
        }
        let fields = zip(first..<UInt8.max, pieces).map { FITLabelField(number: $0, name: $1.name, text: $1.text) }
        return (fields, fields.count < pieces.count)
    }

    private static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for scalar in text.unicodeScalars where scalar != "\0" {
            if piece.utf8.count + UTF8.width(scalar) > mostBytes {
                pieces.append(piece)
                piece = ""
            }
            piece.unicodeScalars.append(scalar)
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }

    static func labels(of fields: [(name: String, text: String)]) -> WorkoutLabels {
        WorkoutLabels { key in
            fields.filter { field in names.contains { $0 == (field.name, key) } }.map(\.text).joined()
        }
    }
}
