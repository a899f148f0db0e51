/// Limits of the resources that a peer can use.
public enum MirrorLimits {
    /// The largest frame that is sent or read, in bytes, without its length field.
    public static let frame = 1 << 20
    /// The largest entry or greeting, in bytes.
    public static let entry = frame - 256
    /// How many bytes of received entries may wait for a consumer before reading stops.
    public static let window = 4 << 20
    /// How many connections may be in their handshake at once. Fewer if the process may open only few files. Beyond
    /// that, a new connection replaces the oldest one of the IPv4 address or IPv6 /64 network that has the most.
    public static let handshakes = 128
    /// How many channels one peer may hold open at a listener.
    public static let channels = 4_096
}
