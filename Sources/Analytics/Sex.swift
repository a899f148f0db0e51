/// Selects one of a formula's two sets of coefficients. The studies behind the formulas only had two sexes.
public enum Sex: String, Sendable, CaseIterable, Codable { case female, male }
