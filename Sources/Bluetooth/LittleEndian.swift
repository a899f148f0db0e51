/// Numbers whose bytes come the least significant first, as the radio, the kernel, captures and zip archives have them.
extension FixedWidthInteger {
    /// The number whose bytes begin at `offset`, and are all there.
    @inlinable
    package init(littleEndian bytes: Span<UInt8>, at offset: Int) {
        self = 0
        for place in (0..<Self.bitWidth / 8).reversed() {
            self = self << 8 | Self(truncatingIfNeeded: bytes[offset + place])
        }
    }
}
