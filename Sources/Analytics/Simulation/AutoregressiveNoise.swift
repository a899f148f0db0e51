/// Noise with a memory (a first-order autoregressive process): values close in time are similar.
public struct AutoregressiveNoise: Sendable, Equatable {
    public private(set) var value: Double
    private let standardDeviation: Double
    private let memoryInSeconds: Double

    public init(standardDeviation: Double, memoryInSeconds: Double) {
        self.standardDeviation = standardDeviation
        self.memoryInSeconds = memoryInSeconds
        value = 0
    }

    public mutating func advance(by seconds: Double, _ random: inout SeededGenerator) {
        let kept = FirstOrderResponse.decay(seconds / memoryInSeconds)
        value = kept * value + standardDeviation * (1 - kept * kept).squareRoot() * random.normal()
    }
}
