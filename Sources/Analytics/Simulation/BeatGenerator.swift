/// Generates single beats from a heart rate.
///
/// Integral pulse frequency modulation: a beat occurs whenever the integral of (1 + m)·HR/60 reaches the next whole
/// number. Here m is the modulation by breathing (respiratory sinus arrhythmia) and by the slower waves of the blood
/// pressure near 0.1 Hz. Sources: Rompelman, Coenen & Kitney, Med Biol Eng Comput 15:233–239, 1977; Bailón, Laouini,
/// Grao, Orini, Laguna & Meste, IEEE Trans Biomed Eng 58:642–652, 2011, for changing heart rates. Both modulations
/// shrink with effort, and breathing quickens; the amounts are our own choice.
public struct BeatGenerator: Sendable, Equatable {
    /// Breathing and blood-pressure waves, as fractions of the heart rate.
    public struct Modulation: Sendable, Equatable {
        public var breathingAmplitude: Double
        public var breathsPerSecond: Double
        public var bloodPressureAmplitude: Double

        public init(breathingAmplitude: Double, breathsPerSecond: Double, bloodPressureAmplitude: Double) {
            self.breathingAmplitude = breathingAmplitude
            self.breathsPerSecond = breathsPerSecond
            self.bloodPressureAmplitude = bloodPressureAmplitude
        }

        public static let none = Modulation(breathingAmplitude: 0, breathsPerSecond: 0.25, bloodPressureAmplitude: 0)

        /// The modulation at a share of the heart-rate reserve, 0 … 1.
        public init(reserveFraction: Double) {
            let x = min(max(reserveFraction, 0), 1)
            let calm = (1 - x) * (1 - x)
            breathingAmplitude = 0.004 + 0.046 * calm
            breathsPerSecond = 0.22 + 0.5 * x * x
            bloodPressureAmplitude = 0.003 + 0.035 * calm
        }
    }

    /// Seconds since the start.
    public private(set) var time: Double
    /// The share of the time to the next beat that has passed, 0 … 1.
    private var beatPhase = 0.0
    private var breathingPhase: Double
    private var bloodPressurePhase: Double

    private static let bloodPressureWavesPerSecond = 0.1
    private static let stepsPerSecond = 32.0

    /// - Parameters:
    ///   - start: The start time in seconds. A beat has just occurred.
    ///   - random: Chooses the phases of breathing and blood pressure at the start.
    public init(start: Double = 0, _ random: inout SeededGenerator) {
        time = start
        breathingPhase = random.uniform()
        bloodPressurePhase = random.uniform()
    }

    /// Advances the time and appends the times, in seconds, of the beats in it.
    ///
    /// - Parameter heartRate: Beats per minute over this time, without the modulation.
    public mutating func advance(
        by seconds: Double, heartRate: Double, _ modulation: Modulation, appendingTo beats: inout [Double]
    ) {
        let steps = max(1, (seconds * Self.stepsPerSecond).rounded(.up))
        let step = seconds / steps
        for _ in 0..<Int(steps) {
            let modulated =
                1 + modulation.breathingAmplitude * Sinusoid.sine(turns: breathingPhase)
                + modulation.bloodPressureAmplitude * Sinusoid.sine(turns: bloodPressurePhase)
            let rate = max(0, heartRate / 60 * modulated)
            beatPhase += rate * step
            while beatPhase >= 1 {
                beatPhase -= 1
                beats.append(time + step - beatPhase / rate)
            }
            time += step
            breathingPhase += modulation.breathsPerSecond * step
            bloodPressurePhase += Self.bloodPressureWavesPerSecond * step
            breathingPhase -= breathingPhase.rounded(.down)
            bloodPressurePhase -= bloodPressurePhase.rounded(.down)
        }
    }
}
