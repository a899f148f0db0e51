import Testing

@testable import Recordings
@testable import SessionLog

struct ActivityIndexTests {
    private static let text = #"""
        Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time,Distance,Activity Gear,Filename,Distance
        1,"Jan 1, 2024, 10:00:00 AM","Morning, easy",Ride,"two
        lines, ""quoted""",3600,20.1,Red bike,activities/1.gpx.gz,20100.0
        2,"Jan 2, 2024, 10:00:00 AM",Pool,Swim,,1800,1000,,activities/2.fit.gz,1000
        3,"Jan 3, 2024, 10:00:00 AM",,Workout,,1800,,,activities/3.tcx.gz,
        4,"Jan 4, 2024, 10:00:00 AM",By hand,Run,,1800,,,,
        """#

    @Test func `the list of a Strava takeout gives each file's activity`() {
        for text in [Self.text, "\u{FEFF}" + Self.text.replacing("\n", with: "\r\n")] {
            let index = ActivityIndex(Array(text.utf8))
            var ride = WorkoutLabels()
            (ride.title, ride.notes, ride.gear) = ("Morning, easy", "two\nlines, \"quoted\"", "Red bike")
            var pool = WorkoutLabels()
            pool.title = "Pool"
            #expect(
                index?.activities == [
                    "activities/1.gpx.gz": .init(activity: "cycling", labels: ride),
                    "activities/2.fit.gz": .init(activity: "swimming", labels: pool),
                    "activities/3.tcx.gz": .init(activity: nil),
                ])
        }
    }

    @Test func `another table is not a list`() {
        for text in ["", "time,hr\n1,2\n", "Activity ID,Activity Date\n1,2\n", "\"Activity Type"] {
            #expect(ActivityIndex(Array(text.utf8)) == nil)
        }
    }

    @Test func `the caller's activity is used if the file has none`() throws {
        let gpx = TrackText.gpx("<trk>" + TrackText.segment(0..<20) + "</trk>")
        let said = TrackText.gpx("<trk><type>running</type>" + TrackText.segment(0..<20) + "</trk>")
        let formats = RecordingFile.formats(TableOptions(activity: "cycling"))
        let recording = try TrackText.read(gpx, formats: formats)[0]
        #expect(recording.header?.activity.activity == "cycling")
        #expect(recording.values("distanceCycling").count > 10)
        #expect(try TrackText.read(said, formats: formats)[0].header?.activity.activity == "running")
        #expect(try TrackText.read(gpx)[0].header?.activity.activity == "other")
    }
}
