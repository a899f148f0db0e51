import Foundation

/// Distances on the ellipsoid of WGS 84.
///
/// T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid with application of nested equations", Survey
/// Review 23 (1975), 88–93: to half a millimetre. Between places that are nearly antipodal the iteration does not converge;
/// there the distance on a sphere of the mean radius stands in, within half a percent.
enum Geodesic {
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257223563
    private static let meanRadius = 6_371_008.8
    private static let longestIteration = 100

    /// Metres; NaN for what is no place.
    static func distance(from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D) -> Double {
        guard CLLocationCoordinate2DIsValid(start), CLLocationCoordinate2DIsValid(end) else { return .nan }
        let radians = Double.pi / 180
        let reduced1 = atan((1 - flattening) * tan(start.latitude * radians))
        let reduced2 = atan((1 - flattening) * tan(end.latitude * radians))
        let longitude = remainder((end.longitude - start.longitude) * radians, 2 * .pi)
        return inverse(reduced1, reduced2, longitude)
            ?? onSphere(start.latitude * radians, end.latitude * radians, longitude)
    }

    /// Equations 13 to 19, named as there: U are the reduced latitudes, L and λ differences of longitude, σ is the angle on
    /// the sphere and α the azimuth at the equator. Nil where it does not converge.
    private static func inverse(_ reduced1: Double, _ reduced2: Double, _ longitude: Double) -> Double? {
        let (sinU1, cosU1) = (sin(reduced1), cos(reduced1))
        let (sinU2, cosU2) = (sin(reduced2), cos(reduced2))
        var lambda = longitude
        for _ in 0..<longestIteration {
            let sinSigma = hypot(cosU2 * sin(lambda), cosU1 * sinU2 - sinU1 * cosU2 * cos(lambda))
            guard sinSigma > 0 else { return lambda.magnitude < 1 ? 0 : nil }
            let cosSigma = sinU1 * sinU2 + cosU1 * cosU2 * cos(lambda)
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosU1 * cosU2 * sin(lambda) / sinSigma
            let cosSquaredAlpha = 1 - sinAlpha * sinAlpha
            // Along the equator there is no midpoint to speak of.
            let cosTwoSigmaM = cosSquaredAlpha > 1e-15 ? cosSigma - 2 * sinU1 * sinU2 / cosSquaredAlpha : 0
            let middle = -1 + 2 * cosTwoSigmaM * cosTwoSigmaM
            let c = flattening / 16 * cosSquaredAlpha * (4 + flattening * (4 - 3 * cosSquaredAlpha))
            let before = lambda
            lambda =
                longitude + (1 - c) * flattening * sinAlpha
                * (sigma + c * sinSigma * (cosTwoSigmaM + c * cosSigma * middle))
            guard lambda.magnitude <= .pi else { return nil }
            guard abs(lambda - before) < 1e-12 else { continue }
            let polarRadius = equatorialRadius * (1 - flattening)
            let u = cosSquaredAlpha * (equatorialRadius * equatorialRadius / (polarRadius * polarRadius) - 1)
            let a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
            let b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
            let last = b / 6 * cosTwoSigmaM * (-3 + 4 * sinSigma * sinSigma) * (-3 + 4 * cosTwoSigmaM * cosTwoSigmaM)
            let correction = b * sinSigma * (cosTwoSigmaM + b / 4 * (cosSigma * middle - last))
            return polarRadius * a * (sigma - correction)
        }
        return nil
    }

    /// The haversine formula.
    private static func onSphere(_ latitude1: Double, _ latitude2: Double, _ longitude: Double) -> Double {
        let square =
            pow(sin((latitude2 - latitude1) / 2), 2) + cos(latitude1) * cos(latitude2) * pow(sin(longitude / 2), 2)
        return 2 * meanRadius * asin(min(1, square.squareRoot()))
    }
}
