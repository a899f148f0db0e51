extension HKQuantityTypeIdentifier {
    // MARK: Nutrition

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryBiotin = Self(rawValue: "HKQuantityTypeIdentifierDietaryBiotin")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryCaffeine = Self(rawValue: "HKQuantityTypeIdentifierDietaryCaffeine")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryCalcium = Self(rawValue: "HKQuantityTypeIdentifierDietaryCalcium")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryCarbohydrates = Self(rawValue: "HKQuantityTypeIdentifierDietaryCarbohydrates")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryChloride = Self(rawValue: "HKQuantityTypeIdentifierDietaryChloride")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryCholesterol = Self(rawValue: "HKQuantityTypeIdentifierDietaryCholesterol")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryChromium = Self(rawValue: "HKQuantityTypeIdentifierDietaryChromium")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryCopper = Self(rawValue: "HKQuantityTypeIdentifierDietaryCopper")

    /// `kcal`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryEnergyConsumed = Self(rawValue: "HKQuantityTypeIdentifierDietaryEnergyConsumed")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryFatMonounsaturated = Self(rawValue: "HKQuantityTypeIdentifierDietaryFatMonounsaturated")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryFatPolyunsaturated = Self(rawValue: "HKQuantityTypeIdentifierDietaryFatPolyunsaturated")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryFatSaturated = Self(rawValue: "HKQuantityTypeIdentifierDietaryFatSaturated")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryFatTotal = Self(rawValue: "HKQuantityTypeIdentifierDietaryFatTotal")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryFiber = Self(rawValue: "HKQuantityTypeIdentifierDietaryFiber")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryFolate = Self(rawValue: "HKQuantityTypeIdentifierDietaryFolate")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryIodine = Self(rawValue: "HKQuantityTypeIdentifierDietaryIodine")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryIron = Self(rawValue: "HKQuantityTypeIdentifierDietaryIron")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryMagnesium = Self(rawValue: "HKQuantityTypeIdentifierDietaryMagnesium")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryManganese = Self(rawValue: "HKQuantityTypeIdentifierDietaryManganese")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryMolybdenum = Self(rawValue: "HKQuantityTypeIdentifierDietaryMolybdenum")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryNiacin = Self(rawValue: "HKQuantityTypeIdentifierDietaryNiacin")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryPantothenicAcid = Self(rawValue: "HKQuantityTypeIdentifierDietaryPantothenicAcid")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryPhosphorus = Self(rawValue: "HKQuantityTypeIdentifierDietaryPhosphorus")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryPotassium = Self(rawValue: "HKQuantityTypeIdentifierDietaryPotassium")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryProtein = Self(rawValue: "HKQuantityTypeIdentifierDietaryProtein")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryRiboflavin = Self(rawValue: "HKQuantityTypeIdentifierDietaryRiboflavin")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietarySelenium = Self(rawValue: "HKQuantityTypeIdentifierDietarySelenium")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietarySodium = Self(rawValue: "HKQuantityTypeIdentifierDietarySodium")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietarySugar = Self(rawValue: "HKQuantityTypeIdentifierDietarySugar")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryThiamin = Self(rawValue: "HKQuantityTypeIdentifierDietaryThiamin")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryVitaminA = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminA")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryVitaminB12 = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminB12")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryVitaminB6 = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminB6")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryVitaminC = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminC")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryVitaminD = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminD")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryVitaminE = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminE")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryVitaminK = Self(rawValue: "HKQuantityTypeIdentifierDietaryVitaminK")

    /// `mL`, cumulative. iOS 9.0, watchOS 2.0.
    public static let dietaryWater = Self(rawValue: "HKQuantityTypeIdentifierDietaryWater")

    /// `g`, cumulative. iOS 8.0, watchOS 2.0.
    public static let dietaryZinc = Self(rawValue: "HKQuantityTypeIdentifierDietaryZinc")
}
