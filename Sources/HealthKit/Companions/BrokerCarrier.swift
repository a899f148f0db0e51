import Brokers
import Mirroring
import Synchronization

/// The way to paired machines through servers of NATS. The links are those of TCP, encrypted between the two machines: the servers see how
/// much is sent and when, and nothing else.
final class BrokerCarrier: MirrorCarrier {
    private let settings: PublishSettings
    private let report: @Sendable (String) -> Void
    private let waiting = WaitingCalls()
    private let tunnels = Mutex<[String: NATSTunnel]>([:])

    /// - Parameter settings: With the password of the servers.
    init(_ settings: PublishSettings, report: @escaping @Sendable (String) -> Void) {
        self.settings = settings
        self.report = report
    }

    private func tunnel(_ address: MirrorAddress) throws -> NATSTunnel {
        if let tunnel = tunnels.withLock({ $0[address.host] }) { return tunnel }
        let made = NATSTunnel(try settings.servers(address.host))
        return tunnels.withLock { tunnels in
            let tunnel = tunnels[address.host] ?? made
            tunnels[address.host] = tunnel
            return tunnel
        }
    }

    func connect(to address: MirrorAddress, of machine: PeerFingerprint) async throws -> Int32 {
        let tunnel = try tunnel(address)
        return try await waiting { try tunnel.connect(to: "\(machine)") }
    }

    func serve(
        _ address: MirrorAddress, of machine: PeerFingerprint, open: @escaping @Sendable () throws -> Int32
    ) async throws -> any MirrorCarrierService {
        BrokerService(tunnel: try tunnel(address).serve("\(machine)", open: open, report: report))
    }
}

private struct BrokerService: MirrorCarrierService {
    let tunnel: NATSTunnel.Service

    func close() { tunnel.close() }
}
