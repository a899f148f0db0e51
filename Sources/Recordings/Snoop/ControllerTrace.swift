import Foundation
import GATT

/// Follows the packets between a host and its controller, and reports the events of each device: links, values, ends.
///
/// A capture that is not held in memory is followed twice. The meaning of a value may come after it, or not at all. The
/// first pass finds it, and the second one uses it.
///
/// Source: Core Specification 5.4, volume 4, part E, sections 5.4, 7.7.5 and 7.7.65.
struct ControllerTrace {
    private(set) var warnings: [String] = []

    private struct LinkKey: Hashable {
        var adapter: Int
        var handle: UInt16
    }

    private struct Link {
        var address: DeviceAddress
        var assemblies: [CapturePacket.Direction: LinkAssembly] = [:]
        /// The host's request that has no response yet.
        var request: ATTPDU?
    }

    /// Values of an attribute whose characteristic was unknown when they came.
    private struct Unnamed {
        var likeness = HeartRateLikeness()
        var first: Date
        var last: Date
    }

    struct ValueKey: Hashable {
        var address: DeviceAddress
        var handle: UInt16
    }

    private var links: [LinkKey: Link] = [:]
    private var maps: [DeviceAddress: AttributeMap] = [:]
    private var names: [DeviceAddress: String] = [:]
    private var unnamed: [ValueKey: Unnamed] = [:]
    /// The characteristics that were only known at the end.
    private let named: [ValueKey: GATTCharacteristic]
    private var clock = CaptureClock()
    /// The events in a packet.
    private var events: [CapturedEvent] = []

    /// - Parameter named: The result of `finish` in the first pass.
    init(named: [ValueKey: GATTCharacteristic] = [:]) { self.named = named }

    /// Reports the events in a packet in the order of the file. Their dates never decrease.
    mutating func take(_ captured: CapturePacket, _ each: (CapturedEvent) -> Void) {
        var packet = captured
        if let note = clock.adjust(&packet.date) { warnings.append(note) }
        switch packet.kind {
        case .event: takeEvent(packet)
        case .data: takeData(packet)
        case .command:
            let reset: UInt16 = 0x0C03
            if packet.bytes.count >= 2, packet.bytes[...].littleEndian16(0) == reset {
                endAll(of: packet.adapter, .unknown, packet.date)
            }
        case .adapterRemoved: endAll(of: packet.adapter, .adapterGone, packet.date)
        }
        for event in events { each(event) }
        events.removeAll(keepingCapacity: true)
    }

    /// A characteristic that was only known at the end, and the time of its values.
    struct NamedLate {
        var characteristic: GATTCharacteristic
        var first: Date
        var last: Date
    }

    /// Returns the characteristics that were only known at the end.
    mutating func finish() -> [ValueKey: NamedLate] {
        var found: [ValueKey: NamedLate] = [:]
        for (key, values) in unnamed.sorted(by: {
            ($0.key.address.value, $0.key.handle) < ($1.key.address.value, $1.key.handle)
        }) {
            let count = values.likeness.count
            if maps[key.address]?.characteristic(at: key.handle) == nil {
                guard maps[key.address]?.isEmpty ?? true, values.likeness.holds else {
                    warnings.append(
                        "\(count) values of handle \(key.handle) of \(key.address) were left out: "
                            + "the capture does not show what they are")
                    continue
                }
                maps[key.address, default: AttributeMap()].name(key.handle, .heartRateMeasurement)
                warnings.append(
                    "\(count) values of handle \(key.handle) of \(key.address) are taken for heart rates, "
                        + "because they look like it; the capture begins after the device listed its services")
            }
            maps[key.address]?.notifies(key.handle)
            if let characteristic = maps[key.address]?.characteristic(at: key.handle) {
                found[key] = NamedLate(characteristic: characteristic, first: values.first, last: values.last)
            }
        }
        unnamed = [:]
        return found
    }

    // MARK: Events

    private mutating func takeEvent(_ packet: CapturePacket) {
        let bytes = packet.bytes[...]
        guard bytes.count >= 3 else { return }
        let parameters = bytes.dropFirst(2)
        switch bytes[0] {
        case 0x05 where parameters.count >= 4 && parameters.first == 0:
            end(
                LinkKey(adapter: packet.adapter, handle: parameters.littleEndian16(1) & 0xFFF),
                LinkLoss(controllerReason: parameters[parameters.startIndex + 3]), packet.date)
        case 0x3E:
            takeLowEnergy(parameters, packet)
        default:
            break
        }
    }

