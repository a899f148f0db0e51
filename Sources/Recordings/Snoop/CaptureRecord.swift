/// What a format found at the start of the bytes that it was given.
enum CaptureRecord {
    /// Larger than any packet of a controller; what claims more is damage.
    static let maximumSize = 1 << 18

    case incomplete
    /// So many bytes are done with.
    case done(Int, CapturePacket?)
    case broken(String)
    /// Nothing of the file can be read.
    case refused(String)
}
