import Archiving
import Foundation
import HealthData
import SessionLog
import Testing

struct MetadataCodingTests {
    @Test func `numbers read as the requested type, as after bridging`() throws {
        let metadata = try #require(
            try MetadataCoding.normalized(["int": 5, "double": 2.5, "flag": true, "float": Float(0.5), "big": Int.max]))
        #expect(metadata["int"] as? Int == 5)
        #expect(metadata["int"] as? Double == 5)
        #expect(metadata["int"] as? NSNumber == 5)
        #expect(metadata["double"] as? Double == 2.5)
        #expect(metadata["flag"] as? Bool == true)
        #expect(metadata["float"] as? Double == 0.5)
        #expect(metadata["big"] as? Int == Int.max)
    }

    @Test func `values that an app may store survive a log`() throws {
        let quantity = HKQuantity(unit: HKUnit(from: "kcal/hr·kg"), doubleValue: 8.25)
        let date = time(0)
        let given: [String: Any] = [
            "text": "a", "nstext": NSString("b"), "int": 5, "double": 2.5, "yes": true, "no": NSNumber(value: false),
            "one": NSNumber(value: 1), "date": date, "quantity": quantity,
        ]
        let neutral = try MetadataCoding.neutral(given)
        #expect(
            neutral == [
                "text": .string("a"), "nstext": .string("b"), "int": .number(5), "double": .number(2.5),
                "yes": .bool(true),
                "no": .bool(false), "one": .number(1), "date": .date(date),
                "quantity": .quantity(8.25, unit: quantity.unit.unitString),
            ])
        let back = try #require(try MetadataCoding.metadata(neutral))
        #expect(back["quantity"] as? HKQuantity == quantity)
        #expect(back["date"] as? Date == date)
        #expect(back["int"] as? Int == 5)
        #expect("\(back["int"] ?? "")" == "5")
        #expect(back["yes"] as? Bool == true)
        #expect(try MetadataCoding.neutral(back) == neutral)
    }

    @Test func `enumeration cases are stored by raw value`() throws {
        let metadata = try #require(
            try MetadataCoding.normalized([HKMetadataKeyHeartRateSensorLocation: HKHeartRateSensorLocation.chest]))
        #expect(metadata[HKMetadataKeyHeartRateSensorLocation] as? Int == HKHeartRateSensorLocation.chest.rawValue)
    }

    @Test func `missing metadata is nil, not an empty dictionary`() throws {
        #expect(try MetadataCoding.normalized(nil) == nil)
        #expect(try MetadataCoding.normalized([:]) == nil)
        #expect(try MetadataCoding.metadata([:]) == nil)
        #expect(try MetadataCoding.neutral(nil).isEmpty)
    }

    @Test(arguments: [
        ("list", [1, 2] as any Sendable, "Array<Int>"), ("data", Data([1]), "Data"),
        ("url", URL(fileURLWithPath: "x"), "URL"), ("nested", ["a": "b"], "Dictionary<String, String>"),
        ("uuid", UUID(), "UUID"),
    ])
    func `any other value is rejected with its key and type`(key: String, value: any Sendable, type: String) {
        let error = SampleError.metadataValue(key: key, type: type)
        #expect(throws: error) { try MetadataCoding.normalized([key: value]) }
        #expect(throws: error) { try MetadataCoding.neutral([key: value]) }
        #expect(error.description.contains(key))
        #expect(error.description.contains(type))
    }

    @Test func `a number that a log cannot represent exactly is rejected`() throws {
        #expect(throws: SampleError.metadataNumber(key: "n", value: "9223372036854775807")) {
            try MetadataCoding.neutral(["n": Int.max])
        }
        #expect(throws: (any Error).self) { try MetadataCoding.neutral(["n": Double.nan]) }
        #expect(throws: (any Error).self) {
            try MetadataCoding.neutral(["n": HKQuantity(unit: .meter(), doubleValue: .infinity)])
        }
        #expect(try MetadataCoding.neutral(["n": 1 << 53]) == ["n": .number(9_007_199_254_740_992)])
    }

    @Test func `an invalid unit in a file is an error, not a trap`() {
        #expect(throws: SampleError.metadataUnit(key: "q", unit: "furlong")) {
            try MetadataCoding.metadata(["q": .quantity(1, unit: "furlong")])
        }
    }

    @Test func `an identity survives a log`() throws {
        let device = HKDevice(
            name: "n", manufacturer: nil, model: "m", hardwareVersion: nil, firmwareVersion: nil, softwareVersion: nil,
            localIdentifier: nil, udiDeviceIdentifier: "u")
        let identity = try ObjectIdentity(device: device, metadata: ["a": 1, "b": true])
        let back = try ObjectIdentity(identity.origin())
        #expect(back.uuid == identity.uuid)
        #expect(back.device == device)
        #expect(try MetadataCoding.neutral(back.metadata) == ["a": .number(1), "b": .bool(true)])
    }
}
