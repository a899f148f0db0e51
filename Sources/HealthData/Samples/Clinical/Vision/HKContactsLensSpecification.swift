public import Foundation

/// A contact lens.
public final class HKContactsLensSpecification: HKLensSpecification, @unchecked Sendable {
    /// The radius of the back of the lens, a length. Nil if not given.
    public let baseCurve: HKQuantity?
    /// The diameter, a length. Nil if not given.
    public let diameter: HKQuantity?

    /// Creates a lens. Traps if a quantity is in a unit of another kind.
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

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        baseCurve = coder.decodeValue(of: HKQuantity.self, forKey: "baseCurve")
        diameter = coder.decodeValue(of: HKQuantity.self, forKey: "diameter")
        guard (try? Self.check([baseCurve, diameter], .meter(), "")) != nil else { return nil }
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeIfPresent(baseCurve, forKey: "baseCurve")
        coder.encodeIfPresent(diameter, forKey: "diameter")
    }
}
