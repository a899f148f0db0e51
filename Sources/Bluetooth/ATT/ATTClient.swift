package import Foundation
package import GATT

/// The client side of an ATT link without its socket: it receives bytes and requests, and returns actions. It has no
/// I/O and no clock.
///
/// Only one request is active at a time, as the protocol requires; others wait in order. Every loop over the device's
/// attributes only goes forward, and discovery has a time limit, so that a device with invalid answers cannot prolong
/// it.
///
/// Source: Core Specification 5.4, volume 3, parts F and G.
package struct ATTClient: Sendable {
    /// The longest message that this side accepts (an attribute's value has at most 512 bytes).
    package static let maximumMTU: UInt16 = 517
    static let minimumMTU: UInt16 = 23
    /// After a transaction that takes longer, the link is unusable (part F, section 3.3.3).
    package static let transactionTimeout = Duration.seconds(30)
    package static let discoveryTimeout = Duration.seconds(30)
    static let maximumServices = 64
    static let maximumCharacteristics = 512
    static let maximumValueLength = 512
    /// The number of an operation that no caller has submitted.
    static let ownOperation = -1
    /// The most values that are kept if a device sends notifications before its characteristics are known.
    static let maximumEarlyValues = 64

    package enum Action: Sendable, Equatable {
        case send([UInt8])
        /// `characteristics` is complete; operations continue.
        case discovered
        case value(GATTCharacteristic, [UInt8], Date)
        case finished(operation: Int, Outcome)
        /// The link is unusable and must be closed.
        case failed(Failure)
    }

    package enum Outcome: Sendable, Equatable {
        /// The value that was read; empty for operations that read nothing.
        case value([UInt8])
        case error(code: UInt8)
    }

    package enum Failure: Sendable, Equatable {
        case transactionTimeout(opcode: UInt8)
        case discoveryTimeout
    }

    package enum Request: Sendable, Equatable {
        /// Subscribes to the characteristic with this value handle.
        case subscribe(UInt16)
        case read(UInt16)
        case write(UInt16, [UInt8])
    }

    struct Service: Sendable {
        var uuid: BluetoothUUID
        var first: UInt16
        var last: UInt16
    }

    struct Characteristic: Sendable {
        var gatt: GATTCharacteristic
        var declaration: UInt16
        /// The last handle that may belong to a descriptor of it.
        var last: UInt16
        var indicatesOnly: Bool
    }

    /// The procedure that the active request belongs to.
    enum Exchange: Sendable {
        case mtu
        case services(from: UInt16)
        case characteristics(service: Int, from: UInt16)
        case descriptors(operation: Int, characteristic: Int, from: UInt16)
        /// `next` is the value to write afterwards.
        case configuration(operation: Int, handle: UInt16, next: [UInt8]?)
        case read(operation: Int, handle: UInt16, so: [UInt8])
        case write(operation: Int)
    }

    package private(set) var mtu = minimumMTU
    package private(set) var isDiscovered = false
    var services: [Service] = []
    var found: [Characteristic] = []
    private var byHandle: [UInt16: Int] = [:]
    private var early: [(handle: UInt16, value: [UInt8], date: Date)] = []
    private var waiting: [(id: Int, request: Request)] = []
    /// The subscribed characteristics, to subscribe again if handles move.
    private var subscribed: [GATTCharacteristic] = []
    /// The handles of the configurations that the device has accepted.
    private var configured: Set<UInt16> = []
    private var hasAskedForChanges = false
    private var wantsDiscovery = false
    private var underWay: (exchange: Exchange, opcode: UInt8, deadline: Duration)?
    private var discoveryDeadline: Duration?

    package init() {}

    package var characteristics: [GATTCharacteristic] { found.map(\.gatt) }

    /// When to call `check` next.
    package var deadline: Duration? { [underWay?.deadline, discoveryDeadline].compactMap(\.self).min() }

    /// Starts discovery on a new link.
    package mutating func start(at now: Duration) -> [Action] {
        discoveryDeadline = now + Self.discoveryTimeout
        return [send(.mtuRequest(Self.maximumMTU), .mtu, now)]
    }

    /// Queues a request. It ends with `finished` and this number, unless the link fails before.
    package mutating func submit(_ request: Request, operation: Int, at now: Duration) -> [Action] {
        waiting.append((operation, request))
        return next(now)
    }

    package mutating func check(at now: Duration) -> [Action] {
        if let discoveryDeadline, now >= discoveryDeadline { return [.failed(.discoveryTimeout)] }
        if let underWay, now >= underWay.deadline { return [.failed(.transactionTimeout(opcode: underWay.opcode))] }
        return []
    }

    /// - Parameters:
    ///   - date: When the bytes arrived, on the wall clock.
    package mutating func receive(_ bytes: some Collection<UInt8>, at now: Duration, date: Date) -> [Action] {
        guard let opcode = bytes.first else { return [] }
        guard let message = ATTPDU(bytes) else {
            return ATTPDU.Opcode.isRequest(opcode) ? [refuse(opcode)] : []
        }
        switch message {
        case .notification(let handle, let value):
            return deliver(handle, value, date)
        case .indication(let handle, let value):
            let isChange = byHandle[handle].map { found[$0].gatt.uuid == .serviceChanged } ?? false
            wantsDiscovery = wantsDiscovery || isChange
            return [.send(ATTPDU.confirmation.bytes)] + (isChange ? next(now) : deliver(handle, value, date))
        case .multipleNotification(let values):
            return values.flatMap { deliver($0.handle, $0.value, date) }
        case .mtuRequest(let size):
            mtu = max(mtu, min(max(size, Self.minimumMTU), Self.maximumMTU))
            return [.send(ATTPDU.mtuResponse(Self.maximumMTU).bytes)]
        case _ where ATTPDU.Opcode.isRequest(opcode):
            return [refuse(opcode)]
        default:
            return answer(message, now)
        }
    }

    private func refuse(_ request: UInt8) -> Action {
        .send(
            ATTPDU.errorResponse(request: request, handle: 0, code: ATTErrorCode.requestNotSupported).bytes)
    }

    private mutating func deliver(_ handle: UInt16, _ value: [UInt8], _ date: Date) -> [Action] {
        if let index = byHandle[handle] { return [.value(found[index].gatt, value, date)] }
        if !isDiscovered && early.count < Self.maximumEarlyValues { early.append((handle, value, date)) }
        return []
    }

    private mutating func send(_ message: ATTPDU, _ exchange: Exchange, _ now: Duration) -> Action {
        let bytes = message.bytes
        underWay = (exchange, bytes[0], now + Self.transactionTimeout)
        return .send(bytes)
    }

    /// Handles the answer to the active request. Other messages are late or unexpected, and ignored.
    private mutating func answer(_ message: ATTPDU, _ now: Duration) -> [Action] {
        guard let (exchange, opcode, _) = underWay else { return [] }
        var code: UInt8?
        if case .errorResponse(let request, _, let error) = message {
            guard request == opcode else { return [] }
            code = error
        }
        switch (exchange, message) {
        case (.mtu, .mtuResponse(let size)):
            mtu = min(max(size, Self.minimumMTU), Self.maximumMTU)
            return [send(.readByGroupTypeRequest(ATTHandleRange(1, .max), .primaryService), .services(from: 1), now)]
        case (.mtu, .errorResponse):
            return [send(.readByGroupTypeRequest(ATTHandleRange(1, .max), .primaryService), .services(from: 1), now)]
        case (.services(let from), .readByGroupTypeResponse(let groups)):
            let last = add(groups, from: from)
            return last.map { askForServices(from: $0, now) } ?? askForCharacteristics(service: 0, from: nil, now)
        case (.services, .errorResponse):
            return askForCharacteristics(service: 0, from: nil, now)
        case (.characteristics(let service, let from), .readByTypeResponse(let items)):
            let last = add(items, of: service, from: from)
            return askForCharacteristics(service: last == nil ? service + 1 : service, from: last, now)
        case (.characteristics(let service, _), .errorResponse):
            return askForCharacteristics(service: service + 1, from: nil, now)
        case (.descriptors(let id, let index, let from), .findInformationResponse(let items)):
            return configure(items, operation: id, characteristic: index, from: from, now)
        case (.read(let id, let handle, let so), .readResponse(let value)),
            (.read(let id, let handle, let so), .readBlobResponse(let value)):
            return readOn(id, handle, so, value, now)
        case (.read(let id, _, let so), .errorResponse) where !so.isEmpty:
            // The value was exactly as long as a message, so it is complete.
            let whole = code == ATTErrorCode.attributeNotLong || code == ATTErrorCode.invalidOffset
            return finish(id, whole ? .value(so) : .error(code: code ?? 0), now)
        case (.configuration(let id, let handle, let bits?), .writeResponse):
            return [send(.writeRequest(handle, bits), .configuration(operation: id, handle: handle, next: nil), now)]
        case (.configuration(let id, let handle, nil), .writeResponse):
            configured.insert(handle)
            return finish(id, .value([]), now)
        case (.write(let id), .writeResponse):
            return finish(id, .value([]), now)
        case (.descriptors(let id, _, _), .errorResponse), (.configuration(let id, _, _), .errorResponse),
            (.read(let id, _, _), .errorResponse), (.write(let id), .errorResponse):
            return finish(id, .error(code: code ?? 0), now)
        default:
            return []
        }
    }

    private mutating func finish(_ operation: Int, _ outcome: Outcome, _ now: Duration) -> [Action] {
        underWay = nil
        askForChanges()
        return [.finished(operation: operation, outcome)] + next(now)
    }
}