    private mutating func takeLowEnergy(_ bytes: ArraySlice<UInt8>, _ packet: CapturePacket) {
        switch bytes.first {
        // Connection complete, in three versions that begin alike.
        case 0x01 where bytes.count >= 12, 0x0A where bytes.count >= 12, 0x29 where bytes.count >= 12:
            guard bytes[bytes.startIndex + 1] == 0,
                let address = DeviceAddress(littleEndian: bytes.part(6, 6))
            else { return }
            let key = LinkKey(adapter: packet.adapter, handle: bytes.littleEndian16(2) & 0xFFF)
            end(key, .unknown, packet.date)
            links[key] = Link(address: address)
            // Odd types are random, even if a resolved identity replaces the address.
            let kind: DeviceAddress.Kind = bytes[bytes.startIndex + 5] & 1 == 0 ? .public : .random
            events.append(CapturedEvent(packet.date, address, .connected(kind)))
            if let name = names[address] { events.append(CapturedEvent(packet.date, address, .name(name))) }
        case 0x02:
            takeReports(bytes.dropFirst(2), header: 9, lengthAt: 8, addressAt: 2, trailer: 1)
        case 0x0D:
            takeReports(bytes.dropFirst(2), header: 24, lengthAt: 23, addressAt: 3, trailer: 0)
        default:
            break
        }
    }

    /// Reads the names in advertising reports.
    private mutating func takeReports(
        _ reports: ArraySlice<UInt8>, header: Int, lengthAt: Int, addressAt: Int, trailer: Int
    ) {
        var rest = reports
        while rest.count >= header {
            let length = Int(rest[rest.startIndex + lengthAt])
            guard rest.count >= header + length else { return }
            if let address = DeviceAddress(littleEndian: rest.part(addressAt, 6)),
                let name = AdvertisingData(rest.part(header, length)).name
            {
                names[address] = name
            }
            rest = rest.dropFirst(header + length + trailer)
        }
    }

    private mutating func end(_ key: LinkKey, _ loss: LinkLoss, _ date: Date) {
        guard let link = links.removeValue(forKey: key) else { return }
        events.append(CapturedEvent(date, link.address, .ended(loss)))
    }

    private mutating func endAll(of adapter: Int, _ loss: LinkLoss, _ date: Date) {
        for key in links.keys.filter({ $0.adapter == adapter }).sorted(by: { $0.handle < $1.handle }) {
            end(key, loss, date)
        }
    }

    // MARK: Data

    private mutating func takeData(_ packet: CapturePacket) {
        let bytes = packet.bytes[...]
        guard bytes.count >= 4 else { return }
        let head = bytes.littleEndian16(0)
        let length = Int(bytes.littleEndian16(2))
        guard bytes.count >= 4 + length else { return }
        let key = LinkKey(adapter: packet.adapter, handle: head & 0xFFF)
        if links[key] == nil {
            // The capture begins after the link, so its handle is all that is known about the device.
            links[key] = Link(address: DeviceAddress(value: UInt64(packet.adapter) << 16 | UInt64(key.handle)))
        }
        let message = links[key]?.assemblies[packet.direction, default: LinkAssembly()].take(
            bytes.part(4, length), boundary: UInt8(truncatingIfNeeded: head >> 12 & 3))
        if let message, let pdu = ATTPDU(message) { take(pdu, packet, key) }
    }

    private mutating func take(_ message: ATTPDU, _ packet: CapturePacket, _ key: LinkKey) {
        guard let address = links[key]?.address else { return }
        if packet.direction != .received, ATTPDU.Opcode.isRequest(message.bytes[0]) {
            links[key]?.request = message
            return
        }
        guard packet.direction != .sent else { return }
        switch message {
        case .notification(let handle, let value), .indication(let handle, let value):
            add(value, of: handle, address, packet.date)
        case .multipleNotification(let values):
            for value in values { add(value.value, of: value.handle, address, packet.date) }
        default:
            guard let request = links[key]?.request else { return }
            links[key]?.request = nil
            maps[address, default: AttributeMap()].learn(from: message, to: request)
            takeRead(message, of: request, address, packet.date)
        }
    }

    private mutating func takeRead(_ response: ATTPDU, of request: ATTPDU, _ address: DeviceAddress, _ date: Date) {
        let deviceName = BluetoothUUID(0x2A00)
        let read: [ATTAttribute]
        switch (request, response) {
        case (.readRequest(let handle), .readResponse(let value)): read = [ATTAttribute(handle: handle, value: value)]
        case (.readByTypeRequest(_, let uuid), .readByTypeResponse(let items)) where uuid != .characteristicDeclaration:
            read = items
        default: return
        }
        for item in read {
            guard let characteristic = maps[address]?.characteristic(at: item.handle) else { continue }
            if characteristic.uuid == deviceName, let name = DeviceInformation.text(item.value) {
                events.append(CapturedEvent(date, address, .name(name)))
            }
            events.append(CapturedEvent(date, address, .read(characteristic, item.value)))
        }
    }

    private mutating func add(_ value: [UInt8], of handle: UInt16, _ address: DeviceAddress, _ date: Date) {
        if let characteristic = maps[address]?.characteristic(at: handle), characteristic.notifies {
            events.append(CapturedEvent(date, address, .value(characteristic, value)))
            return
        }
        let key = ValueKey(address: address, handle: handle)
        if let characteristic = named[key] {
            events.append(CapturedEvent(date, address, .value(characteristic, value)))
        } else {
            unnamed[key, default: Unnamed(first: date, last: date)].likeness.add(value)
            unnamed[key]?.last = date
        }
    }
}

