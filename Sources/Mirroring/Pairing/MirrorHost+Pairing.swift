#if Mirroring
import Foundation
import NIOCore
import NIOPosix

extension MirrorHost {
    /// Pairs with a machine that waits in ``awaitPairing(on:ready:confirm:)``. Cancelling the task gives up.
    ///
    /// If a name has several addresses, each is tried in turn until one answers with a code.
    ///
    /// - Parameter confirm: Shows the code and returns whether the user confirms that the other machine shows the same.
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
                // The machine that showed a code is the right one, or pretends to be: the user has to compare.
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

    /// - Throws: The network's error if there is no connection.
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
        // No effect if the connection succeeded.
        connected.whenFailure { over.fail($0) }
        return try await withTaskCancellationHandler {
            _ = try await connected.get()
            return try await over.futureResult.get()
        } onCancel: {
            connected.whenSuccess { $0.close(promise: nil) }
        }
    }

    /// Waits for a machine that calls ``pair(with:confirm:)``. Returns once both users have confirmed the same code.
    ///
    /// A failed attempt does not end the waiting. After it there is a pause, and an address whose attempts fail has to
    /// wait longer each time. One code is shown at a time, and only attempts with a code count, not mere connections.
    /// Cancelling the task gives up.
    ///
    /// - Parameters:
    ///   - ready: Called with the listening address.
    ///   - confirm: Shows the code and returns whether the user confirms that the other machine shows the same. Its
    ///     task is cancelled when the attempt is over.
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
            // No effect if there is a result.
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
