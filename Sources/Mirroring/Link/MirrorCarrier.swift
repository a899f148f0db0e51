/// A way to other machines besides TCP, such as a message broker.
///
/// A link over it is encrypted and authenticated like any other, from one machine to the other, so the carrier need not be trusted.
public protocol MirrorCarrier: Sendable {
    /// Opens a way to a machine. May wait for some seconds.
    ///
    /// - Parameter address: Where the way leads through (``MirrorAddress/isCarried``).
    /// - Returns: A connected stream socket, which belongs to the caller.
    func connect(to address: MirrorAddress, of machine: PeerFingerprint) async throws -> Int32

    /// Gives each way that other machines open to `machine` a socket, until the service is closed.
    ///
    /// - Parameters:
    ///   - open: Returns a connected stream socket, which belongs to the carrier. Called on a thread that may wait.
    func serve(
        _ address: MirrorAddress, of machine: PeerFingerprint, open: @escaping @Sendable () throws -> Int32
    ) async throws -> any MirrorCarrierService
}

/// What ``MirrorCarrier/serve(_:of:open:)`` returns.
public protocol MirrorCarrierService: Sendable {
    /// Opens no more ways.
    func close()
}
