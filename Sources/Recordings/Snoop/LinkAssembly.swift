/// Assembles the fragments of one direction of a link into messages of its attribute channel.
///
/// Source: Core Specification 5.4, volume 4, part E, section 5.4.2 (fragments); volume 3, part A, section 3.1 (frames).
struct LinkAssembly {
    private static let attributeChannel: UInt16 = 4
    private static let headerLength = 4

    private var frame: [UInt8] = []
    private var isWithin = false

    /// Adds a fragment.
    ///
    /// - Parameter boundary: The packet boundary flag: 1 continues a frame, 0 and 2 begin one.
    /// - Returns: A message, if the fragment completed one.
    mutating func take(_ fragment: ArraySlice<UInt8>, boundary: UInt8) -> ArraySlice<UInt8>? {
        if boundary == 1 {
            // The rest of a frame that began before the capture, or whose start was lost.
            guard isWithin else { return nil }
        } else {
            frame.removeAll(keepingCapacity: true)
            isWithin = true
        }
        frame.append(contentsOf: fragment)
        guard frame.count >= Self.headerLength else { return nil }
        let end = Self.headerLength + Int(frame[...].littleEndian16(0))
        guard frame.count >= end else { return nil }
        isWithin = false
        return frame[...].littleEndian16(2) == Self.attributeChannel ? frame[Self.headerLength..<end] : nil
    }
}
