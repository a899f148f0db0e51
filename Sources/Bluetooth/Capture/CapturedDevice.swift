import Foundation

/// What a capture holds of one device.
struct CapturedDevice: Sendable {
    /// A link, from its beginning or the capture's to its end or the capture's.
    struct Span: Sendable {
        var start: Date
        var end: Date
        var loss: LinkLoss
        var events: [CapturedEvent] = []
    }

    var address: BluetoothAddress
    var kind: BluetoothAddress.Kind = .random
    var name: String?
    var characteristics: [GATTCharacteristic] = []
    var values: [GATTCharacteristic: [UInt8]] = [:]
    var spans: [Span] = []

    var services: Set<BluetoothUUID> { Set(characteristics.map(\.service)) }

    /// The devices of a capture, and their order of appearance.
    static func all(in events: [CapturedEvent]) -> ([BluetoothAddress: CapturedDevice], [BluetoothAddress]) {
        var devices: [BluetoothAddress: CapturedDevice] = [:]
        var order: [BluetoothAddress] = []
        var isOpen: Set<BluetoothAddress> = []
        var known: [BluetoothAddress: Set<GATTCharacteristic>] = [:]
        func begin(_ event: CapturedEvent) {
            isOpen.insert(event.address)
            devices[event.address]?.spans.append(Span(start: event.date, end: event.date, loss: .unknown))
        }
        for event in events {
            if devices[event.address] == nil {
                devices[event.address] = CapturedDevice(address: event.address)
                order.append(event.address)
            }
            switch event.content {
            case .connected(let kind):
                devices[event.address]?.kind = kind
                begin(event)
            case .value(let characteristic, _), .read(let characteristic, _):
                if !isOpen.contains(event.address) { begin(event) }
                if known[event.address, default: []].insert(characteristic).inserted {
                    devices[event.address]?.characteristics.append(characteristic)
                }
                if case .read(_, let bytes) = event.content {
                    devices[event.address]?.values[characteristic] = bytes
                } else {
                    devices[event.address]?.update(event)
                }
            case .name(let name):
                devices[event.address]?.name = name
            case .ended(let loss):
                if isOpen.remove(event.address) != nil { devices[event.address]?.finish(event.date, loss) }
            }
        }
        // What was open when the capture ended is cut there: nobody knows how it went on.
        for address in isOpen { devices[address]?.finish(events.last?.date, .unknown) }
        for address in order { devices[address]?.characteristics.sort { $0.handle < $1.handle } }
        return (devices, order)
    }

    private mutating func update(_ event: CapturedEvent) {
        spans[spans.count - 1].events.append(event)
    }

    private mutating func finish(_ date: Date?, _ loss: LinkLoss) {
        guard let date, !spans.isEmpty else { return }
        spans[spans.count - 1].end = max(date, spans[spans.count - 1].start)
        spans[spans.count - 1].loss = loss
    }
}
