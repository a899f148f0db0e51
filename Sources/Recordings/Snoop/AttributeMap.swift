import Bluetooth

/// What a capture teaches about the attributes of one device.
struct AttributeMap {
    private var services: [ATTGroup] = []
    private var names: [UInt16: (uuid: BluetoothUUID, notifies: Bool)] = [:]

    /// Whether anything was learned: whether the capture holds a discovery of this device.
    var isEmpty: Bool { names.isEmpty }

    func characteristic(at handle: UInt16) -> GATTCharacteristic? {
        guard let name = names[handle] else { return nil }
        let service = services.last { $0.first <= handle && handle <= $0.last }
        return GATTCharacteristic(
            uuid: name.uuid,
            service: service.flatMap { BluetoothUUID(littleEndian: $0.value) } ?? .service(of: name.uuid),
            handle: handle, notifies: name.notifies)
    }

    /// Learns from a response and the request that it answers.
    mutating func learn(from response: ATTPDU, to request: ATTPDU) {
        switch (request, response) {
        case (.readByGroupTypeRequest(_, .primaryService), .readByGroupTypeResponse(let groups)):
            for group in groups where !services.contains(group) && services.count < 256 { services.append(group) }
        case (.readByTypeRequest(_, .characteristicDeclaration), .readByTypeResponse(let items)):
            for item in items where item.value.count >= 5 {
                guard let uuid = BluetoothUUID(littleEndian: item.value.dropFirst(3)) else { continue }
                let handle = UInt16(littleEndian: item.value.span, at: 1)
                names[handle] = (uuid, item.value[0] & 0x30 != 0)
            }
        case (.readByTypeRequest(_, let uuid), .readByTypeResponse(let items)):
            for item in items where names[item.handle] == nil { names[item.handle] = (uuid, false) }
        case (.findInformationRequest, .findInformationResponse(let items)):
            for item in items where names[item.handle] == nil && !item.uuid.isDeclarationOrDescriptor {
                names[item.handle] = (item.uuid, false)
            }
        default:
            break
        }
    }

    /// The characteristic notifies, whatever was declared: it did.
    mutating func notifies(_ handle: UInt16) { names[handle]?.notifies = true }

    mutating func name(_ handle: UInt16, _ uuid: BluetoothUUID) {
        if names[handle] == nil { names[handle] = (uuid, true) }
    }
}

extension BluetoothUUID {
    /// Numbers that the SIG gave to kinds of attributes rather than to characteristics.
    fileprivate var isDeclarationOrDescriptor: Bool { assigned.map { (0x2800...0x29FF).contains($0) } ?? false }

    /// The service that a characteristic belongs to, where a capture does not say.
    fileprivate static func service(of characteristic: BluetoothUUID) -> BluetoothUUID {
        switch characteristic {
        case .heartRateMeasurement, .bodySensorLocation, .heartRateControlPoint: .heartRateService
        case .batteryLevel: .batteryService
        case .runningSpeedAndCadenceMeasurement: .runningSpeedAndCadenceService
        case .cyclingSpeedAndCadenceMeasurement: .cyclingSpeedAndCadenceService
        case .cyclingPowerMeasurement: .cyclingPowerService
        case _ where characteristic.assigned.flatMap(DeviceInformation.Field.init) != nil: .deviceInformationService
        default: BluetoothUUID(0x1801)
        }
    }
}
