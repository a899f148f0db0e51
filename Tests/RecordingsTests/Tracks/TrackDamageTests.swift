import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct TrackDamageTests {
    private typealias Text = TrackText

    private static let tcx = Text.tcx(
        Text.activity(
            "Running",
            Text.lap(
                0, seconds: 9, meters: 20,
                Text.track(0...9) { Text.heartRate(100 + $0) + Text.distance(Double($0) * 2) })
                + Text.lap(10, seconds: 5, meters: 8, Text.track(10...14) { Text.heartRate(120 + $0) })))

    private static let gpx = Text.gpx(
        "<trk><type>run</type>"
            + Text.segment(0...9) { "<ele>1</ele><extensions><a:hr>\(100 + $0)</a:hr></extensions>" }
            + Text.segment(20...24) + "</trk>")

    @Test(arguments: [tcx, gpx])
    func `a file truncated at any byte gives what is before, and reports its end`(_ text: String) throws {
        let whole = try Text.read(text)[0].readings("heartRate").map(\.value)
        let bytes = Array(text.utf8)
        var most = 0
        for count in 0..<bytes.count {
            let source = RecordingSource(path: "file", bytes: Array(bytes[..<count]))
            guard let all = try? RecordingFile.readAll(source) else { continue }
            for recording in all {
                let rates = recording.readings("heartRate").map(\.value)
                #expect(rates == Array(whole.prefix(rates.count)))
                #expect(rates.count >= most)
                #expect(recording.isInOrder)
                #expect(recording.entries.failure == nil)
                most = rates.count
                if count < bytes.count - 30, !recording.entries.isEmpty {
                    #expect(recording.file.warnings.contains { $0.byte > 0 && $0.byte <= count })
                }
            }
        }
        #expect(most == whole.count)
    }

    @Test(arguments: [tcx, gpx])
    func `a wrong byte costs only the element around it`(_ text: String) throws {
        let whole = try Text.read(text)[0].file.records
        var bytes = Array(text.utf8)
        for index in stride(from: 0, to: bytes.count, by: 5) {
            let right = bytes[index]
            for wrong in [UInt8(ascii: "<"), UInt8(ascii: ">"), 0, 0xFF] {
                bytes[index] = wrong
                guard let all = try? RecordingFile.readAll(RecordingSource(path: "file", bytes: bytes)) else {
                    continue
                }
                for recording in all {
                    #expect(recording.isInOrder)
                    #expect(recording.entries.failure == nil)
                }
                #expect(all.reduce(0) { $0 + $1.file.records } >= min(whole - 6, 9) || index < 400)
            }
            bytes[index] = right
        }
    }

    @Test func `a point's end tag turned into its track's costs nothing else`() throws {
        let next = "<trkpt lat=\"47.0\" lon=\"8.0004\">"
        let segment = Text.segment(0...9).replacing("</trkpt>" + next, with: "</trk>t>" + next)
        #expect(segment.contains("</trk>t>"))
        let recordings = try Text.read(Text.gpx("<trk>" + segment + "</trk>"))
        #expect(recordings.map(\.file.records) == [10])
    }

    @Test func `a session that begins within an activity ends it`() throws {
        let text = Self.tcx.replacing("<Activity ", with: "<MultiSportSession><Activity ")
            .replacing("</Lap><Lap ", with: "</Lap><MultiSportSession><Lap ")
        #expect(text.split(separator: "<MultiSportSession>").count == 3)
        let recordings = try Text.read(text)
        #expect(recordings.map(\.file.records) == [10])
        for recording in recordings {
            #expect(recording.readings("heartRate").count == 10)
            #expect(recording.entries.failure == nil)
        }
    }

    @Test func `entities are not expanded, and nesting takes no memory`() throws {
        let bomb = """
            <?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <gpx><trk><type>&b;</type>\(Text.segment(0...3))</trk></gpx>
            """
        let read = try Text.read(bomb)[0]
        #expect(read.file.records == 4)
        #expect(read.header?.activity.activity == "other")
        let deep = String(repeating: "<extensions>", count: 200_000)
        let nested = try Text.read(Text.gpx("<trk>\(Text.segment(0...3) { $0 == 2 ? deep : "" })</trk>"))[0]
        #expect(nested.file.records == 4)
    }

    @Test func `unclosed elements end where the next one begins`() throws {
        let text = Self.tcx.replacing("</Trackpoint>", with: "").replacing("</Lap>", with: "").replacing(
            "</Track>", with: "")
        let run = try Text.read(text)[0]
        #expect(run.file.records == 15)
        #expect(run.file.laps == 2)
        #expect(run.readings("heartRate").count == 15)
    }
}
