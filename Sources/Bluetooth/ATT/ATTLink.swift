#if Bluetooth
public import GATT
import Foundation
import Synchronization

/// A link to a device over the kernel's attribute socket.
///
/// A thread of its own waits for the socket, from the first attempt to connect until the end. Every call does a little
/// work under the lock. The thread ends with the link, which `disconnect` or the device ends.
public final class ATTLink: PeripheralLink {
    /// The limit for an attempt to connect. The kernel gives up earlier if the device is out of range.
    static let connectTimeout = Duration.seconds(45)
    /// The most messages that wait for room in the socket. The link to a device that exceeds it, without reading the
    /// answers, is closed.
    static let maximumOutbox = 64

    public let address: DeviceAddress
    public let events = LinkEventStream()

    enum Phase: Equatable {
        case connecting
        case discovering
        case open
        case ended
    }

    struct State: ~Copyable {
        var socket: L2CAPSocket?
        var client = ATTClient()
        var phase = Phase.connecting
        var connectDeadline: Duration
        var outbox: [[UInt8]] = []
        var room = [UInt8](repeating: 0, count: Int(ATTClient.maximumMTU))
        /// Whether this side is closing the link.
        var isHangingUp = false
        /// Whether the kernel was told to encrypt the link and the result is still open.
        var isEncrypting = false
        var failure: BluetoothError?
        var opening: CheckedContinuation<Void, Never>?
        var operations: [Int: CheckedContinuation<Result<[UInt8], BluetoothError>, Never>] = [:]
        var nextOperation = 0
        var closing: [CheckedContinuation<Void, Never>] = []
        /// What follows from the changes, in their order.
        var effects: [Effect] = []
    }

    /// Something that must not happen under the lock of the state. Resuming a task waits for a cancellation of that task,
    /// which may wait for the state.
    enum Effect {
        case event(LinkEvent)
        case resume(CheckedContinuation<Void, Never>)
        case finish(CheckedContinuation<Result<[UInt8], BluetoothError>, Never>, Result<[UInt8], BluetoothError>)
    }

    private let state: Mutex<State>
    /// Keeps effects in order. No cancellation waits for it.
    private let delivery = Mutex(())
    private let watch: DescriptorWatch
    private let start = ContinuousClock.now
    private let onEnd: @Sendable (ObjectIdentifier) -> Void
    private let free: @Sendable () async -> Void
    private let answering: @Sendable () async -> Task<Bool, Never>?
    private let paired: @Sendable () -> Void
    let pairingLimit: Duration
    private let encrypt: @Sendable (Int32) -> Bool
    /// The limit for requests that are repeated while a device is being paired.
    static let pairingLimit = Duration.seconds(30)

    /// - Parameters:
    ///   - isConnected: Whether the socket is already connected (a pair of sockets in a test).
    ///   - onEnd: Called once with the link, when it has ended.
    ///   - free: Releases the device at once; the kernel would keep an idle link for some seconds.
    ///   - answering: Answers the device's questions while it is paired on this link, until the task is cancelled or
    /// returns that pairing has failed. Nil if there is no agent.
    ///   - paired: Called when the device has been paired on this link.
    ///   - pairingLimit: How long the device's refusals may mean that pairing is not complete.
    ///   - encrypt: Tells the kernel to encrypt the link of a descriptor, and to pair if necessary. False if the kernel
    /// refuses.
    init(
        _ address: DeviceAddress, over socket: consuming L2CAPSocket, isConnected: Bool = false,
        onEnd: @escaping @Sendable (ObjectIdentifier) -> Void = { _ in },
        free: @escaping @Sendable () async -> Void = {},
        answering: @escaping @Sendable () async -> Task<Bool, Never>? = { nil },
        paired: @escaping @Sendable () -> Void = {},
        pairingWithin pairingLimit: Duration = ATTLink.pairingLimit,
        encrypt: @escaping @Sendable (Int32) -> Bool = L2CAPSocket.encrypt
    ) throws(SystemFault) {
        self.address = address
        self.onEnd = onEnd
        self.free = free
        self.answering = answering
        self.paired = paired
        self.pairingLimit = pairingLimit
        self.encrypt = encrypt
        watch = try DescriptorWatch()
        let descriptor = socket.descriptor
        state = Mutex(State(socket: consume socket, connectDeadline: Self.connectTimeout))
        if isConnected {
            state.withLock { state in begin(&state) }
        }
        watch.start(
            "ATT \(address)",
            DescriptorWatch.Interest(
                descriptor: descriptor, events: isConnected ? POLLIN : POLLOUT, timeout: Self.connectTimeout)
        ) { [self] ready in turn(ready) }
    }

