import Foundation
import SessionLog
import Testing

@testable import HealthData

struct SampleUUIDTests {
    @Test func `sixteen bytes make a UUID, and any other number does not`() {
        let id = UUID()
        #expect(UUID(data: id.data) == id)
        #expect(id.bytes.withUnsafeBytes { UUID(bytes: $0) } == id)
        // Inside a larger value, at any place.
        let larger = Data([7]) + id.data + Data([7])
        #expect(UUID(data: larger[1..<17]) == id)
        #expect(UUID(data: larger) == nil)
        #expect(UUID(data: id.data.dropLast()) == nil)
        #expect(UUID(data: Data()) == nil)
    }

    @Test(arguments: [0, 1, 255, 256, 65_535] as [UInt16])
    func `an ordinal is the last two bytes, and the base is the rest`(ordinal: UInt16) {
        let id = UUID().with(ordinal: ordinal)
        #expect(id.ordinal == ordinal)
        #expect(Array(id.bytes.suffix(2)) == [UInt8(ordinal >> 8), UInt8(ordinal & 0xFF)])
        #expect(id.base == id.with(ordinal: 0))
        #expect(id.sharesBase(with: id.base))
        #expect(id.base.with(ordinal: ordinal) == id)
    }

    @Test(arguments: 0..<14) func `UUIDs that differ in another byte have different bases`(place: Int) throws {
        let id = UUID()
        var bytes = id.bytes
        bytes[place] ^= 0x80
        let other = try #require(bytes.withUnsafeBytes { UUID(bytes: $0) })
        #expect(!id.sharesBase(with: other))
        #expect(id.base != other.base)
    }
}
