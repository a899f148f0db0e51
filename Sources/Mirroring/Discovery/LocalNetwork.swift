#if Mirroring
import DBus

/// The local network, in which machines announce themselves and find each other: multicast DNS and DNS-SD (RFC 6762,
/// RFC 6763), through Avahi where it runs. Nothing depends on it: a machine whose address is known is reached without.
public struct LocalNetwork: Sendable {
    /// The address of the bus on which Avahi is.
    let bus: @Sendable () -> String
    /// How long Avahi may take for one call. A service that does not answer is given up by Avahi itself, after 5 s.
    static let callLimit = Duration.seconds(6)

    /// Through the system's Avahi.
    public static let system = LocalNetwork { DBusAddress.system }

    /// Looks who is there, for about a second.
    ///
    /// - Parameters:
    ///   - limit: the longest look. It ends before, once Avahi has heard what there is to hear.
    ///   - isEnough: ends the look at once when a machine was found that is the right one.
    /// - Returns: each machine once, ordered by name; this one too if it announces itself.
    /// - Throws: ``MirrorError/noDiscovery(reason:)`` where no Avahi answers.
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

    /// Tells the network, until the task is cancelled. Where Avahi does not run, waits until it does; where there is no D-Bus
    /// at all, returns at once.
    ///
    /// - Parameter report: gets one line if Avahi refuses. On any thread.
    func announce(_ announcement: Announcement, report: @escaping @Sendable (String) -> Void = { _ in }) async {
        await AvahiAnnouncer(announcement, report: report).run(on: bus())
    }

    private static func sentence(_ error: DBusCallError) -> String {
        error.is("ServiceUnknown", "NameHasNoOwner", "Spawn.ServiceNotFound")
            ? "Avahi does not run here" : error.text
    }
}
#endif
