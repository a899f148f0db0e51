import Foundation

/// 300 intervals that any language reproduces: two sine waves and a linear congruential generator, all rounded.
let referenceBeats: [Double] = {
    var state = 12345
    return (0..<300).map { i in
        state = (1_103_515_245 * state + 12345) % (1 << 31)
        let noise = (state >> 16) % 41 - 20
        let slow = Int((30 * sin(2 * .pi * 0.08 * Double(i)) + 0.5).rounded(.down))
        let fast = Int((25 * sin(2 * .pi * 0.2 * Double(i)) + 0.5).rounded(.down))
        return Double(800 + slow + fast + noise)
    }
}()

func isClose(_ a: Double?, _ b: Double, within tolerance: Double) -> Bool {
    guard let a else { return false }
    return abs(a - b) <= tolerance
}
