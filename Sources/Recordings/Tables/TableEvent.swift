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

    private static let deviceWord = "device "

    /// Names what recorded the workout.
    static func device(_ name: String) -> String { deviceWord + name }

    /// What recorded the workout.
    static func deviceName(_ event: String) -> String? {
        event.hasPrefix(deviceWord) ? String(event.dropFirst(deviceWord.count)) : nil
    }

    private static let lapWord = "lap"

    /// A lap that ended.
    ///
    /// - Parameter seconds: Since it began; nil if that was when the lap before ended.
    static func lap(_ seconds: Double?) -> String { seconds.map { "\(lapWord) \($0) s" } ?? lapWord }

    /// Whether a lap ended, and how many seconds it took, if the event states it.
    static func lap(_ event: String) -> (hasEnded: Bool, seconds: Double?) {
        if event == lapWord { return (true, nil) }
        // Others number their laps.
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
