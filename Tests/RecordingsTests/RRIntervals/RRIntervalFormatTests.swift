import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct RRIntervalFormatTests {
    @Test(
        arguments: [
            ("800\n810\n790\n", "rr"), ("0.8\n0.81\n0.79\n", "rr"), ("0,8\r\n0,81\r\n0,79\r\n", "rr"),
            ("# made by something\nRR\n800\n810\n790\n", "rr"),
            ("0.8\t0.8\n1.61\t0.81\n2.4\t0.79\n", "rr"), ("0.8 800\n1.61 810\n2.4 790\n", "rr"),
            ("1427894023.000000, IBI\n0.8,0.8\n1.61,0.81\n2.4,0.79\n", "rr"),
            (
                "Phone timestamp;RR-interval [ms]\n2026-03-01T10:00:00.800;800\n2026-03-01T10:00:01.610;810\n2026-03-01T10:00:02.400;790\n",
                "csv"
            ),
            (
                "date,timestamp,rr,since_start\n2026-03-01 10:00:00 +0000,1772359200.8,800,0\n2026-03-01 10:00:01 +0000,1772359201.61,810,810\n2026-03-01 10:00:02 +0000,1772359202.4,790,1600\n",
                "csv"
            ),
            ("RR intervals (s)\n0.8\n0.81\n0.79\n", "rr"), ("ibi;time\n0,8;0,8\n0,81;1,61\n0,79;2,4\n", "csv"),
        ])
    func `intervals are read from every kind of list`(text: String, format: String) throws {
        let recording = try TableTexts.read(text)
        #expect(recording.file.format == format)
        #expect(recording.file.rrIntervalsInMilliseconds.map { ($0 * 1000).rounded() / 1000 } == [800, 810, 790])
        #expect(recording.complaints == [])
        #expect(recording.isInOrder)
    }

    @Test func `a list lasts as long as its beats`() throws {
        let recording = try TableTexts.read(
            "800\n810\nnoise\n790\n", TableOptions(start: TableTexts.date("2026-03-01T10:00:00Z")))
        let start = try #require(recording.start)
        #expect(start == TableTexts.date("2026-03-01T10:00:00Z"))
        #expect(recording.beats.map { ($0.date.timeIntervalSince(start) * 1000).rounded() } == [800, 1610, 2400])
        #expect(recording.complaints == ["line 3, column 1: 'noise' is not an RR interval"])
    }

    @Test(arguments: [
        "1\n2\n3\n", "72\n73\n74\n", "2026\nand more\n", "0.1\n0.2\n", "1,2\n3,4\n", "19.5,900\n20.5,900\n21,17\n",
    ])
    func `other numbers are not intervals`(text: String) {
        #expect(!RRIntervalFormat().recognizes(FileStart(Array(text.utf8))))
    }

    @Test func `rows of a Polar monitor have the interval and columns of its mode`() throws {
        let recording = try TableTexts.read(
            """
            [Params]\r
            Version=106\r
            Monitor=12\r
            SMode=111100000\r
            Date=20260301\r
            StartTime=10:00:00.0\r
            Interval=5\r
            \r
            [IntTimes]\r
            00:00:05.0\t120\t0\t0\t0\r
            0\t0\t0\t0\t0\t0\r
            00:00:10.0\t120\t0\t0\t0\r
            \r
            [HRData]\r
            120\t360\t90\t100\t200\r
            121\t180\t91\t101\t210\r
            0\t0\t0\t102\t0\r
            \r
            [Trip]\r
            1\r
            """, TableOptions(zone: .gmt, activity: "cycling"))
        #expect(recording.file.format == "hrm")
        #expect(recording.values("heartRate") == [120, 121])
        #expect(recording.seconds("heartRate") == [0, 5])
        #expect(recording.values("cyclingSpeed").map { ($0 * 100).rounded() / 100 } == [10, 5, 0])
        #expect(recording.values("cyclingPower") == [200, 210, 0])
        #expect(recording.file.laps == 2 && recording.events(.lap).count == 2)
        #expect(recording.complaints == [])
        let cut = #expect(throws: RecordingError.self) { try TableTexts.read("[Params]\nInterval=5\n") }
        #expect(cut?.description.contains("[HRData]") == true)
    }
}
