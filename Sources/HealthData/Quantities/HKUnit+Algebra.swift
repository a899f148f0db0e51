extension HKUnit {
    /// This unit times another, with what cancels left out.
    public func unitMultiplied(by unit: HKUnit) -> HKUnit {
        SharedUnits.unit(product.multiplied(by: unit.product))
    }

    /// This unit divided by another, with what cancels left out: a unit divided by itself is the null unit.
    public func unitDivided(by unit: HKUnit) -> HKUnit {
        SharedUnits.unit(product.multiplied(by: unit.product.raised(toPower: -1)))
    }

    /// This unit to a power, which may be negative. Powers are held within ±32767.
    public func unitRaised(toPower power: Int) -> HKUnit {
        SharedUnits.unit(product.raised(toPower: power))
    }

    /// One over this unit.
    public func reciprocal() -> HKUnit {
        unitRaised(toPower: -1)
    }
}
