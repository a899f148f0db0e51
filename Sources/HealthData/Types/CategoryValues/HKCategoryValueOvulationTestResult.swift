/// The result of an ovulation test at home.
public enum HKCategoryValueOvulationTestResult: Int, Sendable {
    /// No surge of a hormone.
    case negative = 1
    /// Luteinising hormone rose: ovulation is near.
    case luteinizingHormoneSurge = 2
    /// The test did not work.
    case indeterminate = 3
    /// Oestrogen rose: the fertile days begin.
    case estrogenSurge = 4

    /// The older name of ``luteinizingHormoneSurge``.
    @available(iOS, deprecated: 13.0, renamed: "luteinizingHormoneSurge")
    public static var positive: Self { .luteinizingHormoneSurge }
}
