package import Foundation

/// The object after a trip through a keyed archive, as apps keep objects between launches.
package func archivedAndRead<Object: NSObject & NSSecureCoding>(
    _ object: Object, as type: Object.Type = Object.self
) throws -> Object? {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
}

/// Seconds after an arbitrary instant that no double can hold in milliseconds.
package func time(_ seconds: TimeInterval) -> Date {
    Date(timeIntervalSinceReferenceDate: 700_000_000.123_456 + seconds)
}
