import Analytics
import Foundation
import Testing

@testable import GATT
@testable import Recordings
@testable import SessionLog

struct CaptureReaderTests {
    typealias Outcome = (events: [CapturedEvent], warnings: [RecordingWarning])

    private func read(_ bytes: [UInt8], pieces: Int = .max) throws -> Outcome {
        var reader = CaptureReader()
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.read(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
        }
        return try reader.finish()
    }

    private func values(_ events: [CapturedEvent]) -> [[UInt8]] {
        events.compactMap { event in
            if case .value(let characteristic, let bytes) = event.content, characteristic.uuid == .heartRateMeasurement
            {
                bytes
            } else {
                nil
            }
        }
    }

    @Test(arguments: CaptureBuilder.Container.allCases)
    func `every container gives the same events`(_ container: CaptureBuilder.Container) throws {
        let (events, warnings) = try read(CaptureBuilder.workout(container).bytes)
        #expect(warnings == [])
        #expect(values(events).map { $0[1] } == [60, 61, 62, 63, 64, 70, 71])
        #expect(Set(events.map(\.address)) == [CaptureBuilder.strap])
        let ends = events.compactMap { event in
            if case .ended(let loss) = event.content { (loss, event.date) } else { nil }
        }
        #expect(ends.map(\.0) == [.timeout, .remote])
        #expect(ends.map { $0.1.timeIntervalSince(CaptureBuilder.start).rounded() } == [7, 23])
        guard case .connected(.random)? = events.first?.content else {
            Issue.record("the first event is \(String(describing: events.first))")
            return
        }
        let characteristic = GATTCharacteristic(
            uuid: .heartRateMeasurement, service: .heartRateService, handle: 16, notifies: true)
        let first = try #require(events.dropFirst().first)
        #expect(first.content == .value(characteristic, [0x10, 60, 0xE8, 0x03]))
        #expect(abs(first.date.timeIntervalSince(CaptureBuilder.start) - 2) < 1e-3)
    }

    @Test(arguments: CaptureBuilder.Container.allCases, [1, 7, 64])
    func `a capture may be split into pieces of any size`(
        _ container: CaptureBuilder.Container, _ pieces: Int
    ) throws {
        let bytes = CaptureBuilder.workout(container).bytes
        let whole = try read(bytes)
        let pieced = try read(bytes, pieces: pieces)
        #expect(pieced.events == whole.events)
        #expect(pieced.warnings == whole.warnings)
    }

    @Test(arguments: CaptureBuilder.Container.allCases)
    func `a truncated capture keeps the packets before`(_ container: CaptureBuilder.Container) throws {
        let bytes = CaptureBuilder.workout(container).bytes
        let whole = values(try read(bytes).events)
        var counts: [Int] = []
        for length in 0..<bytes.count {
            guard let cut = try? read(Array(bytes.prefix(length))) else { continue }
            let values = values(cut.events)
            #expect(values == Array(whole.prefix(values.count)))
            #expect(cut.warnings.count <= 1)
            counts.append(values.count)
        }
        #expect(counts == counts.sorted())
        #expect(counts.last == 7)
    }

    @Test(arguments: CaptureBuilder.Container.allCases, [1, 2, 3] as [UInt64])
    func `no damage traps the reader`(_ container: CaptureBuilder.Container, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bytes = CaptureBuilder.workout(container).bytes
        for _ in 0..<150 {
            var damaged = bytes
            for _ in 0...random.next() % 8 {
                damaged[Int(random.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            let all = try? RecordingFile.readAll(RecordingSource(path: "damaged", bytes: damaged))
            for recording in all ?? [] {
                for entry in recording.entries { #expect(entry.date.timeIntervalSince1970.isFinite) }
            }
        }
    }

    @Test func `another kind of capture is rejected by name`() throws {
        var ethernet = CaptureBuilder(.pcap).bytes
        ethernet[20] = 1
        #expect(throws: CaptureRefusal(reason: "it is a capture of link type 1, not of a Bluetooth controller")) {
            _ = try read(ethernet)
        }
        var other = CaptureBuilder(.uart).bytes
        other[14] = 0
        #expect(throws: CaptureRefusal(reason: "it is a capture of datalink 234, not of a Bluetooth controller")) {
            _ = try read(other)
        }
        #expect(throws: CaptureRefusal(reason: "the header is cut")) { _ = try read(Array("btsn".utf8)) }
    }

    @Test func `a capture that begins within a link is understood if its values are unambiguous`() throws {
        var capture = CaptureBuilder(.monitor)
        for beat in 0..<12 { capture.heartRate([0x10, 60, 0x00, 0x04], at: Double(beat)) }
        let (events, warnings) = try read(capture.bytes)
        #expect(values(events).count == 12)
        #expect(warnings.count == 1)
        #expect(warnings.first?.message.contains("are taken for heart rates") == true)
    }

    @Test func `ambiguous values are left out with a warning`() throws {
        var capture = CaptureBuilder(.monitor)
        capture.connect(at: 0)
        for beat in 0..<12 { capture.heartRate([0x00, 60], at: Double(beat)) }
        let (events, warnings) = try read(capture.bytes)
        #expect(values(events).isEmpty)
        #expect(
            warnings.map(\.message) == [
                "12 values of handle 16 of C0:DE:00:00:00:01 were left out: the capture does not show what they are"
            ])
    }

    @Test func `values before discovery count too`() throws {
        var capture = CaptureBuilder(.uart)
        capture.connect(at: 0)
        capture.heartRate([0x00, 59], at: 1)
        capture.discover(at: 2)
        capture.heartRate([0x00, 60], at: 3)
        #expect(values(try read(capture.bytes).events).map { $0[1] } == [59, 60])
    }

    @Test func `two simultaneous links, and both directions, stay separate`() throws {
        let other = DeviceAddress(value: 0xC0DE_0000_0002)
        var capture = CaptureBuilder(.monitor)
        capture.connect(at: 0)
        capture.connect(other, handle: 0x41, at: 0)
        capture.discover(at: 1)
        capture.discover(handle: 0x41, at: 1)
        // Values that the host sends as a server don't belong to a sensor.
        capture.attribute(.notification(16, [0, 99]), received: false, at: 1)
        capture.heartRate([0, 60], at: 2)
        capture.heartRate([0, 90], handle: 0x41, at: 2)
        let events = try read(capture.bytes).events
        #expect(values(events.filter { $0.address == CaptureBuilder.strap }) == [[0, 60]])
        #expect(values(events.filter { $0.address == other }) == [[0, 90]])
    }

    @Test func `names come from advertisements and from reading them`() throws {
        var capture = CaptureBuilder(.uart)
        let name: [UInt8] = [4, 9, 72, 49, 48]
        capture.event(
            0x3E, [0x02, 1, 0, 1] + CaptureBuilder.strap.littleEndianBytes + [UInt8(name.count)] + name + [0xC0],
            at: 0)
        capture.connect(at: 1)
        let events = try read(capture.bytes).events
        #expect(events.last?.content == .name("H10"))
    }

    @Test func `a controller reset ends all links`() throws {
        var capture = CaptureBuilder(.uart)
        capture.connect(at: 0)
        capture.packet(1, [0x03, 0x0C, 0], received: false, at: 1)
        #expect(try read(capture.bytes).events.map(\.content) == [.connected(.random), .ended(.unknown)])
    }
}
