import FakeBluetoothd
import PrivateBus
import Testing

@testable import Bluetooth
@testable import GATT

@Suite(.needsBus, .timeLimit(.minutes(10)))
struct BlueZContractTests {
    @Test func `values arrive in order, each once`() async throws {
        try await PeripheralContract.deliversValuesInOrder(BlueZScript.self)
    }

    @Test func `a strap that disappears ends the link once`() async throws {
        try await PeripheralContract.endsOnceWhenTheStrapGoes(BlueZScript.self)
    }

    @Test func `disconnecting ends the link with this side as the reason`() async throws {
        try await PeripheralContract.endsLocallyWhenHungUp(BlueZScript.self)
    }

    @Test func `a slow reader learns what it missed, and receives the end`() async throws {
        try await PeripheralContract.tellsALateReaderWhatItMissed(BlueZScript.self)
    }

    @Test func `a strap that comes back gets a new link`() async throws {
        try await PeripheralContract.comesBackOnANewLink(BlueZScript.self)
    }

    @Test func `an unknown characteristic is an error`() async throws {
        try await PeripheralContract.refusesWhatIsNotThere(BlueZScript.self)
    }

    @Test func `a closed central stays closed`() async throws {
        try await PeripheralContract.isClosedForGood(BlueZScript.self)
    }
}

private struct BlueZScript: PeripheralScript {
    let scene: BlueZScene
    let path: String
    let address: DeviceAddress
    var central: any Central { scene.central }
    var scans: Bool { true }

    static func make() async throws -> BlueZScript {
        let scene = try await BlueZScene()
        return await BlueZScript(scene: scene, path: scene.fake.addStrap(BlueZScene.strap), address: scene.address)
    }

    func notify(_ bytes: [UInt8]) async { await scene.fake.notify(path, bytes) }
    func drop() async { await scene.fake.drop(path) }
    func comeBack() async { await scene.fake.advertise(path) }
    func end() async { await scene.end() }
}
