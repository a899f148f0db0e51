#if Mirroring
import DBus

/// The local network, where machines announce themselves and find each other: multicast DNS and DNS-SD (RFC 6762, RFC 6763) through
/// Avahi. It is optional: machines with known addresses are reached without it.
public struct LocalNetwork: Sendable {
    /// The address of Avahi's bus.
    let bus: @Sendable () -> String
    /// The time limit for one call of Avahi. Avahi itself gives up on a service after 5 s.
    static let callLimit = Duration.seconds(6)

    /// Uses the system's Avahi.
    public static let system = LocalNetwork { DBusAddress.system }

    /// Searches for machines for about a second.
    ///
    /// - Parameters:
    ///   - limit: The time limit. The search ends earlier once Avahi has reported all services.
    ///   - isEnough: Returns whether a found machine ends the search at once.
    /// - Returns: Each machine once, sorted by name. Includes this one if it announces itself.
    /// - Throws: ``MirrorError/noDiscovery(reason:)`` if Avahi doesn't answer.
    public func machines(
        within limit: Duration = .seconds(5),
        until isEnough: @escaping @Sendable (NearbyMachine) -> Bool = { _ in false }
    ) async throws(MirrorError) -> [NearbyMachine] {
        do throws(DBusCallError) {
            return try await AvahiBrowse(isEnough: isEnough).machines(on: bus(), within: limit)
        } catch {
            throw .noDiscovery(reason: Self.sentence(error))
        }
    }

    /// Announces until the task is cancelled. Waits for Avahi if it is not running. Returns at once without D-Bus.
    ///
    /// - Parameter report: Called with one line if Avahi refuses, on any thread.
    func announce(_ announcement: Announcement, report: @escaping @Sendable (String) -> Void = { _ in }) async {
        await AvahiAnnouncer(announcement, report: report).run(on: bus())
    }

    private static func sentence(_ error: DBusCallError) -> String {
        error.is("ServiceUnknown", "NameHasNoOwner", "Spawn.ServiceNotFound")
            ? "Avahi is not running" : error.text
    }
}
#endif
