/// A value of the Body Sensor Location characteristic: where a heart-rate sensor is worn.
///
/// Source: Bluetooth SIG, Heart Rate Service 1.0, section 3.2.
public enum BodySensorLocation: UInt8, Sendable, CaseIterable {
    case other, chest, wrist, finger, hand, earLobe, foot

    public static let characteristic: UInt16 = 0x2A38

    /// - Returns: Nil if there is no byte, or if its value is reserved for future use.
    public init?(_ bytes: some Collection<UInt8>) {
        guard let first = bytes.first else { return nil }
        self.init(rawValue: first)
    }
}
