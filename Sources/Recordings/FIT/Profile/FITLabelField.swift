import SessionLog

/// A piece of the title, notes or another label of a workout, in a developer field of the `activity` message. A FIT
/// string has at most 255 bytes, so a long text is split into several fields of one name.
struct FITLabelField {
    var number: UInt8
    var name: String
    var text: String

    private static let names = [
        ("title", WorkoutLabels.titleKey), ("notes", WorkoutLabels.notesKey), ("tags", WorkoutLabels.tagsKey),
        ("gear", WorkoutLabels.gearKey),
    ]
    private static let mostBytes = 250

    /// - Returns: The pieces, and whether some are missing because the field numbers ran out.
    static func fields(of labels: WorkoutLabels, from first: UInt8) -> (fields: [FITLabelField], isCut: Bool) {
        let texts = labels.texts
        var pieces: [(name: String, text: String)] = []
        // The notes come last because only they can be too long.
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
