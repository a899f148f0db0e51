/// The result of reading the start of the given bytes in a format.
enum CaptureRecord {
    /// The largest size, above that of any packet of a controller. A larger one is damage.
    static let maximumSize = 1 << 18

    case incomplete
    /// This many bytes were used.
    case done(Int, CapturePacket?)
    case broken(String)
    /// Nothing in the file can be read.
    case refused(String)
}
