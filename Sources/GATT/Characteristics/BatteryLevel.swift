/// A value of the Battery Level characteristic.
///
/// Source: Bluetooth SIG, Battery Service 1.1, section 3.1.
public struct BatteryLevel: Sendable, Equatable {
    public static let characteristic: UInt16 = 0x2A19

    /// The level, 0 … 100.
    public var percent: Int

    /// - Parameter percent: Values outside of 0 … 100 become the nearer limit.
    public init(percent: Int) { self.percent = min(max(percent, 0), 100) }

    public var bytes: [UInt8] { [UInt8(clamping: percent)] }

    /// - Returns: Nil if there is no byte, or if it is above 100 (some sensors send 255 for "unknown").
    public init?(_ bytes: some Collection<UInt8>) {
        guard let percent = bytes.first, percent <= 100 else { return nil }
        self.percent = Int(percent)
    }
}
