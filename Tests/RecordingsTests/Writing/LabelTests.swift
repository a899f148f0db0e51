import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Titles, notes, tags, gear and effort in files.
struct LabelTests {
    private static let labels = {
        var labels = WorkoutLabels()
        labels.title = "Around <the> lake & back"
        labels.notes = "Windy, \"cold\".\nHome by 10/10.\n\tThird line ä 🚴"
        labels.tags = ["commute", "long ride"]
        labels.gear = "Red bike"
        labels.effort = 7.5
        return labels
    }()

    private static func ride(_ labels: WorkoutLabels = labels, parts: [String] = []) -> [SessionEntry] {
        var entries = SmallRide.entries(activity: parts.isEmpty ? "cycling" : "swimBikeRun")
        entries.insert(SessionEntry(SmallRide.start, .metadata(labels.metadata)), at: 5)
        let end = entries.removeLast()
        for (number, part) in parts.enumerated() {
            let date = SmallRide.start + 5.5 * Double(number)
            let record = ActivityRecord(id: UUID(), activity: ActivityDescription(activity: part))
            let place = entries.firstIndex { $0.date > date } ?? entries.endIndex
            entries.insert(SessionEntry(date, .activityBegan(record)), at: place)
        }
        if let effort = labels.effortReading(from: SmallRide.start, to: end.date, id: UUID()) {
            entries.append(SessionEntry(end.date, .quantity(effort)))
        }
        return entries + [end]
    }

    private func read(_ bytes: [UInt8]) throws -> WorkoutLabels {
        let recordings = try RecordingFile.readAll(RecordingSource(path: "file", bytes: bytes))
        #expect(recordings.count == 1)
        #expect(recordings[0].file.warnings == [] && recordings[0].file.leftOut == [])
        return recordings[0].labels
    }

    @Test(arguments: ["fit", "tcx", "gpx"], [[], ["cycling", "running"]])
    func `labels of a workout survive a file`(format: String, parts: [String]) throws {
        let file = try WrittenFile(Self.ride(parts: parts), as: format)
        var expected = Self.labels
        // XML reads a tab as a space.
        if format != "fit" { expected.notes = expected.notes?.replacing("\t", with: " ") }
        #expect(try read(file.bytes) == expected)
        #expect(!file.leftOut.contains { $0.contains("metadata") || $0.contains("ffort") })
    }

    @Test(arguments: ["fit", "tcx", "gpx"])
    func `a title that looks like a date is kept in our own files`(format: String) throws {
        var labels = WorkoutLabels()
        labels.title = "10/10"
        #expect(try read(WrittenFile(Self.ride(labels), as: format).bytes) == labels)
        #expect(try read(WrittenFile(Self.ride(WorkoutLabels()), as: format).bytes) == WorkoutLabels())
    }

    @Test func `a text too long for a FIT string is split over several fields`() throws {
        var labels = WorkoutLabels()
        labels.title = String(repeating: "Titel ü ", count: 60) + "."
        labels.notes = String(repeating: "🚴 up, down\n", count: 400) + "."
        let file = try WrittenFile(Self.ride(labels), as: "fit")
        #expect(try read(file.bytes) == labels)
        #expect(file.leftOut == [])
        labels.notes = String(repeating: "0123456789", count: 2_000)
        let cut = try WrittenFile(Self.ride(labels), as: "fit")
        #expect(cut.leftOut == ["the end of the notes"])
        let read = try read(cut.bytes)
        #expect(read.title == labels.title)
        #expect(try labels.notes?.hasPrefix(#require(read.notes)) == true)
    }

    @Test func `a GPX track's name in other programs' files is the title`() throws {
        let track = TrackText.segment(0..<20)
        func labels(_ head: String, _ own: String) throws -> WorkoutLabels {
            try TrackText.read(TrackText.gpx("\(head)<trk>\(own)\(track)</trk>"))[0].labels
        }
        #expect(try labels("", "<name><![CDATA[Lunch & <b>ride</b>]]></name>").title == "Lunch & <b>ride</b>")
        let named = try labels(
            "<wpt lat='1' lon='2'><name>Parking</name></wpt><metadata><name>Tour</name><author><name>Anna</name></author>"
                + "<keywords>hills, race</keywords></metadata>", "<desc>\n First\n second </desc>")
        #expect(named.title == "Tour" && named.notes == "First\n second" && named.tags == ["hills", "race"])
        #expect(try labels("<metadata><name>File</name></metadata>", "<name>Track</name>").title == "Track")
        for none in ["2012-10-24T23:22:51Z", "  ", "20240501_080000", "activity_1.gpx"] {
            #expect(try labels("", "<name>\(none)</name>") == WorkoutLabels())
        }
        #expect(
            try labels("<author><name>Anna</name></author>", "<link href='x'><text>Site</text></link>")
                == WorkoutLabels())
    }

    @Test func `notes of a TCX activity are notes, unlike those of its laps and the names in it`() throws {
        let lap =
            "<Lap StartTime=\"\(TrackText.time(0))\"><TotalTimeSeconds>20</TotalTimeSeconds>\(TrackText.track(0..<20))"
            + "<Notes>of the lap</Notes></Lap>"
        let labels = try TrackText.read(
            TrackText.tcx(
                TrackText.activity(
                    "Running",
                    lap + "<Notes>Felt good</Notes><Training><Plan><Name>5 x 1 km</Name></Plan></Training>"
                        + "<Creator><Name>Watch</Name></Creator>")))[0].labels
        #expect(labels.notes == "Felt good" && labels.title == "5 x 1 km" && labels.gear == nil)
    }

    @Test func `the plan of a FIT file is the title, and the watch's effort rating the effort`() throws {
        var file = FITBytes()
        func text(_ text: String) -> [Int64] { text.utf8.map(Int64.init) + [0] }
        file.define(0, 26, [.init(number: 8, type: 0x07, count: 7), .init(number: 17, type: 0x07, count: 5)])
        file.message(0, text("Tempo!") + text("Hard"))
        file.define(1, 20, [.init(number: 253, type: 0x86), .init(number: 3, type: 0x02)])
        for second in 0..<20 { file.message(1, [1_000_000_000 + Int64(second), 120]) }
        file.define(
            2, 18,
            [
                .init(number: 253, type: 0x86), .init(number: 2, type: 0x86), .init(number: 7, type: 0x86),
                .init(number: 193, type: 0x02),
            ])
        file.message(2, [1_000_000_019, 1_000_000_000, 19_000, 60])
        let labels = try FITFile.read(bytes: file.file())[0].labels
        #expect(labels.title == "Tempo!" && labels.notes == "Hard" && labels.effort == 6)
    }
}

extension Recording {
    /// The facts in its entries.
    var labels: WorkoutLabels {
        var metadata: [String: MetadataValue] = [:]
        var effort: Double?
        for entry in entries {
            if case .metadata(let values) = entry.content { metadata.merge(values) { _, later in later } }
            if case .quantity(let reading) = entry.content, reading.type == WorkoutLabels.effortType {
                effort = reading.value
            }
        }
        var labels = WorkoutLabels(of: metadata)
        labels.effort = effort
        return labels
    }
}
