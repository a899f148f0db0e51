public import Foundation

/// A lens of glasses.
public final class HKGlassesLensSpecification: HKLensSpecification, @unchecked Sendable {
    /// From the back of the lens to the eye, a length; nil when not measured, as the lengths below.
    public let vertexDistance: HKQuantity?
    /// How the lens shifts the image; nil when it does not.
    public let prism: HKVisionPrism?
    /// From the pupil to the middle of the nose when looking afar.
    public let farPupillaryDistance: HKQuantity?
    /// From the pupil to the middle of the nose when looking at something near.
    public let nearPupillaryDistance: HKQuantity?

    /// Traps when a quantity is in a unit of another kind.
    public init(
        sphere: HKQuantity, cylinder: HKQuantity?, axis: HKQuantity?, addPower: HKQuantity?,
        vertexDistance: HKQuantity?, prism: HKVisionPrism?, farPupillaryDistance: HKQuantity?,
        nearPupillaryDistance: HKQuantity?
    ) {
        raising(
            try Self.check(
                [vertexDistance, farPupillaryDistance, nearPupillaryDistance], .meter(), "a distance of a lens"))
        self.vertexDistance = vertexDistance
        self.prism = prism
        self.farPupillaryDistance = farPupillaryDistance
        self.nearPupillaryDistance = nearPupillaryDistance
        super.init(sphere: sphere, cylinder: cylinder, axis: axis, addPower: addPower)
    }

    // MARK: NSSecureCoding

    /// Nil when the archive holds no such object, or one with values that it cannot have.
    public required init?(coder: NSCoder) {
        vertexDistance = coder.decodeValue(of: HKQuantity.self, forKey: "vertexDistance")
        prism = coder.decodeValue(of: HKVisionPrism.self, forKey: "prism")
        farPupillaryDistance = coder.decodeValue(of: HKQuantity.self, forKey: "farPupillaryDistance")
        nearPupillaryDistance = coder.decodeValue(of: HKQuantity.self, forKey: "nearPupillaryDistance")
        guard (try? Self.check([vertexDistance, farPupillaryDistance, nearPupillaryDistance], .meter(), "")) != nil
        else { return nil }
        super.init(coder: coder)
    }

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeIfPresent(vertexDistance, forKey: "vertexDistance")
        coder.encodeIfPresent(prism, forKey: "prism")
        coder.encodeIfPresent(farPupillaryDistance, forKey: "farPupillaryDistance")
        coder.encodeIfPresent(nearPupillaryDistance, forKey: "nearPupillaryDistance")
    }
}
