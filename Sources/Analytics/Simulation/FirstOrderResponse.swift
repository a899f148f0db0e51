/// A value that follows a target exponentially, faster or slower up than down: τ·dx/dt = target − x.
///
/// After one time constant it has covered 63.2 % of the way, after two 86.5 %. Of the heart rate of runners after a change
/// of speed: Hunt, Fankhauser & Saengsuwan, BioMed Eng OnLine 14:117, 2015 (57.5 s up, 54.4 s down).
public struct FirstOrderResponse: Sendable, Equatable {
    public var value: Double
    /// In seconds, as is the other one.
    public var timeConstantUp: Double
    public var timeConstantDown: Double

    public init(value: Double, timeConstantUp: Double, timeConstantDown: Double) {
        self.value = value
        self.timeConstantUp = timeConstantUp
        self.timeConstantDown = timeConstantDown
    }

    /// Lets `seconds` pass with the target where it is. Exact for any step: many small ones end where a big one does.
    public mutating func advance(toward target: Double, by seconds: Double) {
        let timeConstant = target > value ? timeConstantUp : timeConstantDown
        value = target + (value - target) * Self.decay(seconds / timeConstant)
    }

    /// e⁻ˣ for x ≥ 0 by the four basic operations alone, so that it is the same on every machine: Padé's approximant of
    /// order 3 over a halved argument, squared again. Relative error below 10⁻⁹.
    static func decay(_ x: Double) -> Double {
        guard x < 700 else { return 0 }
        var reduced = max(0, x)
        var halvings = 0
        while reduced > 0.125 {
            reduced /= 2
            halvings += 1
        }
        let even = 120 + 12 * reduced * reduced
        let odd = reduced * (60 + reduced * reduced)
        var result = (even - odd) / (even + odd)
        for _ in 0..<halvings { result *= result }
        return result
    }
}