// MARK: Discovery

extension ATTClient {
    /// - Returns: The handle to continue from, or nil at the end.
    private mutating func add(_ groups: [ATTGroup], from: UInt16) -> UInt16? {
        var from = from
        for group in groups {
            guard group.first >= from, group.last >= group.first, services.count < Self.maximumServices else {
                return nil
            }
            if let uuid = BluetoothUUID(littleEndian: group.value) {
                services.append(Service(uuid: uuid, first: group.first, last: group.last))
            }
            guard group.last < .max else { return nil }
            from = group.last + 1
        }
        return groups.isEmpty ? nil : from
    }

    private mutating func askForServices(from: UInt16, _ now: Duration) -> [Action] {
        [send(.readByGroupTypeRequest(ATTHandleRange(from, .max), .primaryService), .services(from: from), now)]
    }

    /// - Returns: The handle to continue from, or nil at the end of the service.
    private mutating func add(_ items: [ATTAttribute], of service: Int, from: UInt16) -> UInt16? {
        let range = services[service]
        var from = from
        for item in items {
            guard item.handle >= from, item.handle <= range.last, found.count < Self.maximumCharacteristics else {
                return nil
            }
            let value = item.value
            if value.count >= 3, let uuid = BluetoothUUID(littleEndian: value.dropFirst(3)) {
                let handle = UInt16(littleEndian: value.span, at: 1)
                let notifies = value[0] & Property.notify != 0
                let indicates = value[0] & Property.indicate != 0
                found.append(
                    Characteristic(
                        gatt: GATTCharacteristic(
                            uuid: uuid, service: range.uuid, handle: handle, notifies: notifies || indicates),
                        declaration: item.handle, last: range.last, indicatesOnly: indicates && !notifies))
            }
            guard item.handle < range.last else { return nil }
            from = item.handle + 1
        }
        return items.isEmpty ? nil : from
    }

