import Bluetooth
import Engine
import Foundation
import GATT
import HealthKit
import Reports
import Synchronization

/// Notices of a live view about sensors: why one is away, that its battery is low.
final class LiveNotices: Sendable {
    private let contents = Mutex(Contents())
    /// Receives each warning at once. Nil if a view shows them.
    private let print: (@Sendable (String) -> Void)?
    /// The number of notices kept.
    static let limit = 50

    private struct Contents {
        var messages: [String] = []
        var warnings: [String] = []
        var sensors: [DeviceAddress: PairedSensor] = [:]
        var shown: [DeviceAddress: String] = [:]
        var lowBatteries: Set<DeviceAddress> = []
    }

    /// - Parameter print: Receives each warning, if no view shows them.
    init(print: (@Sendable (String) -> Void)? = nil) { self.print = print }

    var messages: [String] { contents.withLock { $0.messages } }
    var warnings: [String] { contents.withLock { $0.warnings } }

    func show(_ text: String) {
        contents.withLock { $0.messages = ($0.messages + [text]).suffix(Self.limit) }
    }

    func warn(_ text: String) {
        contents.withLock { $0.warnings = ($0.warnings + [text]).suffix(Self.limit) }
        print?("warning: " + text)
    }

    func handle(_ event: SensorLinkEvent, of sensor: PairedSensor, namesSensor: Bool = true) {
        let warning: String? = contents.withLock { contents in
            contents.sensors[sensor.address, default: sensor].update(with: event)
            let prefix = namesSensor ? sensor.title + ": " : ""
            switch event {
            case .changed(_, let reason, _):
                let text = "\(reason)"
                guard contents.shown[sensor.address] != text else { return nil }
                contents.shown[sensor.address] = text
                contents.messages = (contents.messages + [prefix + text]).suffix(Self.limit)
            case .battery(let percent, _):
                guard percent <= BatteryLevel.lowPercent, contents.lowBatteries.insert(sensor.address).inserted
                else { return nil }
                return prefix + "battery \(percent) %: replace it soon"
            case .contact(let touches, _):
                let text = touches ? "on the skin" : "off the skin"
                contents.messages = (contents.messages + [prefix + text]).suffix(Self.limit)
            case .missed(let count, _):
                return prefix + LiveNotices.missed(count)
            case .lookalike(let address, _):
                contents.messages.append(prefix + LiveNotices.lookalike(address, of: sensor))
            case .stream(let event):
                if let warning = event.warning { return prefix + warning }
                if case .started(let stream, _) = event {
                    contents.messages = (contents.messages + [prefix + "recording \(stream.words)"])
                        .suffix(Self.limit)
                }
            case .value, .details, .energyReset, .streamed: break
            }
            return nil
        }
        if let warning { warn(warning) }
    }

    /// The notice for values that a sensor sent and that were not read.
    static func missed(_ count: Int) -> String {
        "\(count) values lost: this machine was too busy to read them"
    }

    /// The notice for another sensor with the name of one that is away. The user has to decide which one it is.
    static func lookalike(_ address: DeviceAddress, of sensor: PairedSensor) -> String {
        "another sensor with this name is nearby, \(address), and is not used. If it is yours with a new battery: "
            + "workout forget \(sensor.address); workout pair \(address)"
    }

    /// Saves battery, model and when each sensor was last seen. Ignores failures.
    func learn(_ pairing: PairedSensors) {
        for sensor in contents.withLock({ Array($0.sensors.values) }) { try? pairing.note(sensor) }
    }
}

extension PolarStream {
    fileprivate var words: String {
        switch self {
        case .electrocardiogram: localized("the electrocardiogram")
        case .acceleration: localized("the acceleration")
        case .pulseIntervals: localized("pulse intervals")
        }
    }
}

extension PolarStreamEvent {
    /// Nil if there is nothing to warn of.
    fileprivate var warning: String? {
        switch self {
        case .started: nil
        case .refused(let stream, PolarResponse.isCharging):
            "\(stream.words) cannot be recorded while the sensor is charging"
        case .refused(let stream, _): "the sensor does not offer \(stream.words)"
        case .silent(let stream): "the sensor does not answer when asked for \(stream.words)"
        case .failed(let error): "its streams cannot be recorded: \(error)"
        case .isNone: "not a Polar sensor with streams; only its other values are recorded"
        }
    }
}
