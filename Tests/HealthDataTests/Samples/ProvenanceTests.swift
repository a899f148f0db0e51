import Archiving
import Foundation
import HealthData
import Testing

struct ProvenanceTests {
    @Test(
        arguments: [
            ([:], nil, "tool", "local.tool"),
            ([:], "org.bundle", "tool", "org.bundle"),
            (["HEALTHKIT_BUNDLE_ID": "org.app"], "org.bundle", "tool", "org.app"),
            (["HEALTHKIT_BUNDLE_ID": "", "HEALTHKIT_APP_NAME": ""], nil, "tool", "local.tool"),
            (["HEALTHKIT_APP_NAME": "My App"], nil, "My App", "local.tool"),
        ] as [([String: String], String?, String, String)])
    func `the app's name is that of the environment, its bundle or its executable`(
        environment: [String: String], bundle: String?, name: String, identifier: String
    ) {
        let source = HKSource.app(environment: environment, bundleIdentifier: bundle, executableName: "tool")
        #expect(source.name == name)
        #expect(source.bundleIdentifier == identifier)
    }

    @Test func `sources are equal by bundle identifier`() throws {
        let source = HKSource(name: "A", bundleIdentifier: "x")
        #expect(source == HKSource(name: "B", bundleIdentifier: "x"))
        #expect(source != HKSource(name: "A", bundleIdentifier: "y"))
        #expect(HKSource.default() === HKSource.default())
        #expect(try archivedAndRead(source)?.name == "A")
    }

    @Test func `source revisions are equal if all properties are`() throws {
        let source = HKSource(name: "A", bundleIdentifier: "x")
        let system = OperatingSystemVersion(majorVersion: 6, minorVersion: 1, patchVersion: 2)
        let revision = HKSourceRevision(source: source, version: "1", productType: "p", operatingSystemVersion: system)
        let any = HKSourceRevision(source: source, version: "1")
        #expect(any != revision)
        #expect(any.productType == HKSourceRevisionAnyProductType)
        let read = try #require(try archivedAndRead(revision))
        #expect(read == revision)
        #expect(read.hash == revision.hash)
        #expect(read.operatingSystemVersion.minorVersion == 1)
        #expect(try archivedAndRead(HKSourceRevision(source: source, version: nil))?.version == nil)
    }

    @Test func `devices are equal if all properties are`() throws {
        func device(_ name: String?) -> HKDevice {
            HKDevice(
                name: name, manufacturer: "m", model: nil, hardwareVersion: nil, firmwareVersion: nil,
                softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: "u")
        }
        #expect(device("a") == device("a"))
        #expect(device("a") != device("b"))
        #expect(device("a") != device(nil))
        #expect(Set([device("a"), device("a")]).count == 1)
        #expect(try archivedAndRead(device("a")) == device("a"))
        #expect(HKDevice(device("a").properties) == device("a"))
    }

    @Test func `this machine's description does not identify it`() {
        let device = HKDevice.local()
        #expect(device.name == "Linux")
        #expect(device.hardwareVersion?.isEmpty == false)
        #expect(device.localIdentifier == nil)
        #expect(device.udiDeviceIdentifier == nil)
    }

    @Test(arguments: [
        ("NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\n", "Debian GNU/Linux", "12"),
        ("# c\n\nID=arch\nNAME='Arch Linux'", "Arch Linux", nil), ("", nil, nil), ("nonsense\n=\nNAME", nil, nil),
        ("VERSION_ID=39\nURL=\"https://x/?a=b\"\nNAME=Fedora", "Fedora", "39"),
    ])
    func `the distribution is read from os-release`(text: String, name: String?, version: String?) {
        #expect(OSRelease(text).name == name)
        #expect(OSRelease(text).version == version)
    }

    @Test func `a deleted object keeps its UUID and the sync keys of its metadata`() throws {
        let deleted = HKDeletedObject(
            uuid: UUID(),
            metadata: [HKMetadataKeySyncIdentifier: "s", HKMetadataKeySyncVersion: NSNumber(value: 3), "other": "x"])
        let read = try #require(try archivedAndRead(deleted))
        #expect(read == deleted)
        #expect(read.metadata?.count == 2)
        #expect(read.metadata?[HKMetadataKeySyncIdentifier] as? String == "s")
        #expect(read.metadata?[HKMetadataKeySyncVersion] as? Int == 3)
        #expect(HKDeletedObject(uuid: UUID(), metadata: ["other": "x"]).metadata == nil)
    }
}
