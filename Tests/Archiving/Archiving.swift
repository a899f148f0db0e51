package import Foundation

/// Returns the object after a round trip through a keyed archive, which apps use to keep objects between launches.
package func archivedAndRead<Object: NSObject & NSSecureCoding>(
    _ object: Object, as type: Object.Type = Object.self
) throws -> Object? {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
}

/// Seconds after an arbitrary date. No double can hold them in milliseconds.
package func time(_ seconds: TimeInterval) -> Date {
    Date(timeIntervalSinceReferenceDate: 700_000_000.123_456 + seconds)
}
