package import SessionLog

/// A request to start the counterpart of an app on another machine, for a workout. It is sent as the greeting of a channel, and
/// answered with one entry, the ``AppLaunchResponse``.
package struct AppLaunchRequest: Sendable, Equatable, Codable {
    package static let currentVersion = 1

    package var version = currentVersion
    /// The bundle identifier of the requesting app. This key also distinguishes a request from the greeting of a session.
    package var startAppFor: String
    package var activity: String
    package var location: String
    package var swimmingLocation: String
    package var lapLengthInMeters: Double?

    package init(for bundleIdentifier: String, _ activity: ActivityDescription) {
        startAppFor = bundleIdentifier
        self.activity = activity.activity
        location = activity.location.rawValue
        swimmingLocation = activity.swimmingLocation.rawValue
        lapLengthInMeters = activity.lapLengthInMeters
    }

    /// Returns nil if it is not a request of this version.
    package init?(_ bytes: [UInt8]) {
        guard let request = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
            request.version == Self.currentVersion
        else { return nil }
        self = request
    }

    package var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }

    /// Throws if this machine doesn't know the activity type.
    package var configuration: HKWorkoutConfiguration {
        get throws {
            try HKWorkoutConfiguration(
                ActivityDescription(
                    activity: activity, location: ActivityDescription.Location(rawValue: location) ?? .unknown,
                    swimmingLocation: ActivityDescription.SwimmingLocation(rawValue: swimmingLocation) ?? .unknown,
                    lapLengthInMeters: lapLengthInMeters.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }))
        }
    }
}

/// The outcome of a request.
struct AppLaunchResponse: Sendable, Equatable, Codable {
    /// Why no app was started. Nil if one was.
    var refusal: String?

    init(refusal: String? = nil) { self.refusal = refusal }

    init?(_ bytes: [UInt8]) {
        guard let answer = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = answer
    }

    var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}
