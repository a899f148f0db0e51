/// Formulas that estimate the maximum heart rate from age. Individual values differ by about 10 beats per minute, so a
/// measured maximum is always better.
public enum MaximumHeartRate: String, Sendable, CaseIterable {
    /// 208 − 0.7·age. Tanaka, Monahan & Seals, J Am Coll Cardiol 37:153–156, 2001.
    case tanaka
    /// 220 − age. Fox, Naughton & Haskell, Ann Clin Res 3:404–432, 1971; a rule of thumb (Robergs & Landwehr, J Exerc
    /// Physiol 5(2):1–10, 2002).
    case fox
    /// 206 − 0.88·age, for women. Gulati et al., Circulation 122:130–137, 2010.
    case gulati
    /// 211 − 0.64·age. Nes, Janszky, Wisløff, Støylen & Karlsen, Scand J Med Sci Sports 23:697–704, 2013.
    case nes

    /// Returns beats per minute, unrounded.
    public func estimate(ageInYears age: Double) -> Double {
        switch self {
        case .tanaka: 208 - 0.7 * age
        case .fox: 220 - age
        case .gulati: 206 - 0.88 * age
        case .nes: 211 - 0.64 * age
        }
    }
}
