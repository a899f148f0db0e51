import Units

// The names and sizes of all units are in one table, `BaseUnit.table`.

// MARK: Mass

extension HKUnit {
    /// Grams, written `g`. The unit of mass that takes prefixes.
    public class func gram() -> HKUnit { SharedUnits.unit(.gram) }
    /// Grams with a prefix: kilograms, written `kg`, with `.kilo`.
    public class func gramUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.gram, prefix) }
    /// The avoirdupois ounce, written `oz`.
    public class func ounce() -> HKUnit { SharedUnits.unit(.ounce) }
    /// The avoirdupois pound, 453.59237 g, written `lb`.
    public class func pound() -> HKUnit { SharedUnits.unit(.pound) }
    /// Fourteen pounds, 6350.29318 g, written `st`.
    public class func stone() -> HKUnit { SharedUnits.unit(.stone) }

    /// Moles of a substance. They count as mass: 1 `mol<12>` is 12 g, as is 6 `mol<2>`.
    ///
    /// - Parameter gramsPerMole: The molar mass, above zero and finite. Any other value stops the program.
    public class func moleUnit(withMolarMass gramsPerMole: Double) -> HKUnit {
        moleUnit(with: .none, molarMass: gramsPerMole)
    }

    /// Moles of a substance with a prefix, such as millimoles.
    ///
    /// - Parameter gramsPerMole: The molar mass, above zero and finite. Any other value stops the program.
    public class func moleUnit(with prefix: HKMetricPrefix, molarMass gramsPerMole: Double) -> HKUnit {
        precondition(gramsPerMole > 0 && gramsPerMole.isFinite, "A molar mass must be above zero, in grams per mole")
        return SharedUnits.unit(UnitProduct([UnitFactor(unit: .mole, prefix: prefix.neutral, molarMass: gramsPerMole)]))
    }
}

// MARK: Length

extension HKUnit {
    /// Metres, written `m`.
    public class func meter() -> HKUnit { SharedUnits.unit(.meter) }
    /// Metres with a prefix: kilometres, written `km`, with `.kilo`.
    public class func meterUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.meter, prefix) }
    /// 2.54 cm, written `in`.
    public class func inch() -> HKUnit { SharedUnits.unit(.inch) }
    /// 30.48 cm, written `ft`.
    public class func foot() -> HKUnit { SharedUnits.unit(.foot) }
    /// 91.44 cm, written `yd`.
    public class func yard() -> HKUnit { SharedUnits.unit(.yard) }
    /// The statute mile, 1609.344 m, written `mi`.
    public class func mile() -> HKUnit { SharedUnits.unit(.mile) }
}

// MARK: Volume

extension HKUnit {
    /// Litres, written `L`. A dimension of its own: litres do not convert into cubic metres.
    public class func liter() -> HKUnit { SharedUnits.unit(.liter) }
    /// Litres with a prefix: millilitres, written `mL`, with `.milli`.
    public class func literUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.liter, prefix) }
    /// 29.5735295625 mL, written `fl_oz_us`.
    public class func fluidOunceUS() -> HKUnit { SharedUnits.unit(.fluidOunceUS) }
    /// 28.4130625 mL, written `fl_oz_imp`.
    public class func fluidOunceImperial() -> HKUnit { SharedUnits.unit(.fluidOunceImperial) }
    /// 0.473176473 L.
    public class func pintUS() -> HKUnit { SharedUnits.unit(.pintUS) }
    /// 0.56826125 L.
    public class func pintImperial() -> HKUnit { SharedUnits.unit(.pintImperial) }
    /// 0.2365882365 L, written `cup_us`.
    public class func cupUS() -> HKUnit { SharedUnits.unit(.cupUS) }
    /// 0.284130625 L, written `cup_imp`.
    public class func cupImperial() -> HKUnit { SharedUnits.unit(.cupImperial) }
}

// MARK: Pressure

extension HKUnit {
    /// Pascals, written `Pa`.
    public class func pascal() -> HKUnit { SharedUnits.unit(.pascal) }
    /// Pascals with a prefix: hectopascals, written `hPa`, with `.hecto`.
    public class func pascalUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.pascal, prefix) }
    /// 133.322 Pa, written `mmHg`: the unit of blood pressure.
    public class func millimeterOfMercury() -> HKUnit { SharedUnits.unit(.millimeterOfMercury) }
    /// 98.0665 Pa, written `cmAq`.
    public class func centimeterOfWater() -> HKUnit { SharedUnits.unit(.centimeterOfWater) }
    /// 101,325 Pa, written `atm`.
    public class func atmosphere() -> HKUnit { SharedUnits.unit(.atmosphere) }
    /// 3386.388 Pa, written `inHg`.
    public class func inchesOfMercury() -> HKUnit { SharedUnits.unit(.inchesOfMercury) }
}

// MARK: Time

extension HKUnit {
    /// Seconds, written `s`.
    public class func second() -> HKUnit { SharedUnits.unit(.second) }
    /// Seconds with a prefix: milliseconds, written `ms`, with `.milli`.
    public class func secondUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.second, prefix) }
    /// 60 s, written `min`. A heart rate is in `count/min`.
    public class func minute() -> HKUnit { SharedUnits.unit(.minute) }
    /// 3600 s, written `hr`.
    public class func hour() -> HKUnit { SharedUnits.unit(.hour) }
    /// 86,400 s, written `d`, whatever the length of the calendar day.
    public class func day() -> HKUnit { SharedUnits.unit(.day) }
}

