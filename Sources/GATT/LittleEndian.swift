/// Little-endian integers, as in Bluetooth, the kernel, captures and zip archives.
extension FixedWidthInteger {
    /// The number at `offset`. All its bytes must exist.
    @inlinable
    package init(littleEndian bytes: Span<UInt8>, at offset: Int) {
        self = 0
        for place in (0..<Self.bitWidth / 8).reversed() {
            self = self << 8 | Self(truncatingIfNeeded: bytes[offset + place])
        }
    }
}
