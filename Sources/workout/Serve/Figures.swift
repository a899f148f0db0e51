import Analytics
import Engine
import Foundation
import HealthKit
import Recordings
import SessionLog
import StoredWorkouts

/// The values of one session's screen as JSON. The texts are those of the terminal's live view, made by the same code.
struct Figures {
    let session: ServedSession
    let snapshot: LiveSnapshot
    let isOver: Bool
    let entryCount: Int

    init(_ session: ServedSession) {
        self.session = session
        // Counted before the snapshot, which may therefore be newer than the count but never older.
        entryCount = session.entryCount
        var shown = session.snapshot
        isOver = session.isOver
        // An ended session has a last heart rate, which is not the present one.
        if isOver { shown.heartRateInBeatsPerMinute = nil }
        snapshot = shown
    }

    var json: JSONText {
        .object([
            ("session", .string(session.id.uuidString)), ("entries", .integer(entryCount)),
            ("name", .string(snapshot.activity)), ("activity", .string(session.activity)),
            ("athlete", .orNull(session.athlete)), ("isMirrored", .boolean(snapshot.isMirrored)),
            ("phase", .string(snapshot.phase.rawValue)), ("phaseName", .string(snapshot.phaseName)),
            ("isOver", .boolean(isOver)), ("isOutOfReach", .boolean(snapshot.isOutOfReach)),
            ("timeOfDay", .orNull(snapshot.timeOfDay)),
            ("durationInSeconds", .integer(Self.whole(snapshot.durationInSeconds))),
            ("time", .string(MetricFormat.clock(snapshot.durationInSeconds))),
            ("heartRate", Self.rate(snapshot.heartRateInBeatsPerMinute)),
            ("averageHeartRate", Self.rate(snapshot.averageHeartRate)),
            ("maximumHeartRate", Self.rate(snapshot.maximumHeartRate)),
            ("zone", snapshot.zone.map { .integer($0) } ?? .null), ("zones", .array(zones)),
            ("target", target), ("lap", lap), ("laps", .array(laps)),
            (
                "values",
                .array(
                    snapshot.measured.map { .object([("label", .string($0.label)), ("text", .string($0.value))]) })
            ),
            ("alpha1", alpha1), ("sensors", .array(snapshot.sensors.map(Self.sensor))),
            (
                "companions",
                .array(
                    snapshot.companions.map {
                        .object([("name", .string($0.name)), ("isConnected", .boolean($0.isConnected))])
                    })
            ),
            ("replay", replay), ("messages", .array(snapshot.messages.suffix(4).map { .string($0) })),
            ("warnings", .array(snapshot.warnings.suffix(3).map { .string($0) })),
            (
                "controls",
                .array(ServedSession.controls(of: snapshot, isOver: isOver).map { .string($0.rawValue) })
            ),
        ])
    }

    /// The session's entry in the list of sessions.
    var entry: JSONText {
        .object([
            ("id", .string(session.id.uuidString)), ("name", .string(snapshot.activity)),
            ("athlete", .orNull(session.athlete)), ("phase", .string(snapshot.phase.rawValue)),
            ("isOver", .boolean(isOver)),
        ])
    }

    private static func whole(_ seconds: Double) -> Int { Int(exactly: seconds.rounded(.down)) ?? 0 }

    /// The rounded number that the screen shows.
    private static func rate(_ beatsPerMinute: Double?) -> JSONText {
        beatsPerMinute.flatMap { Int(MetricFormat.fixed($0, 0)) }.map { .integer($0) } ?? .null
    }

    private var zones: [JSONText] {
        guard let zones = snapshot.zones else { return [] }
        return (1...zones.count).map { number in
            let bounds = zones.bounds(ofZone: number)
            return .object([
                ("number", .integer(number)), ("from", .number(bounds.lowerBound)),
                ("below", bounds.upperBound.isFinite ? .number(bounds.upperBound) : .null),
            ])
        }
    }

    private var target: JSONText {
        guard let target = snapshot.target else { return .null }
        let standing: JSONText =
            switch target.side {
            case .below: .string("below")
            case .inside: .string("within")
            case .above: .string("above")
            case nil: .null
            }
        return .object([("text", .string(target.text)), ("standing", standing)])
    }

    private var lap: JSONText {
        .object([
            ("number", .integer(snapshot.lapNumber)),
            ("time", .string(MetricFormat.shortClock(snapshot.lapElapsedInSeconds))),
        ])
    }

    private var laps: [JSONText] {
        snapshot.completedLapsInSeconds.enumerated().map { index, seconds in
            .object([
                ("number", .integer(index + 1)), ("seconds", .number(seconds)),
                ("time", .string(MetricFormat.shortTime(seconds))),
            ])
        }
    }

    private var alpha1: JSONText {
        guard let alpha1 = snapshot.alpha1 else { return .null }
        var text: String?
        var artefacts: Double?
        let standing: String
        switch alpha1.latest {
        case .success(let reading):
            standing = "measured"
            text = MetricFormat.fixed(reading.alpha1, 2)
            artefacts = reading.artefactShare
        case .failure(.tooManyArtefacts(let share)):
            standing = "tooManyArtefacts"
            artefacts = share
        case .failure: standing = "waiting"
        }
        return .object([
            ("standing", .string(standing)), ("text", .orNull(text)),
            ("artefacts", .orNull(artefacts.map { MetricFormat.fixed($0 * 100, 1) + " %" })),
            ("firstThreshold", .orNull(alpha1.firstThreshold.map(MetricFormat.heartRate))),
            ("secondThreshold", .orNull(alpha1.secondThreshold.map(MetricFormat.heartRate))),
        ])
    }

    private static func sensor(_ sensor: LiveSnapshot.Sensor) -> JSONText {
        .object([
            ("name", .string(sensor.name)), ("kind", .string(sensor.kind.rawValue)),
            ("presence", .string(sensor.presence.rawValue)),
            ("batteryPercent", sensor.batteryPercent.map { .integer($0) } ?? .null),
        ])
    }

    private var replay: JSONText {
        guard let replay = snapshot.replay else { return .null }
        return .object([
            ("fraction", JSONText.optional(replay.fraction.map { ($0 * 1000).rounded() / 1000 }) ?? .null),
            ("speed", JSONText.optional(replay.speed) ?? .null),
        ])
    }
}

extension JSONText {
    static func orNull(_ string: String?) -> JSONText { string.map { .string($0) } ?? .null }
}