    /// The properties of a characteristic (volume 3, part G, section 3.3.1.1).
    private enum Property {
        static let notify: UInt8 = 0x10
        static let indicate: UInt8 = 0x20
    }

    private mutating func askForCharacteristics(service: Int, from: UInt16?, _ now: Duration) -> [Action] {
        guard service < services.count else { return endDiscovery(now) }
        let range = services[service]
        let from = from ?? range.first
        return [
            send(
                .readByTypeRequest(ATTHandleRange(from, range.last), .characteristicDeclaration),
                .characteristics(service: service, from: from), now)
        ]
    }

    /// Discovers everything again after the device has indicated that its attributes changed, and subscribes again at
    /// the new handles.
    private mutating func discoverAgain(_ now: Duration) -> [Action] {
        wantsDiscovery = false
        isDiscovered = false
        services = []
        found = []
        byHandle = [:]
        configured = []
        discoveryDeadline = now + Self.discoveryTimeout
        return askForServices(from: 1, now)
    }

    /// Subscribes to changes of the device's attributes, once anything else is subscribed.
    private mutating func askForChanges() {
        guard !hasAskedForChanges, !subscribed.isEmpty, isDiscovered else { return }
        hasAskedForChanges = true
        if let changes = found.first(where: { $0.gatt.uuid == .serviceChanged && $0.gatt.notifies }) {
            waiting.append((Self.ownOperation, .subscribe(changes.gatt.handle)))
        }
    }

