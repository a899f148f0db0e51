/// The least-squares line through points that arrive one by one, without keeping them: O(1) a point, numerically stable.
///
/// Source: the update of Welford, Technometrics 4:419–420, 1962, applied to the sum of products.
public struct RunningRegression: Sendable, Equatable {
    public private(set) var count = 0
    public private(set) var meanX = 0.0
    public private(set) var meanY = 0.0
    /// The least and the greatest x; nil without points.
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

    /// Of y over x. Nil while all x are the same.
    public var slope: Double? { squaresX > 0 ? products / squaresX : nil }

    /// −1 … 1. Nil while all x, or all y, are the same.
    public var correlation: Double? {
        squaresX > 0 && squaresY > 0 ? products / (squaresX * squaresY).squareRoot() : nil
    }

    /// Where the line has this y. Nil for a line that has it nowhere or everywhere.
    public func x(atY y: Double) -> Double? {
        guard let slope, slope != 0 else { return nil }
        return meanX + (y - meanY) / slope
    }
}
