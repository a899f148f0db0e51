/// A value that follows a target exponentially, with different speeds up and down: τ·dx/dt = target − x.
///
/// It covers 63.2 % of the distance after one time constant, and 86.5 % after two. For the heart rate of runners after
/// a change of speed see Hunt, Fankhauser & Saengsuwan, BioMed Eng OnLine 14:117, 2015 (57.5 s up, 54.4 s down).
public struct FirstOrderResponse: Sendable, Equatable {
    public var value: Double
    /// The time constants in seconds.
    public var timeConstantUp: Double
    public var timeConstantDown: Double

    public init(value: Double, timeConstantUp: Double, timeConstantDown: Double) {
        self.value = value
        self.timeConstantUp = timeConstantUp
        self.timeConstantDown = timeConstantDown
    }

    /// Advances by `seconds` with a constant target. It is exact for any step: many small steps end where one large
    /// step does.
    public mutating func advance(toward target: Double, by seconds: Double) {
        let timeConstant = target > value ? timeConstantUp : timeConstantDown
        value = target + (value - target) * Self.decay(seconds / timeConstant)
    }

    /// Returns e⁻ˣ for x ≥ 0. It only uses the four basic operations, so that the result is the same on every machine:
    /// Padé's approximant of order 3 over a halved argument, squared again. The relative error is below 10⁻⁹.
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
