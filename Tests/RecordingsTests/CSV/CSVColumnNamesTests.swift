import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// Columns in the spelling of devices and programs, columns that are not read, and tables that are no recordings.
struct CSVColumnNamesTests {
    @Test func `a table of PowerTap and WKO is read by its own names and units`() throws {
        let recording = try TableTexts.read(
            """
            Minutes, Torq (N-m),Km/h,Watts,Km,Cadence,Hrate,ID
            0.02,10.5,36.0,200,0.010,90,120,1
            0.04,11.5,18.0,210,0.015,91,121,1
            0.06,11.5,18.0,220,0.020,92,122,2
            0.08,11.5,18.0,230,0.025,93,123,2
            """, TableOptions(start: TableTexts.date("2024-05-01T08:00:00Z"), zone: .gmt))
        #expect(recording.values("heartRate") == [120, 121, 122, 123])
        #expect(recording.values("cyclingSpeed") == [10, 5, 5, 5])
        #expect(recording.values("cyclingPower") == [200, 210, 220, 230])
        #expect(recording.values("cyclingCadence") == [90, 91, 92, 93])
        #expect(recording.values("distanceCycling").map { ($0 * 1000).rounded() / 1000 } == [10, 5, 5, 5])
        // The ID is the number of an interval.
        #expect(recording.file.laps == 2 && recording.events(.lap).count == 2)
        #expect(recording.file.leftOut == ["the column Torq (N-m)"] && recording.file.warnings.isEmpty)
    }

    @Test func `a table with times for 500 m is of a rower, and GoldenCheetah's weather is not a recording`() throws {
        let rower = try TableTexts.read(
            """
            "id","power","stroke_rate","time","distance","estimated_500m_time","pulse"
            1,45,26.1,1.26,5.4,213.5,120
            2,46,26.3,3.28,10.8,213.1,121
            """, TableOptions(start: TableTexts.date("2024-05-01T08:00:00Z"), zone: .gmt))
        #expect(rower.values("heartRate") == [120, 121])
        #expect(rower.values("distanceRowing") == [5.4, 5.4])
        let weather = """
            XDATA: WEATHER,,,,,
            SECS,KM,WINDSPEED:kmh,WINDHEADING,TEMPERATURE:celsius,HUMIDITY:%
            1,0.004,8.0,90,5,93
            901,6.789,8.0,70,5,91
            """
        let error = #expect(throws: RecordingError.self) { try TableTexts.read(weather, TableOptions(zone: .gmt)) }
        #expect(error.map { "\($0)".contains("GoldenCheetah") } == true)
    }

    @Test func `FIT messages as a table are rejected by name`() throws {
        let text = """
            Type,Local Number,Message,Field 1,Value 1,Units 1,Field 2,Value 2,Units 2
            Definition,2,record,timestamp,1,,heart_rate,1,
            Data,2,record,timestamp,1000000000,s,heart_rate,107,bpm
            """
        let error = #expect(throws: RecordingError.self) { try TableTexts.read(text) }
        #expect(error.map { "\($0)".contains("import the FIT file itself") } == true)
    }

