import Foundation

/// Metres between two points of WGS 84 that are near each other: lengths of a degree at the latitude in the middle, as in 47 CFR
/// 73.208(c), which holds them for good up to 475 km.
package enum EarthDistance {
    /// In degrees.
    package typealias Coordinates = (latitude: Double, longitude: Double)

    package static func meters(from a: Coordinates, to b: Coordinates) -> Double {
        let middle = (a.latitude + b.latitude) / 2 * .pi / 180
        let one = cos(middle)
        let two = 2 * one * one - 1
        let three = one * (2 * two - 1)
        let four = 2 * two * two - 1
        let five = 2 * one * four - three
        let north = (111.13209 - 0.56605 * two + 0.00120 * four) * 1000
        let east = (111.41513 * one - 0.09455 * three + 0.00012 * five) * 1000
        var longitude = b.longitude - a.longitude
        if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
        let (x, y) = (longitude * east, (b.latitude - a.latitude) * north)
        return (x * x + y * y).squareRoot()
    }
}