    private mutating func endDiscovery(_ now: Duration) -> [Action] {
        underWay = nil
        discoveryDeadline = nil
        isDiscovered = true
        for index in found.indices {
            // Descriptors end where the next declaration begins.
            if index + 1 < found.count, found[index + 1].declaration <= found[index].last {
                found[index].last = found[index + 1].declaration - 1
            }
            byHandle[found[index].gatt.handle] = byHandle[found[index].gatt.handle] ?? index
        }
        let values = early.flatMap { deliver($0.handle, $0.value, $0.date) }
        early = []
        let formerly = subscribed
        subscribed = []
        for one in formerly.reversed() {
            let moved = found.first { $0.gatt.uuid == one.uuid && $0.gatt.service == one.service && $0.gatt.notifies }
            if let moved { waiting.insert((Self.ownOperation, .subscribe(moved.gatt.handle)), at: 0) }
        }
        return [.discovered] + values + next(now)
    }
}

// MARK: Operations

extension ATTClient {
    /// Starts the next waiting request, if none is active.
    private mutating func next(_ now: Duration) -> [Action] {
        guard isDiscovered, underWay == nil else { return [] }
        if wantsDiscovery { return discoverAgain(now) }
        guard !waiting.isEmpty else { return [] }
        let (id, request) = waiting.removeFirst()
        switch request {
        case .read(let handle):
            return [send(.readRequest(handle), .read(operation: id, handle: handle, so: []), now)]
        case .write(let handle, let value):
            guard value.count <= Int(mtu) - 3 else {
                return finish(id, .error(code: ATTErrorCode.invalidLength), now)
            }
            return [send(.writeRequest(handle, value), .write(operation: id), now)]
        case .subscribe(let handle):
            guard let index = byHandle[handle], found[index].gatt.notifies, handle < found[index].last else {
                return finish(id, .error(code: ATTErrorCode.attributeNotFound), now)
            }
            return askForDescriptors(id, index, from: handle + 1, now)
        }
    }

    private mutating func askForDescriptors(_ id: Int, _ index: Int, from: UInt16, _ now: Duration) -> [Action] {
        [
            send(
                .findInformationRequest(ATTHandleRange(from, found[index].last)),
                .descriptors(operation: id, characteristic: index, from: from), now)
        ]
    }

    private mutating func configure(
        _ items: [ATTInformation], operation id: Int, characteristic index: Int, from: UInt16, _ now: Duration
    ) -> [Action] {
        var from = from
        for item in items {
            guard item.handle >= from, item.handle <= found[index].last else { break }
            if item.uuid == .clientCharacteristicConfiguration {
                let bits: [UInt8] = found[index].indicatesOnly ? [2, 0] : [1, 0]
                if !subscribed.contains(found[index].gatt) { subscribed.append(found[index].gatt) }
                // The device may ignore a value that it already has, so clear it first.
                let isAgain = configured.contains(item.handle)
                return [
                    send(
                        .writeRequest(item.handle, isAgain ? [0, 0] : bits),
                        .configuration(operation: id, handle: item.handle, next: isAgain ? bits : nil), now)
                ]
            }
            guard item.handle < found[index].last else { break }
            from = item.handle + 1
            if item == items.last { return askForDescriptors(id, index, from: from, now) }
        }
        return finish(id, .error(code: ATTErrorCode.attributeNotFound), now)
    }

    private mutating func readOn(
        _ id: Int, _ handle: UInt16, _ so: [UInt8], _ part: [UInt8], _ now: Duration
    ) -> [Action] {
        let value = so + part
        // A part as long as a message may not be the last.
        guard part.count >= Int(mtu) - 1, value.count < Self.maximumValueLength else {
            return finish(id, .value(Array(value.prefix(Self.maximumValueLength))), now)
        }
        return [
            send(
                .readBlobRequest(handle, offset: UInt16(value.count)),
                .read(operation: id, handle: handle, so: value), now)
        ]
    }
}
