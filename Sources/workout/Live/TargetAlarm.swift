import Foundation
import HealthKit
import Recordings
import Reports
import SessionLog
import Synchronization

/// Alerts by sound that the heart rate has left its target: the terminal's bell, or a word through speech-dispatcher or
/// espeak-ng.
final class TargetAlarm: Sendable {
    enum Sound: String, Sendable, CaseIterable { case bell, speech, none }

    let target: HeartRateTarget
    private let sound: Sound
    private let speaker: String?
    private let watch = Mutex(TargetWatch())

    /// Programs that speak, in order of preference.
    private static let speakers = ["spd-say", "espeak-ng", "espeak"]

    /// - Throws: If no program that speaks is installed.
    init(
        _ target: HeartRateTarget, _ sound: Sound, path: String = ProcessInfo.processInfo.environment["PATH"] ?? ""
    ) throws {
        self.target = target
        self.sound = sound
        speaker = InstalledProgram.first(of: Self.speakers, path: path)
        guard sound == .speech, speaker == nil else { return }
        throw CommandFailure(
            exitCode: .serviceMissing,
            message: "no speech program found: install speech-dispatcher or espeak-ng, or use --target-sound bell")
    }

    /// Shows the target, and gives an alert if one is due.
    func take(_ snapshot: inout LiveSnapshot, on terminal: Terminal?) {
        guard let bounds = target.bounds(snapshot.zones) else { return }
        let position = TargetPosition(bounds, snapshot.heartRateInBeatsPerMinute)
        snapshot.target = position
        guard snapshot.phase == .running else { return }
        let seconds = snapshot.elapsedInSeconds
        guard let notice = watch.withLock({ $0.take(position, at: seconds) }) else { return }
        switch sound {
        case .none: break
        // The return to the target is spoken, but rings no bell.
        case .bell: if notice != .back { try? terminal?.write("\u{7}") }
        case .speech: speak(Self.word(notice))
        }
    }

    static func word(_ notice: TargetWatch.Notice) -> String {
        switch notice {
        case .tooLow: localized("heart rate too low")
        case .tooHigh: localized("heart rate too high")
        case .back: localized("on target")
        }
    }

    /// Speaks without waiting. A failure to speak is no error of the workout.
    private func speak(_ words: String) {
        guard let speaker else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: speaker)
        process.arguments = [words]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
