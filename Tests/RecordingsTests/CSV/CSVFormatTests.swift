import Foundation
import MadeEntries
import Testing

@testable import Recordings
@testable import SessionLog

struct CSVFormatTests {
    @Test(
        arguments: [
            "time,hr\n0,100\n1,101\n2,102\n", "time;hr\r\n0;100\r\n1;101\r\n2;102\r\n",
            "time\thr\n0\t100\n1\t101\n2\t102",
            "\u{FEFF}\"Time\",\"HR (bpm)\"\n\"0\",\"100\"\n\"1\",\"101\"\n\"2\",\"102\"\n",
            "time,hr\r0,100\r1,101\r2,102\r",
            "seconds;heart_rate;note\n0,0;100,0;x\n1,0;101,0;\"a;b\"\n2,0;102,0;\"say \"\"hi\"\"\"\n",
            "Elapsed Time,Heart Rate,\n0:00:00,100,\n0:00:01,101,\n0:00:02,102,\n,,\n",
            "hr,time\n100,2026-03-01T10:00:00Z\n101,2026-03-01T10:00:01Z\n\n102,2026-03-01T10:00:02Z\n",
            "Zeitstempel;Puls\n2026-03-01 11:00:00+01:00;100\n2026-03-01 11:00:01 +0100;101\n2026-03-01T10:00:02,000Z;102\n",
            "timestamp,bpm\n1772359200,100\n1772359201,101\n1772359202,102\n",
            "timestamp,heart-rate\n1772359200000,100\n1772359201000,101\n1772359202000,102\n",
            "Date,Time,Pulse\n01.03.2026,10:00:00,100\n01.03.2026,10:00:01,101\n01.03.2026,10:00:02,102\n",
            "date,hr\n2026/03/01 10:00:00 AM,100\n2026/03/01 10:00:01 AM,101\n2026/03/01 10:00:02 AM,102\n",
            "time,type,value,unit\n0,heart_rate,100,bpm\n1,heart_rate,101,bpm\n2,heart_rate,102,bpm\n",
            "time,type,value\n0,HKQuantityTypeIdentifierHeartRate,100\n1,HeartRate,101\n2,HR,102\n",
            "# made by hand\n# of nothing\ntime,hr\n0,1e2\n1,101.0\n2,+102\n",
            "Time (ms),HR\n0,100\n1000,101\n2000,102\n", "hr_bpm,elapsed_ms\n100,0\n101,1000\n102,2000\n",
        ])
    func `heart rates are read in every common spelling of a table`(text: String) throws {
        let recording = try TableTexts.read(text)
        #expect(recording.file.format == "csv")
        #expect(recording.values("heartRate") == [100, 101, 102])
        #expect(recording.seconds("heartRate") == [0, 1, 2])
        #expect(recording.complaints == [])
        #expect(recording.file.records == 3)
        #expect(recording.file.heartRate.mean == 101)
        #expect(recording.facts.seconds == 2)
        if text.contains("2026") || text.contains("17723592") || text.contains("01.03") {
            #expect(recording.start == TableTexts.date("2026-03-01T10:00:00Z"))
        }
    }

    @Test func `all quantities have their own units, whatever those of the table`() throws {
        let recording = try TableTexts.read(
            """
            time,lat,lon,altitude (ft),speed [km/h],distance_km,power (W),cadence (rpm),hr
            2026-03-01T10:00:00Z,52.5,13.25,100,36,0,200,90,120
            2026-03-01T10:00:01Z,52.6,13.35,200,18,0.01,210,91,121
            """, TableOptions(activity: "cycling"))
        #expect(recording.values("cyclingSpeed") == [10, 5])
        #expect(recording.values("distanceCycling").map { ($0 * 1000).rounded() / 1000 } == [10])
        #expect(recording.values("cyclingPower") == [200, 210])
        #expect(recording.values("cyclingCadence") == [90, 91])
        #expect(recording.positions.map(\.latitudeInDegrees) == [52.5, 52.6])
        #expect(recording.positions.map { (($0.altitudeInMeters ?? 0) * 100).rounded() } == [3048, 6096])
        #expect(recording.header?.activity == ActivityDescription(activity: "cycling", location: .outdoor))
        #expect(recording.isInOrder)
    }

