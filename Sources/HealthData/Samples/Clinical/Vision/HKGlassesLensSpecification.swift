public import Foundation

/// A lens of a pair of glasses.
public final class HKGlassesLensSpecification: HKLensSpecification, @unchecked Sendable {
    /// The distance from the back of the lens to the eye, a length. Nil if not measured, like the lengths below.
    public let vertexDistance: HKQuantity?
    /// The prism, which shifts the image. Nil if there is none.
    public let prism: HKVisionPrism?
    /// The distance from the pupil to the middle of the nose when looking into the distance.
    public let farPupillaryDistance: HKQuantity?
    /// The distance from the pupil to the middle of the nose when looking at something near.
    public let nearPupillaryDistance: HKQuantity?

    /// Creates a lens. Traps if a quantity is in a unit of another kind.
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

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public required init?(coder: NSCoder) {
        vertexDistance = coder.decodeValue(of: HKQuantity.self, forKey: "vertexDistance")
        prism = coder.decodeValue(of: HKVisionPrism.self, forKey: "prism")
        farPupillaryDistance = coder.decodeValue(of: HKQuantity.self, forKey: "farPupillaryDistance")
        nearPupillaryDistance = coder.decodeValue(of: HKQuantity.self, forKey: "nearPupillaryDistance")
        guard (try? Self.check([vertexDistance, farPupillaryDistance, nearPupillaryDistance], .meter(), "")) != nil
        else { return nil }
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encodeIfPresent(vertexDistance, forKey: "vertexDistance")
        coder.encodeIfPresent(prism, forKey: "prism")
        coder.encodeIfPresent(farPupillaryDistance, forKey: "farPupillaryDistance")
        coder.encodeIfPresent(nearPupillaryDistance, forKey: "nearPupillaryDistance")
    }
}
