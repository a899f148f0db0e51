/// Sine and cosine from additions and multiplications only, so that a simulation gives the same bytes on every machine.
/// The error is below 10⁻⁹.
enum Sinusoid {
    /// sin(2π·turns)
    static func sine(turns: Double) -> Double {
        var turn = turns - turns.rounded()
        if turn > 0.25 { turn = 0.5 - turn } else if turn < -0.25 { turn = -0.5 - turn }
        let x = 2 * Double.pi * turn
        let y = x * x
        // Taylor's series, up to x¹³.
        let high = 1 / 362_880 + y * (-1 / 39_916_800 + y / 6_227_020_800)
        return x * (1 + y * (-1 / 6 + y * (1 / 120 + y * (-1 / 5040 + y * high))))
    }

    /// cos(2π·turns)
    static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }
}
