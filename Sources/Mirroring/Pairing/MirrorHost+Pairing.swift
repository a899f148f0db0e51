#if Mirroring
import Foundation
import NIOCore
import NIOPosix

extension MirrorHost {
    /// Pairs with a machine that waits in ``awaitPairing(on:ready:confirm:)``. Cancelling the task gives up.
    ///
    /// A name that has several addresses is tried at each of them in turn, until one answers with a code.
    ///
    /// - Parameter confirm: shows the code and returns whether the person says that the other machine shows the same.
    ///   Its task is cancelled when the attempt is over.
    public func pair(
        with address: MirrorAddress, confirm: @escaping @Sendable (PairingCode) async -> Bool
    ) async throws(MirrorError) -> Peer {
        let paired = try await pair(at: try await address.resolved(), of: address, confirm: confirm)
        return try pin(paired, at: address)
    }

    /// Tries each address of a name, until one answers.
    func pair(
        at places: [SocketAddress], of address: MirrorAddress, confirm: @escaping @Sendable (PairingCode) async -> Bool
    ) async throws(MirrorError) -> PairingConnection.PeerFingerprintAndName {
        var faults: [String] = []
        var failure: MirrorError?
        for place in places where !Task.isCancelled {
            let attempt: PairingAttempt
            do { attempt = try await dial(place, confirm) } catch {
                let reason = TransportFault.sentence(error)
                faults.append(places.count == 1 ? reason : "\(place.ipAddress ?? "?"): \(reason)")
                continue
            }
            switch attempt.result {
            case .success(let paired): return paired
            case .failure(let reason):
                failure = .pairing(reason)
                // Whoever showed a code is who was meant, or pretends to be: a person has to look.
                if attempt.hasShownCode { throw .pairing(reason) }
            }
        }
        let reason = faults.isEmpty ? "given up" : faults.joined(separator: "; ")
        throw failure ?? .connect(address, reason: reason)
    }

    private struct PairingAttempt: Sendable {
        var result: Result<PairingConnection.PeerFingerprintAndName, MirrorError.PairingFailure>
        var hasShownCode: Bool
    }

    /// - Throws: What the network says where there is no connection.
    private func dial(
        _ place: SocketAddress, _ confirm: @escaping @Sendable (PairingCode) async -> Bool
    ) async throws -> PairingAttempt {
        let over = core.reactor.loop.makePromise(of: PairingAttempt.self)
        let connected = ClientBootstrap(group: core.reactor.loop)
            .connectTimeout(MirrorDial.connectLimit)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let tls = try core.tls.handler(isDialing: true) { _ in true }
                    let connection = PairingConnection(.dialing, host: self, tls: tls, confirm: confirm) {
                        over.succeed(PairingAttempt(result: $1, hasShownCode: $0.hasShownCode))
                    }
                    try channel.pipeline.syncOperations.addHandlers([tls, connection])
                }
            }
            .connect(to: place)
        // Without effect where the connection was made.
        connected.whenFailure { over.fail($0) }
        return try await withTaskCancellationHandler {
            _ = try await connected.get()
            return try await over.futureResult.get()
        } onCancel: {
            connected.whenSuccess { $0.close(promise: nil) }
        }
    }

    /// Waits for a machine that calls ``pair(with:confirm:)``. Returns once both people confirmed the same code; goes on
    /// waiting after an attempt that failed, with a pause, and lets an address whose attempts fail wait longer and longer. One
    /// code is shown at a time, and only whoever came so far counts: what merely connects does not. Cancelling the task gives
    /// up.
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
        let service = PairingService(host: self, confirm: confirm) { result.succeed($0) }
        let server: any Channel
        do {
            server = try await ServerBootstrap(group: loop)
                .pausing { _ in service.makeRoom() }
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try service.admit(channel) }
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
            service.close()
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
            // Pairing has its own listener. Sessions use the default address until a link reports another one.
            address: known?.address ?? address.map { MirrorAddress(host: $0.host) }, added: known?.added ?? Date())
        try peers.add(peer)
        return peer
    }
}
#endif
