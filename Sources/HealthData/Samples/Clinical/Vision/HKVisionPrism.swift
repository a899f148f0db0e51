public import Foundation

/// The eye that a lens is for.
public enum HKVisionEye: Int, Sendable {
    /// The wearer's left eye.
    case left = 1
    /// The wearer's right eye.
    case right = 2
}

/// The direction of the thick edge of a prism: up, down, towards the nose (in) or away from it (out).
public enum HKPrismBase: Int, Sendable {
    /// No shift in this direction.
    case none = 0
    /// Vertical: at 90°.
    case up = 1
    /// Vertical: at 270°.
    case down = 2
    /// Horizontal, towards the nose: at 0° for the right eye, at 180° for the left one.
    case `in` = 3
    /// Horizontal, away from the nose: at 180° for the right eye, at 0° for the left one.
    case out = 4
}

/// The shift of the image by a lens: as amount and angle, or as a vertical and a horizontal part.
///
/// The two forms follow the 360° notation of opticians: angles run counter-clockwise as the examiner sees the wearer,
/// from 0° on the examiner's right. Up is 90°. 0° is in for the right eye and out for the left one.
public final class HKVisionPrism: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The amount in prism dioptres.
    public let amount: HKQuantity
    /// The angle, counter-clockwise from the examiner's right.
    public let angle: HKQuantity
    /// The vertical part in prism dioptres, never negative.
    public let verticalAmount: HKQuantity
    /// The vertical direction: up, down or none.
    public let verticalBase: HKPrismBase
    /// The horizontal part in prism dioptres, never negative.
    public let horizontalAmount: HKQuantity
    /// The horizontal direction: in, out or none.
    public let horizontalBase: HKPrismBase
    /// The eye, which determines the directions of in and out.
    public let eye: HKVisionEye

    /// Creates a prism. Traps if a quantity is in a unit of another kind.
    public init(amount: HKQuantity, angle: HKQuantity, eye: HKVisionEye) {
        raising(try HKLensSpecification.check([amount], .prismDiopter(), "the amount of a prism"))
        raising(try HKLensSpecification.check([angle], .radianAngle(), "the angle of a prism"))
        let (size, radians) = (amount.doubleValue(for: .prismDiopter()), angle.doubleValue(for: .radianAngle()))
        let up = Self.withoutRounding(size * sin(radians), of: size)
        let right = Self.withoutRounding(size * cos(radians), of: size)
        self.amount = amount
        self.angle = angle
        self.eye = eye
        verticalAmount = Self.prismDiopters(abs(up))
        verticalBase = up == 0 ? .none : up > 0 ? .up : .down
        horizontalAmount = Self.prismDiopters(abs(right))
        horizontalBase = right == 0 ? .none : (right > 0) == (eye == .right) ? .in : .out
    }

    /// Creates a prism. Traps if an amount is not in prism dioptres, and if a base does not match its direction.
    public init(
        verticalAmount: HKQuantity, verticalBase: HKPrismBase, horizontalAmount: HKQuantity,
        horizontalBase: HKPrismBase, eye: HKVisionEye
    ) {
        raising(
            try HKLensSpecification.check([verticalAmount, horizontalAmount], .prismDiopter(), "the amount of a prism"))
        precondition(
            [.none, .up, .down].contains(verticalBase) && [.none, .in, .out].contains(horizontalBase),
            "the vertical base of a prism is up, down or none, the horizontal one in, out or none")
        let vertical = verticalBase == .none ? 0 : verticalAmount.doubleValue(for: .prismDiopter())
        let horizontal = horizontalBase == .none ? 0 : horizontalAmount.doubleValue(for: .prismDiopter())
        let up = verticalBase == .down ? -vertical : vertical
        let right = (horizontalBase == .in) == (eye == .right) ? horizontal : -horizontal
        let radians = atan2(up, right)
        amount = Self.prismDiopters(hypot(up, right))
        angle = HKQuantity(unit: .radianAngle(), doubleValue: radians < 0 ? radians + 2 * .pi : radians)
        self.verticalAmount = verticalAmount
        self.verticalBase = verticalBase
        self.horizontalAmount = horizontalAmount
        self.horizontalBase = horizontalBase
        self.eye = eye
    }

    private static func prismDiopters(_ value: Double) -> HKQuantity {
        HKQuantity(unit: .prismDiopter(), doubleValue: value)
    }

    /// Rounds tiny values to 0, since the sine of 180° in radians is not exactly 0.
    private static func withoutRounding(_ part: Double, of size: Double) -> Double {
        abs(part) < abs(size) * 1e-12 ? 0 : part
    }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Returns nil if the archive contains no such object, or one with invalid values.
    public convenience init?(coder: NSCoder) {
        guard let vertical = coder.decodeNumber(forKey: "vertical"),
            let horizontal = coder.decodeNumber(forKey: "horizontal"),
            let verticalBase = coder.decodeCount(forKey: "verticalBase").flatMap(HKPrismBase.init),
            let horizontalBase = coder.decodeCount(forKey: "horizontalBase").flatMap(HKPrismBase.init),
            [.none, .up, .down].contains(verticalBase), [.none, .in, .out].contains(horizontalBase),
            let eye = coder.decodeCount(forKey: "eye").flatMap(HKVisionEye.init)
        else { return nil }
        self.init(
            verticalAmount: Self.prismDiopters(vertical), verticalBase: verticalBase,
            horizontalAmount: Self.prismDiopters(horizontal), horizontalBase: horizontalBase, eye: eye)
    }

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
    public func encode(with coder: NSCoder) {
        coder.encode(number: verticalAmount.doubleValue(for: .prismDiopter()), forKey: "vertical")
        coder.encode(number: horizontalAmount.doubleValue(for: .prismDiopter()), forKey: "horizontal")
        coder.encode(count: verticalBase.rawValue, forKey: "verticalBase")
        coder.encode(count: horizontalBase.rawValue, forKey: "horizontalBase")
        coder.encode(count: eye.rawValue, forKey: "eye")
    }
}
