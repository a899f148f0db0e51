/// An error of mirroring. Its description contains what failed, on what, and what to do next.
public enum MirrorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A file of the identity or of the peer book could not be read or written.
    case file(path: String, reason: String)
    /// The key or certificate in this file is damaged, or does not come from this program.
    case identity(path: String, reason: String)
    /// A file that holds a secret can be read by others.
    case exposed(path: String, mode: Int)
    /// The list of peers cannot be understood.
    case damagedBook(path: String, reason: String)
    /// No peer of this name or fingerprint is paired.
    case unknownPeer(String)
    /// Several peers have this name.
    case ambiguousPeer(String, count: Int)
    /// A peer cannot have this name.
    case badName(String, reason: String)
    /// The listener could not be opened.
    case listen(MirrorAddress, reason: String)
    /// The peer could not be reached.
    case connect(MirrorAddress, reason: String)
    /// The local network cannot be searched.
    case noDiscovery(reason: String)
    /// This program was built without mirroring.
    case leftOut
    /// The two machines did not pair.
    case pairing(PairingFailure)

    /// The reason why two machines did not pair.
    public enum PairingFailure: Error, Hashable {
        /// The user at this machine answered that the codes differ.
        case refusedHere
        /// The user at the other machine answered that the codes differ, or gave up.
        case refusedThere
        /// The other machine broke the protocol or changed its random number: possibly an attack.
        case broken(String)
        /// The connection ended before both users had answered.
        case interrupted(String)
    }

    public var description: String {
        switch self {
        case .file(let path, let reason):
            "cannot use \(path): \(reason); check who owns the folder and its free space"
        case .identity(let path, let reason):
            "\(path) does not contain this machine's key and certificate: \(reason); move the file away and pair again"
        case .exposed(let path, let mode):
            "other users can read this machine's key \(path) (mode \(String(mode, radix: 8))). If nobody did, run 'chmod 600' on it; "
                + "otherwise remove it and pair again"
        case .damagedBook(let path, let reason):
            "\(path) is not a list of machines: \(reason); correct it, or move it away and pair again"
        case .unknownPeer(let name):
            "no paired machine is called \(name) or has such a fingerprint (at least 8 digits); 'workout mirror "
                + "peers' lists them"
        case .ambiguousPeer(let name, let count):
            "\(count) machines are called \(name); use the fingerprint that 'workout mirror peers' shows"
        case .badName(let name, let reason):
            "a machine cannot be called '\(name)': \(reason)"
        case .listen(let address, let reason):
            "cannot listen on \(address): \(reason); choose another address or port"
        case .connect(let address, let reason):
            "cannot reach \(address): \(reason); check that the other machine listens there"
        case .noDiscovery(let reason):
            "cannot search the local network for machines: \(reason); start avahi-daemon on both machines "
                + "('sudo apt install avahi-daemon'), or write the address of the other one: HOST:PORT"
        case .leftOut:
            "this program was built without mirroring; build it with the trait Mirroring of the package OpenHealthKit, which is "
                + "among its default traits"
        case .pairing(.refusedHere):
            "not paired: you answered that the codes differ; if they did, somebody may be intercepting the connection"
        case .pairing(.refusedThere):
            "not paired: the other machine did not confirm the code"
        case .pairing(.broken(let reason)):
            "not paired: \(reason); try again in a network that you trust"
        case .pairing(.interrupted(let reason)):
            "not paired: the connection ended (\(reason)). The other machine may not be waiting, may be pairing with another one, "
                + "or may delay new attempts after failures; try again in a minute"
        }
    }
}
