import Foundation

/// The texts in the column `event` of a table, except pauses and laps without duration.
enum TableEvent {
    /// Returns the activity at the start of the recording.
    static func start(_ event: String) -> String? { activity(event, "start ") }

    /// Returns the activity of a new part.
    static func part(_ event: String) -> String? { activity(event, "part ") }

    private static let workoutWord = "workout "

    /// Returns the event with the ID of the workout that the table holds.
    static func workout(_ id: UUID) -> String { workoutWord + id.uuidString }

    /// Returns the ID of the workout that the table holds.
    static func workoutID(_ event: String) -> UUID? {
        event.hasPrefix(workoutWord) ? UUID(uuidString: String(event.dropFirst(workoutWord.count))) : nil
    }

    private static let deviceWord = "device "

    /// Returns the event with the name of the device that recorded the workout.
    static func device(_ name: String) -> String { deviceWord + name }

    /// Returns the name of the device that recorded the workout.
    static func deviceName(_ event: String) -> String? {
        event.hasPrefix(deviceWord) ? String(event.dropFirst(deviceWord.count)) : nil
    }

    private static let lapWord = "lap"

    /// Returns the event for the end of a lap.
    ///
    /// - Parameter seconds: The duration of the lap. Nil if it began at the end of the previous lap.
    static func lap(_ seconds: Double?) -> String { seconds.map { "\(lapWord) \($0) s" } ?? lapWord }

    /// Returns whether a lap ended, and its duration in seconds if the event states it.
    static func lap(_ event: String) -> (hasEnded: Bool, seconds: Double?) {
        if event == lapWord { return (true, nil) }
        // Other programs number their laps.
        let isTimed = event.hasPrefix(lapWord + " ") && event.hasSuffix(" s")
        let seconds = isTimed ? Double(event.dropFirst(lapWord.count + 1).dropLast(2)) : nil
        return (seconds.map { $0.isFinite && $0 >= 0 } ?? false, seconds)
    }

    private static func activity(_ event: String, _ word: String) -> String? {
        guard event.hasPrefix(word) else { return nil }
        let name = String(event.dropFirst(word.count).prefix(60))
        return !name.isEmpty && name.allSatisfy { $0.isASCII && $0.isLetter } ? name : nil
    }
}