// MARK: Energy and power

extension HKUnit {
    /// Joules, written `J`.
    public class func joule() -> HKUnit { SharedUnits.unit(.joule) }
    /// Joules with a prefix: kilojoules, written `kJ`, with `.kilo`.
    public class func jouleUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.joule, prefix) }
    /// 4.184 J.
    public class func smallCalorie() -> HKUnit { SharedUnits.unit(.smallCalorie) }
    /// 4184 J.
    public class func kilocalorie() -> HKUnit { SharedUnits.unit(.kilocalorie) }
    /// The calorie of food labels: 4184 J.
    public class func largeCalorie() -> HKUnit { SharedUnits.unit(.largeCalorie) }
    /// Watts, written `W`. A dimension of its own: watts do not convert into joules per second.
    public class func watt() -> HKUnit { SharedUnits.unit(.watt) }
    /// Watts with a prefix: kilowatts, written `kW`, with `.kilo`.
    public class func wattUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.watt, prefix) }

    /// 4.184 J: the earlier name of ``smallCalorie()``.
    @available(iOS, deprecated: 11.0, renamed: "smallCalorie")
    public class func calorie() -> HKUnit { smallCalorie() }
}

// MARK: Temperature

extension HKUnit {
    /// Kelvins, written `K`.
    public class func kelvin() -> HKUnit { SharedUnits.unit(.kelvin) }
    /// Degrees Celsius, written `degC`. The offset of zero applies only if it is the whole unit. In products and
    /// powers, a degree is a kelvin.
    public class func degreeCelsius() -> HKUnit { SharedUnits.unit(.degreeCelsius) }
    /// Degrees Fahrenheit, written `degF`. The offset of zero applies only if it is the whole unit. In products and
    /// powers, a degree is 5/9 K.
    public class func degreeFahrenheit() -> HKUnit { SharedUnits.unit(.degreeFahrenheit) }
}

// MARK: Scalars and scores

extension HKUnit {
    /// A number of things: steps, beats. Written `count`.
    public class func count() -> HKUnit { SharedUnits.unit(.count) }
    /// A fraction: 98 % is the value 0.98. Converts into `count` one to one.
    public class func percent() -> HKUnit { SharedUnits.unit(.percent) }
    /// The unit of insulin, written `IU`. A dimension of its own.
    public class func internationalUnit() -> HKUnit { SharedUnits.unit(.internationalUnit) }
    /// The unit of workout effort scores, written `appleEffortScore`. A dimension of its own, without prefixes.
    public class func appleEffortScore() -> HKUnit { SharedUnits.unit(.appleEffortScore) }
}

// MARK: Sound, hearing and frequency

extension HKUnit {
    /// A-weighted decibels, written `dBASPL`. A dimension of its own: a level does not convert into pascals.
    public class func decibelAWeightedSoundPressureLevel() -> HKUnit {
        SharedUnits.unit(.decibelAWeightedSoundPressureLevel)
    }
    /// The unit of audiograms, written `dBHL`. A dimension of its own.
    public class func decibelHearingLevel() -> HKUnit { SharedUnits.unit(.decibelHearingLevel) }
    /// Hertz, written `Hz`. A dimension of its own: hertz do not convert into `1/s` or `count/s`.
    public class func hertz() -> HKUnit { SharedUnits.unit(.hertz) }
    /// Hertz with a prefix: kilohertz, written `kHz`, with `.kilo`.
    public class func hertzUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.hertz, prefix) }
}

// MARK: Electricity

extension HKUnit {
    /// The unit of skin conductance, written `S`.
    public class func siemen() -> HKUnit { SharedUnits.unit(.siemen) }
    /// Siemens with a prefix: microsiemens, written `mcS`, with `.micro`.
    public class func siemenUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.siemen, prefix) }
    /// The unit of electrocardiograms, written `V`.
    public class func volt() -> HKUnit { SharedUnits.unit(.volt) }
    /// Volts with a prefix: microvolts, written `mcV`, with `.micro`.
    public class func voltUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.volt, prefix) }
}

// MARK: Optics and angles

extension HKUnit {
    /// The power of a lens, written `D`. A dimension of its own.
    public class func diopter() -> HKUnit { SharedUnits.unit(.diopter) }
    /// The power of a prism, written `pD`. A dimension of its own.
    public class func prismDiopter() -> HKUnit { SharedUnits.unit(.prismDiopter) }
    /// The unit of illuminance, written `lx`.
    public class func lux() -> HKUnit { SharedUnits.unit(.lux) }
    /// Lux with a prefix: kilolux, written `klx`, with `.kilo`.
    public class func luxUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.lux, prefix) }
    /// Radians, written `rad`. A full turn is 2π.
    public class func radianAngle() -> HKUnit { SharedUnits.unit(.radianAngle) }
    /// Radians with a prefix: milliradians, written `mrad`, with `.milli`.
    public class func radianAngleUnit(with prefix: HKMetricPrefix) -> HKUnit { SharedUnits.unit(.radianAngle, prefix) }
    /// Written `deg`: π/180 rad.
    public class func degreeAngle() -> HKUnit { SharedUnits.unit(.degreeAngle) }
}

/// The molar mass of glucose in grams per mole, for blood glucose in `mmol/L`.
public let HKUnitMolarMassBloodGlucose: Double = 180.15588000005408
