public import Foundation

/// A contact lens.
public final class HKContactsLensSpecification: HKLensSpecification, @unchecked Sendable {
    /// Radius of the back, a length; nil when not given, as the diameter.
    public let baseCurve: HKQuantity?
    /// A length; nil when not given.
    public let diameter: HKQuantity?

    /// Traps when a quantity is in a unit of another kind.
    public init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?, baseCurve: HKQuantity?,
        diameter: HKQuantity?
    ) {
        raising(try Self.check([baseCurve, diameter], .meter(), "a length of a contact lens"))
        self.baseCurve = baseCurve
        self.diameter = diameter
        super.init(sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
    }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        baseCurve = coder.decodeValue(of: HKQuantity.self, forKey: "baseCurve")
        diameter = coder.decodeValue(of: HKQuantity.self, forKey: "diameter")
        guard (try? Self.check([baseCurve, diameter], .meter(), "")) != nil else { return nil }
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeIfPresent(baseCurve, forKey: "baseCurve")
        coder.encodeIfPresent(diameter, forKey: "diameter")
    }
}