    public var characteristics: [GATTCharacteristic] { state.withLock { $0.client.characteristics } }

    /// Returns when the characteristics can be used.
    func opened() async throws(BluetoothError) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isDecided = state.withLock { state in
                    if state.phase == .open || state.phase == .ended { return true }
                    state.opening = continuation
                    return false
                }
                if isDecided { continuation.resume() }
            }
        } onCancel: {
            hangUp()
        }
        let failure = state.withLock { state in state.phase == .open ? nil : state.failure ?? lost(.local) }
        if let failure { throw failure }
    }

    // MARK: Operations

    public func subscribe(to characteristic: GATTCharacteristic) async throws(BluetoothError) {
        do throws(BluetoothError) {
            _ = try await perform(.subscribe(characteristic.handle), on: characteristic)
        } catch {
            // Pair on this link, because a device that does not keep its pairing has none on the next.
            guard case .pairingRequired = error, let answering = await answering() else { throw error }
            defer { answering.cancel() }
            let begins = state.withLock { state in
                state.isEncrypting = (state.socket?.descriptor).map(encrypt) ?? false
                return state.isEncrypting
            }
            guard begins else { throw error }
            defer { state.withLock { $0.isEncrypting = false } }
            try await subscribe(toPairing: characteristic, until: answering)
            paired()
        }
    }

    public func read(_ characteristic: GATTCharacteristic) async throws(BluetoothError) -> [UInt8] {
        try await perform(.read(characteristic.handle), on: characteristic)
    }

    public func write(_ bytes: [UInt8], to characteristic: GATTCharacteristic) async throws(BluetoothError) {
        _ = try await perform(.write(characteristic.handle, bytes), on: characteristic)
    }

    func perform(
        _ request: ATTClient.Request, on characteristic: GATTCharacteristic
    ) async throws(BluetoothError) -> [UInt8] {
        let operation = state.withLock { state in
            state.nextOperation += 1
            return state.nextOperation
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<[UInt8], BluetoothError>, Never>) in
                let refusal: BluetoothError? = state.withLock { state in
                    if state.phase == .ended || state.isHangingUp { return state.failure ?? lost(.local) }
                    if !state.client.characteristics.contains(characteristic) {
                        return .noCharacteristic(address, characteristic.uuid)
                    }
                    if Task.isCancelled { return Self.cancelled(request) }
                    state.operations[operation] = continuation
                    let actions = state.client.submit(request, operation: operation, at: now)
                    perform(actions, &state)
                    return nil
                }
                deliver()
                if let refusal { continuation.resume(returning: .failure(refusal)) }
                // The deadline may be earlier now, or something failed.
                watch.wake()
            }
        } onCancel: {
            let continuation = state.withLock { $0.operations.removeValue(forKey: operation) }
            continuation?.resume(returning: .failure(Self.cancelled(request)))
        }
        return try result.get()
    }

    public func disconnect() async {
        hangUp()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isOver = state.withLock { state in
                if state.phase == .ended { return true }
                state.closing.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
        await free()
    }

    private func hangUp() {
        state.withLock { $0.isHangingUp = true }
        watch.wake()
    }

    // MARK: The thread's turns

    var now: Duration { ContinuousClock.now - start }

    private func turn(_ ready: Int32) -> DescriptorWatch.Interest? {
        let (next, isOver) = state.withLock { state -> (DescriptorWatch.Interest?, Bool) in
            if let loss = advance(&state, ready) {
                end(&state, state.isEncrypting ? loss.whileEncrypting : loss)
                return (nil, true)
            }
            guard let descriptor = state.socket?.descriptor else { return (nil, false) }
            let wantsRoom = state.phase == .connecting || !state.outbox.isEmpty
            let deadline = state.phase == .connecting ? state.connectDeadline : state.client.deadline
            return (
                DescriptorWatch.Interest(
                    descriptor: descriptor,
                    events: (state.phase == .connecting ? 0 : POLLIN) | (wantsRoom ? POLLOUT : 0),
                    timeout: deadline.map { $0 - now }), false
            )
        }
        deliver()
        if isOver { onEnd(ObjectIdentifier(self)) }
        return next
    }

    /// Performs the effects of earlier changes. The lock of the state must be free.
    private func deliver() {
        delivery.withLock { _ in
            let effects = state.withLock { state in
                defer { state.effects = [] }
                return state.effects
            }
            for effect in effects {
                switch effect {
                case .event(let event): events.yield(event)
                case .resume(let continuation): continuation.resume()
                case .finish(let continuation, let result): continuation.resume(returning: result)
                }
            }
        }
    }

    /// - Returns: How the link ended, if it did.
    private func advance(_ state: inout State, _ ready: Int32) -> LinkLoss? {
        if state.isHangingUp { return .local }
        if state.phase == .connecting {
            if ready & (POLLOUT | POLLERR | POLLHUP) != 0 {
                let code = state.socket?.pendingError ?? EBADF
                guard code == 0, ready & (POLLERR | POLLHUP) == 0 else {
                    let fault = SystemFault("connect", code: code == 0 ? ECONNREFUSED : code)
                    state.failure = .connecting(to: address, fault)
                    return .unknown
                }
                begin(&state)
            } else if now >= state.connectDeadline {
                state.failure = .connectionFailed(
                    address, "no answer within \(Self.connectTimeout.components.seconds) s")
                return .timeout
            }
            return nil
        }
        if ready & POLLOUT != 0, let loss = empty(&state) { return loss }
        if ready & (POLLIN | POLLERR | POLLHUP) != 0, let loss = takeAll(&state) { return loss }
        return perform(state.client.check(at: now), &state)
    }

    private func begin(_ state: inout State) {
        state.phase = .discovering
        perform(state.client.start(at: now), &state)
    }

    /// Reads all received messages in order. Messages from before the end are delivered before the end is reported,
    /// even if the system reports the end first: a socket's error precedes the data in it.
    private func takeAll(_ state: inout State) -> LinkLoss? {
        var loss: LinkLoss?
        while true {
            do throws(SystemFault) {
                guard let received = try state.socket?.receive(into: &state.room) else { return .local }
                switch received {
                case .nothing: return loss
                case .end: return loss ?? LinkLoss(errno: state.socket?.pendingError ?? 0)
                case .message(let count):
                    let actions = state.client.receive(state.room[..<count], at: now, date: Date())
                    if let failed = perform(actions, &state) { return loss ?? failed }
                }
            } catch {
                if let loss { return loss }
                loss = LinkLoss(errno: error.code)
            }
        }
    }

    @discardableResult
    private func perform(_ actions: [ATTClient.Action], _ state: inout State) -> LinkLoss? {
        for action in actions {
            switch action {
            case .send(let message):
                state.outbox.append(message)
                if let loss = empty(&state) { return loss }
                if state.outbox.count > Self.maximumOutbox {
                    state.failure = .failed(
                        operation: "talking to \(address)", "it asks for pairing, and rejects the answers")
                    return .local
                }
            case .discovered:
                state.phase = .open
                if let opening = state.opening.take() { state.effects.append(.resume(opening)) }
            case .value(let characteristic, let bytes, let date):
                state.effects.append(.event(.value(characteristic, bytes, date)))
            case .finished(let operation, let outcome):
                guard let continuation = state.operations.removeValue(forKey: operation) else { continue }
                let result: Result<[UInt8], BluetoothError> =
                    switch outcome {
                    case .value(let bytes): .success(bytes)
                    case .error(let code): .failure(.attribute(code, of: address))
                    }
                state.effects.append(.finish(continuation, result))
            case .failed(let failure):
                state.failure =
                    switch failure {
                    case .discoveryTimeout:
                        .connectionFailed(address, "it did not list its services within 30 s")
                    case .transactionTimeout: lost(.timeout)
                    }
                return .timeout
            }
        }
        return nil
    }

    /// Sends waiting messages as far as there is room.
    private func empty(_ state: inout State) -> LinkLoss? {
        while let message = state.outbox.first {
            do throws(SystemFault) {
                guard try state.socket?.send(message) ?? false else { return nil }
                state.outbox.removeFirst()
            } catch {
                // Messages that the device sent before it disconnected may still be in the socket.
                return takeAll(&state) ?? LinkLoss(errno: error.code)
            }
        }
        return nil
    }

    private func end(_ state: inout State, _ loss: LinkLoss) {
        let wasOpen = state.phase == .open
        state.phase = .ended
        state.socket?.hangUp()
        state.socket = nil
        let failure =
            state.failure
            ?? (wasOpen || loss == .local ? lost(loss) : .connectionFailed(address, "the link broke: \(loss)"))
        state.failure = failure
        state.effects.append(.event(.ended(loss, Date())))
        state.effects += state.operations.values.map { .finish($0, .failure(failure)) }
        state.effects += (state.closing + [state.opening].compactMap(\.self)).map { .resume($0) }
        state.operations = [:]
        state.closing = []
        state.opening = nil
    }

    private func lost(_ loss: LinkLoss) -> BluetoothError { .linkLost(address, loss) }

    private static func cancelled(_ request: ATTClient.Request) -> BluetoothError {
        let name =
            switch request {
            case .subscribe: "subscribing"
            case .read: "reading"
            case .write: "writing"
            }
        return .failed(operation: name, "it was cancelled")
    }
}
#endif
