import Foundation

/// What the column `event` of a table says beside pauses and laps.
enum TableEvent {
    /// The activity that began with the recording.
    static func start(_ event: String) -> String? { activity(event, "start ") }

    /// The activity of a part that began.
    static func part(_ event: String) -> String? { activity(event, "part ") }

    private static let workoutWord = "workout "

    /// Names the workout that the table was written of.
    static func workout(_ id: UUID) -> String { workoutWord + id.uuidString }

    /// The stored workout that the table was written of.
    static func workoutID(_ event: String) -> UUID? {
        event.hasPrefix(workoutWord) ? UUID(uuidString: String(event.dropFirst(workoutWord.count))) : nil
    }

    private static func activity(_ event: String, _ word: String) -> String? {
        guard event.hasPrefix(word) else { return nil }
        let name = String(event.dropFirst(word.count).prefix(60))
        return !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isLetter } ? name : nil
    }
}