    @Test(arguments: ["min/km", "s/km", "/km"])
    func `a clock time is a pace in any unit`(unit: String) throws {
        let recording = try TableTexts.read(
            "time,pace (\(unit)),hr\n0,5:00,120\n1,4:10,121\n", TableOptions(activity: "running"))
        #expect(recording.values("runningSpeed").map { ($0 * 1000).rounded() } == [3333, 4000])
    }

    @Test func `a pace is a speed`() throws {
        let text = "time,pace (min/km),hr\n0,5:00,120\n1,4:10,121\n2,,122\n"
        let recording = try TableTexts.read(text, TableOptions(activity: "running"))
        #expect(recording.values("runningSpeed").map { ($0 * 1000).rounded() / 1000 } == [3.333, 4])
    }

    @Test func `Polar's lines above the table give date and sport`() throws {
        let recording = try TableTexts.read(
            """
            Name,Sport,Date,Start time,Duration,Total distance (km),Average heart rate (bpm),Max speed (km/h),Calories,Notes,Height (cm)
            A B,RUNNING,01-03-2026,18:00:01,00:00:02,0.01,100,12,5,"first line
            second line",180
            Sample rate,Time,HR (bpm),Speed (km/h),Pace (min/km),Cadence,Altitude (m),Distances (m),Power (W)
            1,00:00:00,100,10.8,05:33,80,30,0,
            ,00:00:01,101,10.8,05:33,81,31,3,
            ,00:00:02,102,,,,32,6,
            """, TableOptions(zone: TableTexts.berlin))
        #expect(recording.header?.activity.activity == "running")
        #expect(recording.start == TableTexts.date("2026-03-01T17:00:01Z"))
        #expect(recording.values("heartRate") == [100, 101, 102])
        #expect(recording.values("runningSpeed").map { ($0 * 10).rounded() / 10 } == [3, 3])
        #expect(recording.values("distanceWalkingRunning") == [3, 3])
        #expect(recording.complaints == [])
    }

    @Test func `a clock that continues from its start is a time of day, and passes midnight`() throws {
        let recording = try TableTexts.read(
            "Date;2026-03-01\nStart time;23:59:59\n\nTime;HR;x\n23:59:59;100;\n0:00:00;101;\n00:00:01;102;\n")
        #expect(recording.start == TableTexts.date("2026-03-01T23:59:59Z"))
        #expect(recording.seconds("heartRate") == [0, 1, 2])
    }

    @Test func `measurements of one instant in a long table are combined`() throws {
        let recording = try TableTexts.read(
            """
            timestamp;name;reading;unit
            2026-03-01T10:00:00Z;latitude;52,5;
            2026-03-01T10:00:00Z;longitude;13,25;
            2026-03-01T10:00:00Z;Heart Rate;100;count/min
            2026-03-01T10:00:01Z;rr;0,6;s
            2026-03-01T10:00:01Z;rr;0,7;s
            2026-03-01T10:00:02Z;blood sugar;5;mmol/L
            2026-03-01T10:00:03Z;Heart Rate;103;count/min
            """)
        #expect(recording.positions.map(\.longitudeInDegrees) == [13.25])
        #expect(recording.values("heartRate") == [100, 103])
        #expect(recording.file.rrIntervalsInMilliseconds == [600, 700])
        #expect(recording.complaints.count == 1)
        #expect(recording.complaints.first?.contains("line 7, column 2: 'blood sugar' in 'mmol/L'") == true)
    }

    @Test func `an unreadable cell is reported with its line and column, and the rest is read`() throws {
        let recording = try TableTexts.read(
            "time,hr,power\n0,100,200\n1,abc,201\nx,102,202\n3,-,203\n4,NaN,204\n2,105,205\n6,2000,206\n7,0,207\n",
            TableOptions(activity: "cycling"))
        #expect(recording.values("heartRate") == [100, 105])
        #expect(recording.values("cyclingPower") == [200, 201, 203, 204, 205, 206, 207])
        #expect(recording.isInOrder)
        let said = recording.complaints
        #expect(said.count == 4)
        #expect(said[0] == "line 3, column 2 (hr): 'abc' is not a number")
        #expect(said[1].hasPrefix("line 4, column 1 (time): 'x' is not a time like those before"))
        #expect(said[2].hasPrefix("line 8, column 2 (hr): '2000'"))
        #expect(said[3].hasPrefix("1 rows step back in time, the first in line 7"))
        #expect(recording.file.warnings.first?.byte == 26)
    }

