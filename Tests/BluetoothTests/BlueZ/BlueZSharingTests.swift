import DBus
import FakeBluetoothd
import Foundation
import GATT
import PrivateBus
import Testing

@testable import Bluetooth

/// Other programs subscribe to the same strap: bluetoothd then sends each notification to every subscriber, once for
/// each of them.
@Suite(.needsBus, .timeLimit(.minutes(10)))
@BusActor
struct BlueZSharingTests {
    /// Looks for copies and waits for a measurement, however long a busy machine takes.
    private func makeScene() async throws -> BlueZScene {
        try await BlueZScene {
            $0.duplicate = .seconds(240)
            $0.probe = .seconds(240)
        }
    }

    /// Another program that has subscribed.
    private func subscribe(_ scene: BlueZScene, to strap: String) async throws -> DBusConnection {
        let other = try await DBusConnection.open(scene.fake.bus.address, atMost: FakeBlueZ.limit)
        try await other.call(
            .call(BlueZ.service, FakeBlueZ.measurement(strap), BlueZ.characteristic, "StartNotify"),
            atMost: FakeBlueZ.limit)
        return other
    }

    /// Notifies, and waits until this side has asked where the copies end, if it asks, and has the answer.
    ///
    /// A question of a running measurement counts, too: its answer comes after the values, whose own question has
    /// been sent by then.
    private func notify(
        _ scene: BlueZScene, _ link: any PeripheralLink, _ strap: String, _ beats: [UInt8], asks: Int = 1
    ) async throws {
        let fake = scene.fake
        let before = fake.count("Get ")
        for beat in beats { fake.notify(strap, [0, beat]) }
        try await fake.wait("the question") { fake.count("Get ") >= before + asks }
        let connection = try #require(link as? BlueZLink).mirror.connection
        while connection.callsInFlight > 0 { await Task.yield() }
    }

    @Test func `if another program subscribed first, each notification counts once`() async throws {
        let scene = try await makeScene()
        let strap = scene.fake.addStrap(BlueZScene.strap)
        scene.fake.link(strap)
        scene.fake.resolve(strap)
        let other = try await subscribe(scene, to: strap)
        let (link, events) = try await scene.stream()
        for beat in [60, 61, 61, 62, 62, 62] as [UInt8] { try await notify(scene, link, strap, [beat]) }
        await link.disconnect()
        #expect(await events.rest().values == [60, 61, 61, 62, 62, 62].map { [0, $0] })
        other.close()
        await scene.end()
    }

    @Test func `another program that subscribes later and leaves changes nothing`() async throws {
        let scene = try await makeScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        try await notify(scene, link, strap, [60], asks: 0)
        let other = try await subscribe(scene, to: strap)
        try await notify(scene, link, strap, [61])
        try await fake.wait("a second subscription to see by") { fake.subscriptions.count == 3 }
        for beat in [62, 62, 63, 63] as [UInt8] { try await notify(scene, link, strap, [beat]) }
        try await fake.wait("its end") { fake.subscriptions.count == 2 }
        for beat in [64, 64] as [UInt8] { try await notify(scene, link, strap, [beat]) }
        other.close()
        try await fake.wait("the other's end") { fake.subscriptions.count == 1 }
        for beat in [64, 65, 65] as [UInt8] { try await notify(scene, link, strap, [beat]) }
        await link.disconnect()
        #expect(await events.rest().values == [60, 61, 62, 62, 63, 63, 64, 64, 64, 65, 65].map { [0, $0] })
        await scene.end()
    }

    @Test func `equal values sent at once by a strap of ours alone all count`() async throws {
        let scene = try await makeScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let (link, events) = try await scene.stream()
        try await notify(scene, link, strap, Array(repeating: 60, count: 30))
        for _ in 0..<8 { try await notify(scene, link, strap, [61, 61]) }
        await link.disconnect()
        let values = await events.rest().values
        #expect(values.count { $0 == [0, 60] } == 30)
        #expect(values.count { $0 == [0, 61] } == 16)
        await scene.end()
    }

    @Test func `two links of ours to one strap deliver each notification once each`() async throws {
        let scene = try await makeScene()
        let fake = scene.fake
        let strap = fake.addStrap(BlueZScene.strap)
        let second = BlueZCentral(busAddress: fake.bus.address, timings: BlueZScene.timings, traces: nil)
        let (link, events) = try await scene.stream()
        try await notify(scene, link, strap, [60], asks: 0)
        let other = try await second.peripheral(scene.address, kind: .random).connect()
        try await other.subscribe(to: try #require(other.characteristic(.heartRateMeasurement)))
        let others = LinkEvents(other.events)
        // Different values, because the fake's script cannot tell two callers apart.
        for beat in 61...70 as ClosedRange<UInt8> { try await notify(scene, link, strap, [beat], asks: 2) }
        await other.disconnect()
        await link.disconnect()
        let (ours, theirs) = (await events.rest().values, await others.rest().values)
        withKnownIssue("on a busy machine the fake's answers to the two links overlap", isIntermittent: true) {
            #expect(ours == (60...70).map { [0, $0] })
            #expect(theirs == (61...70).map { [0, $0] })
        }
        await second.close()
        await scene.end()
    }
}
