/// The result of an ovulation test at home.
public enum HKCategoryValueOvulationTestResult: Int, Sendable {
    case negative = 1
    case luteinizingHormoneSurge = 2
    case indeterminate = 3
    case estrogenSurge = 4

    @available(iOS, deprecated: 13.0, renamed: "luteinizingHormoneSurge")
    public static var positive: Self { .luteinizingHormoneSurge }
}
