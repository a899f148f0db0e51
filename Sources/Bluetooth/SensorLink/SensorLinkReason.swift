public import GATT

/// Why the state of a sensor changed, in words for users.
public enum SensorLinkReason: Sendable, Equatable {
    /// The link was started.
    case started
    /// The link is up, and notifications were requested.
    case linked
    /// The sensor sends values.
    case measuring
    /// A search found it.
    case found
    /// It is not nearby; a search is running.
    case notInReach
    /// Connected, but without values.
    case silent
    /// No values for so long that the link is reopened.
    case stuck
    case lost(LinkLoss)
    case failed(BluetoothError)
    /// Connecting or subscribing timed out.
    case timedOut
    /// The sensor requires pairing.
    case pairingNeeded
    /// The sensor has lost its bond, and is paired again.
    case bondForgotten
    /// The link broke at once, as it does if the sensor asks for pairing and refuses it. The next one offers no pairing.
    case withoutPairing
    /// The sensor refuses to be paired, and sends nothing without.
    case pairingRefused
    /// The device offers none of the measurements that a session collects.
    case nothingToMeasure
    /// Bluetooth works again.
    case ready
    case stopped
}

extension SensorLinkReason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .started: "connecting"
        case .linked: "connected, waiting for the first value"
        case .measuring: "measuring"
        case .found: "found, connecting"
        case .notInReach: "not found: is it worn and moist? Is another watch, phone or machine connected to it?"
        case .silent: "connected but no data: is it worn and moist?"
        case .stuck: "still no data: reconnecting"
        case .lost(let loss): loss.reason
        case .failed(let error): error.reason
        case .timedOut: "no answer in time, trying again"
        case .pairingNeeded: "the sensor needs pairing"
        case .bondForgotten: "the sensor has forgotten its pairing: pairing again"
        case .withoutPairing: "the connection broke at once, maybe over pairing: trying without pairing"
        case .pairingRefused:
            "the sensor asks for pairing and refuses it: reset it (battery out for a minute), then run 'workout pair'"
        case .nothingToMeasure: "the device offers no heart rate, speed, cadence or power"
        case .ready: "Bluetooth is ready, connecting"
        case .stopped: "disconnected"
        }
    }
}

extension LinkLoss {
    /// A few words for a line of a live view.
    var reason: String {
        switch self {
        case .timeout: "out of range"
        case .remote: "the sensor disconnected: is it still worn?"
        case .local: "disconnected by this machine"
        case .authentication: "the pairing keys did not match"
        case .suspend: "this machine slept"
        case .adapterGone: "the adapter or the Bluetooth service is gone"
        case .unknown: "the connection was lost"
        }
    }
}

extension BluetoothError {
    /// A few words for a line of a live view. `workout doctor` has the remedy.
    public var reason: String {
        switch self {
        case .unavailable: "this machine has no Bluetooth"
        case .serviceStopped: "the Bluetooth service is not running"
        case .serviceSilent: "the Bluetooth service does not answer"
        case .notPermitted: "no permission to use Bluetooth"
        case .noAdapter: "no Bluetooth adapter"
        case .poweredOff: "Bluetooth is off"
        case .blocked: "Bluetooth is blocked by rfkill"
        case .notFound: SensorLinkReason.notInReach.description
        case .connectionFailed: "connecting failed, trying again"
        case .adapterFull: "the adapter has no connection left: plug in another one"
        case .busy: "another program on this machine is using the sensor"
        case .linkLost(_, let loss): loss.reason
        case .pairingRequired: SensorLinkReason.pairingNeeded.description
        case .pairingFailed: "pairing failed"
        case .noCharacteristic: SensorLinkReason.nothingToMeasure.description
        case .attribute(_, let code): "the sensor refused with error \(code)"
        case .stick(let fault): fault.reason
        case .failed(let operation, _): "\(operation) failed"
        }
    }
}
