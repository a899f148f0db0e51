import Foundation

/// The distance in metres between two nearby points in WGS 84. It uses the lengths of a degree at the middle latitude,
/// as in 47 CFR 73.208(c), which accepts them up to 475 km.
package enum EarthDistance {
    /// A point in degrees.
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
