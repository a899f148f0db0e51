import Foundation
import NIOCore
import NIOPosix

extension MirrorHost {
    /// Pairs with a machine that waits in ``awaitPairing(on:ready:confirm:)``. Cancelling the task gives up.
    ///
    /// - Parameter confirm: shows the code and returns whether the person says that the other machine shows the same.
    ///   Its task is cancelled when the attempt is over.
    public func pair(
        with address: MirrorAddress, confirm: @escaping @Sendable (PairingCode) async -> Bool
    ) async throws(MirrorError) -> Peer {
        let loop = core.reactor.loop
        let result = loop.makePromise(of: PairingConnection.PeerFingerprintAndName.self)
        let connected = ClientBootstrap(group: loop)
            .connectTimeout(MirrorDial.connectLimit)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try core.tls.handler(isDialing: true) { _ in true }
                    let connection = PairingConnection(.dialing, host: self, tls: tls, confirm: confirm) {
                        result.completeWith($0.mapError(MirrorError.pairing))
                    }
                    try channel.pipeline.syncOperations.addHandlers([tls, connection])
                }
            }
            .connect(host: address.host, port: address.port)
        connected.whenFailure { result.fail(MirrorError.connect(address, reason: TransportFault.sentence($0))) }
        let paired: PairingConnection.PeerFingerprintAndName
        do {
            paired = try await withTaskCancellationHandler {
                try await result.futureResult.get()
            } onCancel: {
                connected.whenSuccess { $0.close(promise: nil) }
            }
        } catch let error as MirrorError {
            throw error
        } catch {
            throw .connect(address, reason: TransportFault.sentence(error))
        }
        return try pin(paired, at: address)
    }

    /// Waits for a machine that calls ``pair(with:confirm:)``. Returns once both people confirmed the same code; goes on
    /// waiting after an attempt that failed, and lets an address whose attempts fail wait longer and longer. One attempt
    /// at a time. Cancelling the task gives up.
    ///
    /// - Parameters:
    ///   - ready: called with the address that is listened on.
    ///   - confirm: shows the code and returns whether the person says that the other machine shows the same. Its task is
    ///     cancelled when the attempt is over.
    public func awaitPairing(
        on address: MirrorAddress = .everywhere, ready: @escaping @Sendable (MirrorAddress) -> Void = { _ in },
        confirm: @escaping @Sendable (PairingCode) async -> Bool
    ) async throws(MirrorError) -> Peer {
        let loop = core.reactor.loop
        let result = loop.makePromise(of: PairingConnection.PeerFingerprintAndName.self)
        let door = PairingDoor(host: self, confirm: confirm) { result.succeed($0) }
        let server: any Channel
        do {
            server = try await ServerBootstrap(group: loop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try door.admit(channel) }
                }
                .listen(on: address)
        } catch {
            result.fail(error)
            throw .listen(address, reason: TransportFault.sentence(error))
        }
        let announcement = announce(server.localAddress, waitsForPairing: true)
        defer { announcement?.cancel() }
        ready(server.listeningAddress ?? address)
        server.closeFuture.whenComplete { _ in
            door.close()
            // Without effect where the result is there.
            result.fail(MirrorError.pairing(.interrupted("given up")))
        }
        do {
            let paired = try await withTaskCancellationHandler {
                try await result.futureResult.get()
            } onCancel: {
                server.close(promise: nil)
            }
            server.close(promise: nil)
            return try pin(paired, at: nil)
        } catch let error as MirrorError {
            throw error
        } catch {
            throw .listen(address, reason: TransportFault.sentence(error))
        }
    }

    private func pin(
        _ paired: PairingConnection.PeerFingerprintAndName, at address: MirrorAddress?
    ) throws(MirrorError) -> Peer {
        let known = try peers.peer(paired.fingerprint)
        let peer = Peer(
            fingerprint: paired.fingerprint, name: known?.name ?? paired.name,
            // Pairing has a door of its own; sessions are listened for where everybody does, until a link says otherwise.
            address: known?.address ?? address.map { MirrorAddress(host: $0.host) }, added: known?.added ?? Date())
        try peers.add(peer)
        return peer
    }
}

/// Lets machines in that want to pair: one at a time, and those that failed only after a while.
///
/// @unchecked Sendable: everything is touched on the reactor's loop only.
private final class PairingDoor: @unchecked Sendable {
    private let host: MirrorHost
    private let confirm: @Sendable (PairingCode) async -> Bool
    private let paired: @Sendable (PairingConnection.PeerFingerprintAndName) -> Void
    private var brake = PairingBrake()
    private var guest: PairingConnection?

    init(
        host: MirrorHost, confirm: @escaping @Sendable (PairingCode) async -> Bool,
        paired: @escaping @Sendable (PairingConnection.PeerFingerprintAndName) -> Void
    ) {
        self.host = host
        self.confirm = confirm
        self.paired = paired
    }

    private struct Refused: Error {}

    func admit(_ channel: any Channel) throws {
        let address = channel.remoteAddress?.ipAddress ?? "an unknown address"
        let reactor = host.core.reactor
        if let wait = brake.wait(address, at: reactor.now) {
            host.core.report(
                "pairing: refused \(address): its attempts failed; it must wait for \(Int((wait / .seconds(1)).rounded(.up))) s"
            )
            throw Refused()
        }
        guard guest == nil else {
            host.core.report("pairing: refused \(address): another machine is just pairing")
            throw Refused()
        }
        let tls = try host.core.tls.handler(isDialing: false) { _ in true }
        let connection = PairingConnection(.listening, host: host, tls: tls, confirm: confirm) { [self] result in
            guest = nil
            switch result {
            case .success(let peer): paired(peer)
            case .failure(let failure):
                brake.failed(address, at: reactor.now)
                host.core.report("pairing with \(address): \(MirrorError.pairing(failure))")
            }
        }
        guest = connection
        try channel.pipeline.syncOperations.addHandlers([tls, connection])
    }

    func close() { guest?.interrupt("given up") }
}
