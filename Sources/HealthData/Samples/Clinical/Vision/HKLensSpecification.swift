public import Foundation

/// The common properties of lenses for glasses and of contact lenses. Abstract.
// Sendable holds: every stored property here and in the subclasses is a `let` of a Sendable type.
public class HKLensSpecification: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The power, in dioptres.
    public final let sphere: HKQuantity
    /// The power of the astigmatism, in dioptres.
    public final let cylinder: HKQuantity?
    /// The direction of the cylinder, an angle.
    public final let axis: HKQuantity?
    /// The power added for near vision, in dioptres.
    public final let addPower: HKQuantity?

    /// Creates a specification. Traps if a quantity is in a unit of another kind.
    init(sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?) {
        raising(try Self.check([sphere, cylinder, addPower], .diopter(), "a lens power"))
        raising(try Self.check([axis], .degreeAngle(), "the axis of a lens"))
        self.sphere = sphere
        self.cylinder = cylinder
        self.axis = axis
        self.addPower = addPower
    }

    static func check(_ quantities: [HKQuantity?], _ unit: HKUnit, _ name: String) throws(SampleError) {
        for case .some(let quantity) in quantities where !quantity.is(compatibleWith: unit) {
            throw .incompatibleUnit(type: name, unit: quantity.unit.unitString, expected: unit.unitString)
        }
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public class var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        guard let sphere = coder.decodeValue(of: HKQuantity.self, forKey: "sphere") else { return nil }
        self.sphere = sphere
        cylinder = coder.decodeValue(of: HKQuantity.self, forKey: "cylinder")
        axis = coder.decodeValue(of: HKQuantity.self, forKey: "axis")
        addPower = coder.decodeValue(of: HKQuantity.self, forKey: "addPower")
        guard (try? Self.check([sphere, cylinder, addPower], .diopter(), "")) != nil,
            (try? Self.check([axis], .degreeAngle(), "")) != nil
        else { return nil }
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(sphere, forKey: "sphere")
        coder.encodeIfPresent(cylinder, forKey: "cylinder")
        coder.encodeIfPresent(axis, forKey: "axis")
        coder.encodeIfPresent(addPower, forKey: "addPower")
    }
}
