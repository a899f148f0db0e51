import Analytics
import Foundation
import MadeSamples
import Testing

@testable import HealthStore

/// Stored bytes may be damaged or forged: an archive decodes as an object or an error.
@Suite struct CheckedUnarchiverTests {
    private static func archives() throws -> [(object: HKSample, archive: Data)] {
        var one: [ObjectIdentifier: HKSample] = [:]
        let series: [HKSample] = try [
            EarlierSamples.beats().0, EarlierSamples.route().0, EarlierSamples.quantities().0, EarlierSamples.effort(),
        ]
        for object in try EarlierSamples.objects() + series { one[ObjectIdentifier(type(of: object))] = object }
        return try one.values.map { ($0, try ObjectArchive.encoded($0)) }
    }

    @Test func `every kind of object survives archiving`() throws {
        let archives = try Self.archives()
        #expect(archives.count > 12)
        for (object, archive) in archives {
            let back = try ObjectArchive.decoded(archive)
            #expect(type(of: back) == type(of: object))
            // Apple's decoder is the reference.
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKSample.self, from: archive)
            let theirs = try #require(read)
            let (mine, other) = (try ObjectArchive.encoded(back).count, try ObjectArchive.encoded(theirs).count)
            #expect(mine == other)
            #expect(back.uuid == object.uuid && back.startDate == object.startDate && back.endDate == object.endDate)
            #expect(back.sampleType == object.sampleType && back.device == object.device)
            #expect(back.sourceRevision == object.sourceRevision)
            #expect((back.metadata ?? [:]).count == (object.metadata ?? [:]).count)
        }
    }

    /// Each of these crashed the program sooner or later when `NSKeyedUnarchiver` read it.
    @Test func `corrupted or truncated bytes are an object or an error`() throws {
        var random = SeededGenerator(seed: 10)
        var errors = 0
        for (_, archive) in try Self.archives() {
            let bytes = [UInt8](archive)
            for _ in 0..<400 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<changed.count, using: &random)
                    if Bool.random(using: &random) {
                        changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    } else {
                        changed[place] = UInt8.random(in: 0...255, using: &random)
                    }
                }
                if Int.random(in: 0..<8, using: &random) == 0 {
                    changed.removeLast(Int.random(in: 1..<changed.count, using: &random))
                }
                if (try? ObjectArchive.decoded(Data(changed))) == nil { errors += 1 }
            }
        }
        #expect(errors > 100)
    }

    @Test func `each byte of an archive may be corrupted`() throws {
        let archive = [UInt8](try ObjectArchive.encoded(Made.heartRate(60, at: 0, metadata: ["note": "early"])))
        for place in archive.indices {
            for value: UInt8 in [0, 1, 0x0F, 0x13, 0x80, 0xAF, 0xD1, 0xFF] {
                var changed = archive
                changed[place] = value
                _ = try? ObjectArchive.decoded(Data(changed))
            }
        }
    }

    @Test func `an object that contains itself is damage`() throws {
        // The offset of an element replaces that of the outer dictionary, so that reading never ends.
        let archive = [UInt8](
            try NSKeyedArchiver.archivedData(withRootObject: NSArray(array: ["a"]), requiringSecureCoding: true))
        let loop = archive.indices.dropLast(33).filter { archive[$0] == 0x80 }.map { place -> Data in
            var changed = archive
            changed[place + 1] = 1
            return Data(changed)
        }
        #expect(!loop.isEmpty)
        for data in loop { #expect((try? ObjectArchive.decoded(data)) == nil) }
    }

    @Test func `a class that no sample uses is damage`() throws {
        let summary = try NSKeyedArchiver.archivedData(
            withRootObject: HKActivitySummary(), requiringSecureCoding: true)
        for data in [summary, Data("bplist00".utf8), Data()] {
            #expect((try? ObjectArchive.decoded(data)) == nil)
        }
    }
}
