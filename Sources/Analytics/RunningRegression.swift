/// The least-squares line through points that arrive one by one and are not kept. Each point takes constant time, and
/// the result is numerically stable.
///
/// Source: the update of Welford, Technometrics 4:419–420, 1962, applied to the sum of products.
public struct RunningRegression: Sendable, Equatable {
    public private(set) var count = 0
    public private(set) var meanX = 0.0
    public private(set) var meanY = 0.0
    /// The minimum and maximum of x. Nil if there are no points.
    public private(set) var rangeOfX: ClosedRange<Double>?
    private var squaresX = 0.0
    private var squaresY = 0.0
    private var products = 0.0

    public init() {}

    public mutating func add(x: Double, y: Double) {
        count += 1
        let (fromX, fromY) = (x - meanX, y - meanY)
        meanX += fromX / Double(count)
        meanY += fromY / Double(count)
        squaresX += fromX * (x - meanX)
        squaresY += fromY * (y - meanY)
        products += fromX * (y - meanY)
        rangeOfX = rangeOfX.map { min($0.lowerBound, x)...max($0.upperBound, x) } ?? x...x
    }

    /// The slope of y over x. Nil if all x are equal.
    public var slope: Double? { squaresX > 0 ? products / squaresX : nil }

    /// The correlation, −1 … 1. Nil if all x, or all y, are equal.
    public var correlation: Double? {
        squaresX > 0 && squaresY > 0 ? products / (squaresX * squaresY).squareRoot() : nil
    }

    /// Returns the x at which the line has this y. Nil if the line has it nowhere or everywhere.
    public func x(atY y: Double) -> Double? {
        guard let slope, slope != 0 else { return nil }
        return meanX + (y - meanY) / slope
    }
}
