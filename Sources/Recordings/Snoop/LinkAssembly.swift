/// Puts the fragments of one direction of a link together to the messages of its attribute channel.
///
/// Source: Core Specification 5.4, volume 4, part E, section 5.4.2 (fragments); volume 3, part A, section 3.1 (frames).
struct LinkAssembly {
    private static let attributeChannel: UInt16 = 4
    private static let headerLength = 4

    private var frame: [UInt8] = []
    private var isWithin = false

    /// Takes a fragment.
    ///
    /// - Parameter boundary: The packet boundary flag: 1 goes on with a frame, 0 and 2 begin one.
    /// - Returns: A message, when the fragment was the last of one.
    mutating func take(_ fragment: ArraySlice<UInt8>, boundary: UInt8) -> ArraySlice<UInt8>? {
        if boundary == 1 {
            // The rest of something that began before the capture, or that was lost in part.
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