    @Test func `a column can be mapped by the form of its times`() throws {
        let recording = try TableTexts.read(
            """
            mm-dd,hh:mm:ss,SmO2 Live,Heart Rate,Speed
            03-dec,00:00:01,0,139,1.6
            03-dec,00:00:02,0,140,6.1
            03-dec,00:00:04,0,144,9.0
            """, TableOptions(start: TableTexts.date("2024-05-01T08:00:00Z"), zone: .gmt))
        #expect(
            recording.readings("heartRate").map { $0.start.timeIntervalSince(recording.readings("heartRate")[0].start) }
                == [0, 1, 3])
    }

    @Test func `a table of Wahoo's app is read by its own names`() throws {
        let recording = try TableTexts.read(
            """
            secs,hr_heartrate,cad_cadence,spd_instspeed,gps_lat,gps_lon,interval_notes
            0,120,80,10,46.0,14.0,
            1,121,81,11,46.1,14.1,
            """, TableOptions(start: TableTexts.date("2024-05-01T08:00:00Z"), zone: .gmt, activity: "cycling"))
        #expect(recording.values("heartRate") == [120, 121])
        #expect(recording.values("cyclingCadence") == [80, 81])
        #expect(recording.positions.count == 2)
        // An empty column holds nothing.
        #expect(recording.file.leftOut == [])
    }

    @Test func `a date and a time with PM in two columns are a time`() throws {
        let recording = try TableTexts.read(
            "Date,Time,Heart Rate\n02/29/2024,11:59:59 PM,120\n03/01/2024,12:00:00 AM,121\n03/01/2024,12:00:01 AM,122\n",
            TableOptions(zone: .gmt))
        #expect(recording.start == TableTexts.date("2024-02-29T23:59:59Z"))
        #expect(recording.seconds("heartRate") == [0, 1, 2])
    }

    @Test func `a time of day without a date may pass midnight`() throws {
        let recording = try TableTexts.read(
            "Time,HR\n23:59:58,120\n23:59:59,121\n0:00:00,122\n0:00:01,123\n",
            TableOptions(start: TableTexts.date("2024-05-01T00:00:00Z"), zone: .gmt))
        let seconds = recording.seconds("heartRate")
        #expect(seconds.map { $0 - seconds[0] } == [0, 1, 2, 3])
    }

    @Test func `a table of Stryd has the watch's measurements`() throws {
        let recording = try TableTexts.read(
            """
            Timestamp,Power (w/kg),Watch Speed (m/s),Stryd Speed (m/s),Watch Distance (meters),Ground Time (ms),Cadence (spm),Vertical Oscillation (cm),Heart Rate (bpm)
            1714550400,3.5,3.0,3.1,0,245,170,8.3,120
            1714550401,3.6,3.1,3.2,3,246,172,8.4,121
            """, TableOptions(zone: .gmt, activity: "running"))
        #expect(recording.start == TableTexts.date("2024-05-01T08:00:00Z"))
        #expect(recording.values("distanceWalkingRunning") == [3])
        #expect(recording.values("runningSpeed") == [3, 3.1])
        #expect(recording.values("runningGroundContactTime") == [245, 246])
        // Watts per kilogram are not watts.
        #expect(recording.values("runningPower") == [])
        // Two steps are one turn.
        #expect(recording.values("cadence") == [85, 86])
    }

    @Test(arguments: ["2026-05-03", "03.05.2026"])
    func `a two-field time beside a date is hours and minutes`(day: String) throws {
        let rows = (58...61).map { "\(day),\(String(format: "%02d:%02d", 7 + $0 / 60, $0 % 60)),\(60 + $0)" }
        let recording = try TableTexts.read(
            "date,time,heartRate\n" + rows.joined(separator: "\n"), TableOptions(zone: .gmt))
        #expect(recording.start == TableTexts.date("2026-05-03T07:58:00Z"))
        let seconds = recording.seconds("heartRate")
        #expect(seconds.map { $0 - seconds[0] } == [0, 60, 120, 180])
    }

    @Test func `a table of MotoACTV has times since 1970`() throws {
        let recording = try TableTexts.read(
            """
            "DISTANCE","activity_id","HEARTRATE","SPEED","LATITUDE","timestamp_epoch","ELEVATION","POWER","LONGITUDE","CADENCE"
            "0.0","4","126.0","8.0","47.5","1714550400055","118.0","210","8.5","90"
            "8.0","4","125.0","8.0","47.5001","1714550401048","118.0","220","8.5","91"
            """, TableOptions(zone: .gmt, activity: "cycling"))
        let start = try #require(recording.start)
        #expect(abs(start.timeIntervalSince(TableTexts.date("2024-05-01T08:00:00Z")) - 0.055) < 1e-6)
        #expect(recording.values("heartRate") == [126, 125])
        #expect(recording.values("distanceCycling") == [8])
        #expect(recording.values("cyclingPower") == [210, 220])
    }

    @Test func `a table of Concept2 has a pace for 500 m and strokes a minute`() throws {
        let recording = try TableTexts.read(
            """
            "Number","Time (seconds)","Distance (meters)","Pace (seconds per 500m)","Watts","Stroke Rate","Heart Rate"
            "1","2.0","9","125","190","24","120"
            "2","4.0","18","100","300","26","121"
            """, TableOptions(start: TableTexts.date("2024-05-01T08:00:00Z"), zone: .gmt, activity: "rowing"))
        #expect(recording.values("rowingSpeed") == [4, 5])
        #expect(recording.values("cadence") == [24, 26])
        #expect(recording.file.leftOut == ["the column Number"])
    }

    @Test func `a table of FitCSVTool has FIT's own times and names`() throws {
        let recording = try TableTexts.read(
            """
            record.timestamp[s],record.position_lat[semicircles],record.position_long[semicircles],record.distance[m],record.speed[m/s],record.heart_rate[bpm],record.cadence[rpm]
            1083484800,560731841,95443718,0.0,8.0,120,90
            1083484801,560731841,95443718,8.0,8.1,121,91
            """, TableOptions(zone: .gmt, activity: "cycling"))
        #expect(recording.start == TableTexts.date("2024-05-01T08:00:00Z"))
        #expect(recording.values("heartRate") == [120, 121])
        #expect(recording.values("cyclingSpeed") == [8, 8.1])
        #expect(recording.positions.count == 2)
        #expect(recording.positions.allSatisfy { abs($0.latitudeInDegrees - 47) < 1e-6 })
    }

    @Test(arguments: ["wahoo_hr", "Polar Heart Rate 2", "strap-bpm", "Heart_Rate_Sensor1"])
    func `a column with a similar name is of heart rates if its numbers are plausible`(name: String) throws {
        let recording = try TableTexts.read("time,\(name)\n0,120\n1,121\n2,0\n,\n")
        #expect(recording.values("heartRate") == [120, 121])
        #expect(recording.file.leftOut == [])
    }

    @Test(
        arguments: [
            ("hr_max", "0,190\n1,190\n"), ("HRV hr", "0,40\n1,41\n"), ("hr zone", "0,2\n1,3\n"),
            ("wahoo_hr", "0,1200\n1,1210\n"),
        ])
    func `an unrelated column is left out and named`(name: String, rows: String) throws {
        let rows = rows.split(separator: "\n").map { "\($0),100\n" }.joined()
        let recording = try TableTexts.read("time,\(name),power\n\(rows)")
        #expect(recording.values("heartRate") == [])
        #expect(recording.file.leftOut == ["the column \(name)"])
    }

    @Test func `two ambiguous columns of heart rates are both left out, and one is named`() throws {
        let recording = try TableTexts.read("time,left_hr,right_hr,power\n0,120,121,100\n1,121,122,100\n")
        #expect(recording.values("heartRate") == [])
        #expect(recording.file.columnThatMayBeHeartRate == "left_hr")
    }

    @Test(
        arguments: [
            "date,timestamp_measurement,HR,AVNN,SDNN,rMSSD,pNN50,LF,HF,HRV4T_Recovery_Points\n2024-05-01,2024-05-01 06:30:00 +0000,52,1150,80,60,30,1,2,8.1\n2024-05-02,2024-05-02 06:31:00 +0000,53,1150,80,60,30,1,2,8.1\n",
            "timestamp,HR,rMSSD,SDNN\n2024-05-01T06:30:00Z,52,60,80\n",
            "Member ID,Type,Name,Date Time Start,Date Time End,Duration,HRV,Morning Readiness,Balance,HR,lnRmssd,Rmssd\n1,readiness,x,2024-05-01 06:30:00,2024-05-01 06:32:30,150,55,8,Sympathetic,52,3.9,50\n",
            // The sets of a strength workout, as Strong writes them.
            "Date,Exercise Name,Set Order,Weight,Reps,Distance,Seconds\n"
                + ["01", "03", "05"].map { day in
                    (1...5).map { "2024-05-\(day) 18:00:00,Bench Press,\($0),60,8,0,0\n" }.joined()
                }.joined(),
            "date,hr\n2024-05-01T06:30:00Z,52\n2024-05-02T06:30:00Z,53\n2024-05-03T06:30:00Z,51\n2024-05-04T06:30:00Z,50\n",
        ])
    func `a list of morning measurements is not a workout`(text: String) {
        #expect {
            try TableTexts.read(text)
        } throws: { error in "\(error)".contains("list of measurements") }
    }

    @Test func `heart rate variability over the minutes of a workout is a workout`() throws {
        let rows = (0..<10).map { "2024-05-01T06:3\($0):00Z,\(120 + $0),20,30\n" }.joined()
        let recording = try TableTexts.read("timestamp,HR,rMSSD,SDNN\n" + rows)
        #expect(recording.values("heartRate").count == 10)
        #expect(recording.file.leftOut == ["the column rMSSD", "the column SDNN"])
    }

    @Test func `temperature and cadence of any sport are kept`() throws {
        let recording = try TableTexts.read(
            "time,hr,temperature,cadence,power,speed\n0,100,20.5,80,150,3\n1,101,20,81,151,3\n",
            TableOptions(start: TableTexts.date("2024-05-01T08:00:00Z"), zone: .gmt, activity: "walking"))
        #expect(recording.values("temperature") == [20.5, 20])
        #expect(recording.values("cadence") == [80, 81])
        #expect(recording.values("power") == [150, 151])
        #expect(recording.values("speed") == [3, 3])
    }

    /// Tables like Zepp's HEARTRATE_AUTO and Oura's heartrate.csv.
    @Test(arguments: [(60, 4320, "date,time,heartRate"), (300, 864, "timestamp,bpm,source")])
    func `heart rates of days are no workout, unless the user states an activity`(
        spacing: Int, count: Int, header: String
    ) throws {
        let start = Date(timeIntervalSince1970: 1_772_323_200)
        let rows = (0..<count).map { index in
            let time = (start + Double(index * spacing)).ISO8601Format()
            let day = time.prefix(10)
            let clock = time.dropFirst(11).prefix(5)
            return header.hasPrefix("date") ? "\(day),\(clock),\(60 + index % 30)" : "\(time),\(60 + index % 30),awake"
        }
        let text = ([header] + rows).joined(separator: "\n")
        #expect {
            try TableTexts.read(text, TableOptions(zone: .gmt))
        } throws: { error in "\(error)".contains("few readings, for 71 h: it is a record of days") }
        let stated = try TableTexts.read(text, TableOptions(zone: .gmt, activity: "walking"))
        #expect(stated.values("heartRate").count == count)
        // Half a day with one reading a minute may be a hike.
        let hike = ([header] + rows.prefix(600 * 60 / spacing)).joined(separator: "\n")
        #expect(try TableTexts.read(hike, TableOptions(zone: .gmt)).values("heartRate").count == 600 * 60 / spacing)
    }

    @Test func `stages of sleep are no workout`() {
        let rows = (0..<60).map { "2026-03-01,0\($0 / 30):\($0 % 30 + 10),\($0 < 30 ? "LIGHT" : "DEEP"),55" }
        let text = "date,time,stage,hr\n" + rows.joined(separator: "\n")
        #expect {
            try TableTexts.read(text, TableOptions(zone: .gmt))
        } throws: { error in "\(error)".contains("stages of a night's sleep") }
    }
}
