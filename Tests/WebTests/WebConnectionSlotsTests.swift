import Mirroring
import NIOCore
import Testing

@testable import Web

@Suite struct WebConnectionSlotsTests {
    private final class Guest {}

    private func origin(_ address: String) throws -> ConnectionOrigin {
        ConnectionOrigin(try SocketAddress(ipAddress: address, port: 1))
    }

    /// The connection that is closed for a new one. Fails if the new one is refused.
    private func out(
        _ places: inout WebConnectionSlots<Guest>, _ guest: Guest, _ origin: ConnectionOrigin
    ) throws -> Guest? {
        guard case .enters(let out) = places.enter(guest, from: origin) else { throw Refused() }
        return out
    }

    private struct Refused: Error {}

    @Test func `a client that floods the server displaces its own connections, the oldest first`() throws {
        var places = WebConnectionSlots<Guest>(20)
        let (flood, other) = try (origin("192.0.2.1"), origin("192.0.2.2"))
        let honest = Guest()
        #expect(try out(&places, honest, other) == nil)
        let guests = (0..<50).map { _ in Guest() }
        var gone: [Guest] = []
        for guest in guests { if let one = try out(&places, guest, flood) { gone.append(one) } }
        #expect(gone.count == 41)
        #expect(zip(gone, guests).allSatisfy { $0 === $1 })
        #expect(places.count == 10)
    }

    @Test func `a client that showed the key keeps its place`() throws {
        var places = WebConnectionSlots<Guest>(20)
        let here = try origin("192.0.2.1")
        let known = Guest()
        #expect(try out(&places, known, here) == nil)
        #expect(places.markActive(known, from: here, hasKey: true) == nil)
        #expect(places.markIdle(known, from: here) == nil)
        for _ in 0..<100 {
            let guest = Guest()
            #expect(try out(&places, guest, here) !== known)
            #expect(places.markActive(guest, from: here, hasKey: false) !== known)
        }
        while let one = places.evict() { #expect(one !== known) }
        #expect(places.count == 1)
    }

    @Test func `answered clients without the key have a quarter of the places, so a new client can show it`() throws {
        var places = WebConnectionSlots<Guest>(20)
        let here = try origin("192.0.2.1")
        let watchers = (0..<12).map { _ in Guest() }
        var gone: [Guest] = []
        for watcher in watchers {
            #expect(try out(&places, watcher, here) == nil)
            if let one = places.markActive(watcher, from: here, hasKey: false) { gone.append(one) }
        }
        #expect(places.count == 5)
        #expect(zip(gone, watchers).allSatisfy { $0 === $1 })
        // Nine more come after it before any has to be closed.
        let newcomer = Guest()
        #expect(try out(&places, newcomer, here) == nil)
        for _ in 0..<9 { #expect(try out(&places, Guest(), here) == nil) }
        #expect(places.markActive(newcomer, from: here, hasKey: true) == nil)
    }

    @Test func `only clients with the key can fill every place`() throws {
        var places = WebConnectionSlots<Guest>(4)
        let here = try origin("192.0.2.1")
        let guests = (0..<4).map { _ in Guest() }
        for guest in guests {
            _ = try out(&places, guest, here)
            _ = places.markActive(guest, from: here, hasKey: true)
        }
        #expect(throws: Refused.self) { try out(&places, Guest(), here) }
        places.remove(guests[0])
        #expect(try out(&places, Guest(), here) == nil)
    }

    @Test func `a closed connection is no longer counted`() throws {
        var places = WebConnectionSlots<Guest>(8)
        let here = try origin("192.0.2.1")
        for hasKey in [nil, false, true] {
            let guest = Guest()
            _ = try out(&places, guest, here)
            if let hasKey { _ = places.markActive(guest, from: here, hasKey: hasKey) }
            places.remove(guest)
            places.remove(guest)
            #expect(places.count == 0)
        }
    }
}