/// Decides whether the values of an unknown characteristic can only be heart rates.
struct HeartRateLikeness {
    /// The fewest values needed.
    static let minimumCount = 10

    private(set) var count = 0
    private var fitting = 0
    private var withIntervals = 0
    private var isExcluded = false

    mutating func add(_ value: [UInt8]) {
        count += 1
        guard let measurement = HeartRateMeasurement(value), !measurement.isCut, value[0] & 0xE0 == 0,
            value.count == measurement.length
        else {
            isExcluded = true
            return
        }
        guard let heartRate = measurement.heartRate, measurement.isHeartRatePlausible else { return }
        for interval in measurement.rrIntervals {
            withIntervals += 1
            let perMinute = 60_000 / max(RRIntervals.milliseconds(fromTicks: interval), 1)
            if abs(perMinute - Double(heartRate)) <= Double(heartRate) / 4 { fitting += 1 }
        }
    }

    /// Whether every value is exactly one measurement, and most RR intervals fit the heart rates. Other characteristics
    /// do not match that by chance.
    var holds: Bool {
        count >= Self.minimumCount && !isExcluded && withIntervals >= Self.minimumCount / 2
            && fitting * 10 >= withIntervals * 8
    }
}

extension HeartRateMeasurement {
    /// The length of a packet with these fields.
    fileprivate var length: Int {
        let is16Bit = rawHeartRate > 255
        return 1 + (is16Bit ? 2 : 1) + (energyExpendedInKilojoules == nil ? 0 : 2) + 2 * rrIntervals.count
    }
}

/// The attributes of one device, learned from a capture.
struct AttributeMap {
    private var services: [ATTGroup] = []
    private var names: [UInt16: (uuid: BluetoothUUID, notifies: Bool)] = [:]

    /// Whether nothing was learned, because the capture does not contain a discovery of this device.
    var isEmpty: Bool { names.isEmpty }

    func characteristic(at handle: UInt16) -> GATTCharacteristic? {
        guard let name = names[handle] else { return nil }
        let service = services.last { $0.first <= handle && handle <= $0.last }
        return GATTCharacteristic(
            uuid: name.uuid,
            service: service.flatMap { BluetoothUUID(littleEndian: $0.value) } ?? .service(of: name.uuid),
            handle: handle, notifies: name.notifies)
    }

    /// Learns from a response and its request.
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

    /// Marks a characteristic that has sent a notification, whatever was declared.
    mutating func notifies(_ handle: UInt16) { names[handle]?.notifies = true }

    mutating func name(_ handle: UInt16, _ uuid: BluetoothUUID) {
        if names[handle] == nil { names[handle] = (uuid, true) }
    }
}

extension BluetoothUUID {
    /// Whether the SIG assigned the number to a kind of attribute and not to a characteristic.
    fileprivate var isDeclarationOrDescriptor: Bool { assigned.map { (0x2800...0x29FF).contains($0) } ?? false }

    /// Returns the usual service of a characteristic, if the capture does not show it.
    fileprivate static func service(of characteristic: BluetoothUUID) -> BluetoothUUID {
        switch characteristic {
        case .heartRateMeasurement, .bodySensorLocation, .heartRateControlPoint: .heartRateService
        case .batteryLevel: .batteryService
        case .runningSpeedAndCadenceMeasurement: .runningSpeedAndCadenceService
        case .cyclingSpeedAndCadenceMeasurement: .cyclingSpeedAndCadenceService
        case .cyclingPowerMeasurement: .cyclingPowerService
        case .treadmillData, .crossTrainerData, .rowerData, .indoorBikeData: .fitnessMachineService
        case _ where characteristic.assigned.flatMap(DeviceInformation.Field.init) != nil: .deviceInformationService
        default: BluetoothUUID(0x1801)
        }
    }
}

/// The time of a capture's packets, which never decreases: a packet comes after the one before it, whatever its stamp.
///
/// If packets were passed on in batches, stamps step back by fractions of a second. Such a packet gets the date of the
/// one before. If stamps step back further, the clock was set, and all following dates continue from there.
struct CaptureClock {
    /// Stamps in batches do not step back further than this.
    static let setBackInSeconds = 5.0

    private var latest: Date?
    private var offsetInSeconds = 0.0

    /// - Returns: A note if the clock was set.
    mutating func adjust(_ date: inout Date) -> String? {
        let stamp = date
        date += offsetInSeconds
        guard let latest, date < latest else {
            latest = date
            return nil
        }
        let back = latest.timeIntervalSince(date)
        date = latest
        guard back > Self.setBackInSeconds else { return nil }
        offsetInSeconds = latest.timeIntervalSince(stamp)
        return "the clock was set back by \(Int(back.rounded())) s; what follows is dated on from there"
    }
}
