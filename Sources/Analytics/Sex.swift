/// Which of a formula's two sets of coefficients applies. The studies behind them knew no third.
public enum Sex: String, Sendable, CaseIterable, Codable { case female, male }