    @Test(
        arguments: [
            ("a,b\n1,2\n3,4\n", "line 1, column 1: none of its lines names a column of times"),
            ("when,hr\nlater,100\nsoon,101\n", "--columns time=1"),
            ("time,hr\nlater,100\nsoon,101\n", "line 2, column 1 ('time'): 'later' is not a time"),
            (
                "date,hr\n01/02/2026 10:00,100\n01/02/2026 10:01,101\n",
                "line 2, column 1 ('date'): '01/02/2026 10:00' may have its day or its month in front; "
                    + "choose with --columns date=1(dmy) or"
            ),
            ("Lap,Time,Distance,Avg HR,Max HR\n1,5:00,1,150,160\n2,5:00,1,151,161\n", "list of laps or workouts"),
            ("time,hr\nx\n", "not a time"), ("time,hr\n", "as it has none"),
        ])
    func `an unreadable table is rejected with its line and column`(text: String, words: String) {
        let error = #expect(throws: RecordingError.self) { try TableTexts.read(text) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("Date (mm/dd/yyyy),Time,hr", "", "2026-01-02T10:00:00Z"),
        ("Datum [TT/MM/JJJJ],Uhrzeit,hr", "", "2026-02-01T10:00:00Z"),
        ("Date,Time,hr", "date=1(mdy)", "2026-01-02T10:00:00Z"),
        ("Date,Time,hr", "date=1(d/m/y)", "2026-02-01T10:00:00Z"),
    ])
    func `the header or the user states the order of day and month`(
        header: String, column: String, start: String
    ) throws {
        let columns = column.isEmpty ? [] : [try TableColumn(parsing: column)]
        let recording = try TableTexts.read(
            "\(header)\n01/02/2026,10:00:00,100\n01/02/2026,10:00:01,101\n", TableOptions(columns: columns, zone: .gmt))
        #expect(recording.start == TableTexts.date(start))
        #expect(recording.values("heartRate") == [100, 101])
    }

    @Test func `times in ms count from the start unless they are dates`() throws {
        let elapsed = try TableTexts.read("timestamp_ms,hr\n0,100\n1500,101\n")
        #expect(elapsed.seconds("heartRate") == [0, 1.5])
        let dates = try TableTexts.read("timestamp_ms,hr\n1705305600000,100\n1705305601500,101\n")
        #expect(dates.start == TableTexts.date("2024-01-15T08:00:00Z") && dates.seconds("heartRate") == [0, 1.5])
    }

    @Test func `columns can be mapped by the user`() throws {
        func columns(_ list: String...) throws -> TableOptions {
            TableOptions(columns: try list.map { try TableColumn(parsing: $0) }, zone: .gmt, activity: "cycling")
        }
        let named = "when;a;b\n0;100;36\n1;101;18\n"
        let read = try TableTexts.read(named, columns("time=when", "heart-rate=A", "speed=3(km/h)"))
        #expect(read.values("heartRate") == [100, 101])
        #expect(read.values("cyclingSpeed") == [10, 5])
        let bare = try TableTexts.read("0,100\n1,101\n", columns("time=1", "hr=2"))
        #expect(bare.values("heartRate") == [100, 101])
        // A named column replaces the recognised one.
        let other = try TableTexts.read("time,hr,HR2\n0,100,90\n1,101,91\n", columns("heart-rate=HR2"))
        #expect(other.values("heartRate") == [90, 91])
        let error = #expect(throws: RecordingError.self) {
            try TableTexts.read("time,hr\n0,1\n", columns("time=time", "power=watts"))
        }
        #expect(error?.description.contains("watts") == true)
        for text in ["hr", "=2", "nothing=2", "hr=", "speed=2(kg)"] {
            #expect(throws: TableColumn.Fault.self) { try TableColumn(parsing: text) }
        }
    }

    @Test func `a table without a day ends at its modification date, unless a start is given`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("run.csv", Array("time,hr\n0,100\n60,101\n".utf8))
        let changed = TableTexts.date("2026-03-01T10:01:00Z")
        try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: file.path)
        let recording = try RecordingFile.read(file)
        #expect(recording.start == changed - 60)
        #expect(
            recording.file.warnings.contains {
                $0.message.contains("2026-03-01T10:01:00.000Z (change it with --start)")
            })
        let start = TableTexts.date("2025-01-01T00:00:00Z")
        let said = try TableTexts.read("time,hr\n0,100\n60,101\n", TableOptions(start: start))
        #expect(said.start == start)
        #expect(said.complaints == [] && said.file.warnings == [])
    }

    /// The columns are those of GoldenCheetah's own CSV export (src/FileIO/CsvRideFile.cpp).
    @Test func `GoldenCheetah's intervals are laps, and other intervals are not`() throws {
        let ride = try TableTexts.read(
            "secs,cad,hr,km,kph,nm,watts,alt,lon,lat,headwind,slope,temp,interval,lrbalance\n"
                + (0..<9).map { "\($0),90,12\($0),0,36,0,200,0,0,0,0,0,20,\($0 / 3),50\n" }.joined())
        #expect(ride.events(.lap).map { $0.end.timeIntervalSince($0.start) } == [3, 3, 2])
        let beats = try TableTexts.read("time,hr,interval\n0,60,1000\n1,60,1010\n2,60,990\n")
        #expect(beats.events(.lap).isEmpty)
    }

    @Test func `laps begin where their number changes`() throws {
        let recording = try TableTexts.read("time,hr,lap\n0,100,1\n10,101,1\n20,102,2\n30,103,2\n")
        #expect(recording.file.laps == 2)
        let start = try #require(recording.start)
        #expect(recording.events(.lap).map { $0.start.timeIntervalSince(start) } == [0, 20])
        #expect(recording.events(.lap).map { $0.end.timeIntervalSince(start) } == [20, 30])
    }

    @Test func `events are read from a column, as in our own tables`() throws {
        let recording = try TableTexts.read(
            """
            time,seconds,event,heart_rate_bpm,distance_m,speed_m_s,rr_ms,latitude,longitude,horizontal_accuracy_m
            2026-03-01T10:00:00.000Z,0,start running,,,,,,,
            2026-03-01T10:00:01.000Z,1,,100,3,3,600,52.5,13.25,5
            2026-03-01T10:00:01.000Z,1,,,,,610,,,
            2026-03-01T10:00:02.000Z,2,pause,,,,,,,
            2026-03-01T10:00:12.000Z,12,resume,,,,,,,
            2026-03-01T10:00:13.000Z,13,,103,6,3,,,,
            2026-03-01T10:00:14.000Z,14,lap,,,,,,,
            2026-03-01T10:00:20.000Z,20,end,,,,,,,
            """)
        #expect(recording.header?.activity == ActivityDescription(activity: "running", location: .outdoor))
        #expect(recording.pauses.map(\.duration) == [10])
        #expect(recording.facts.seconds == 20)
        #expect(recording.values("runningSpeed") == [3, 3])
        #expect(recording.values("distanceWalkingRunning") == [3, 3])
        #expect(recording.readings("distanceWalkingRunning").map { $0.end.timeIntervalSince($0.start) } == [1, 1])
        #expect(recording.file.rrIntervalsInMilliseconds == [600, 610])
        #expect(recording.file.laps == 1 && recording.events(.lap).count == 1)
        #expect(recording.complaints == [] && recording.file.warnings == [])
    }

    @Test func `every iteration gives the same entries`() throws {
        let recording = try TableTexts.read(
            "time,hr,rr\n2026-03-01T10:00:00Z,100,600 610\n2026-03-01T10:00:01Z,101,620\n")
        #expect(recording.list == recording.list)
        #expect(recording.file.rrIntervalsInMilliseconds == [600, 610, 620])
        #expect(recording.beats.map(\.reading.intervalsInMilliseconds) == [[600, 610], [620]])
    }

    @Test(arguments: ["Dear all,\nthe meeting is at ten.\n", "{}", "<a/>", "\u{1}time,hr\n0,1\n", "", "hello\n"])
    func `other text is not taken for a table`(text: String) {
        #expect(!CSVFormat().recognizes(FileStart(Array(text.utf8))))
    }
}
