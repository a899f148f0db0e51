import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

/// PWX, KML, Suunto's SML and JSON, GoldenCheetah's JSON, Health Auto Export and Strava's streams, in files like
/// those of these programs.
struct OtherFormatsTests {
    private func read(_ text: String, _ options: TableOptions = TableOptions(zone: .gmt)) throws -> Recording {
        try TableTexts.read(text, options)
    }

    @Test func `PWX gives samples in their own units, segments as laps, and its device`() throws {
        let recording = try read(
            """
            <?xml version="1.0"?>
            <pwx xmlns="http://www.peaksware.com/PWX/1/0" version="1.0" creator="test">
            <workout><sportType>Bike</sportType><title>Hill repeats</title><cmt>Windy</cmt><device id="x"><make>Maker</make><model>Model 1</model></device>
            <time>2024-05-01T08:00:00</time>
            <summarydata><beginning>0</beginning><duration>4</duration><hr max="140" min="120" avg="130"/>
            <dist>40</dist></summarydata>
            <segment><cmt>A lap</cmt><summarydata><beginning>0</beginning><duration>2</duration></summarydata></segment>
            <segment><summarydata><beginning>2</beginning><duration>2</duration></summarydata></segment>
            <sample><timeoffset>1</timeoffset><hr>120</hr><spd>10</spd><pwr>200</pwr><cad>90</cad><dist>10</dist>
            <lat>46.0</lat><lon>14.5</lon><alt>300</alt><temp>18.5</temp></sample>
            <sample><timeoffset>2</timeoffset><hr>121</hr><dist>20</dist></sample>
            <sample><timeoffset>4</timeoffset><hr>0</hr><dist>40</dist></sample>
            </workout></pwx>
            """)
        #expect(recording.file.format == "pwx")
        #expect(recording.header?.activity.activity == "cycling")
        #expect(recording.start == TableTexts.date("2024-05-01T08:00:00Z"))
        #expect(recording.values("heartRate") == [120, 121])
        #expect(recording.seconds("heartRate") == [1, 2])
        #expect(recording.values("cyclingSpeed") == [10])
        #expect(recording.values("cyclingPower") == [200])
        #expect(recording.values("cyclingCadence") == [90])
        #expect(recording.values("temperature") == [18.5])
        #expect(recording.values("distanceCycling").reduce(0, +) == 40)
        #expect(recording.positions.map(\.altitudeInMeters) == [300])
        #expect(recording.file.laps == 2)
        #expect(recording.device?.name == "Maker Model 1")
        #expect(recording.labels.title == "Hill repeats" && recording.labels.notes == "Windy")
    }

    /// A workout of two segments of 30 s that state 25 m each.
    private func segments(_ sample: (Int) -> String) throws -> Recording {
        let segments = [0, 30].map {
            "<segment><summarydata><beginning>\($0)</beginning><duration>30</duration><dist>25</dist></summarydata></segment>"
        }
        let samples = stride(from: 0, through: 60, by: 2).map {
            "<sample><timeoffset>\($0)</timeoffset><hr>120</hr>\(sample($0))</sample>"
        }
        return try read(
            "<pwx><workout><sportType>Swim</sportType><time>2024-05-01T08:00:00</time>\(segments.joined())"
                + "\(samples.joined())</workout></pwx>")
    }

    /// The duration includes stops (TrainingPeaks, as quoted by tapiriik's importer).
    @Test func `the time that a PWX workout was stopped is a pause, and its summary states the distance`() throws {
        func summary(_ beginning: Int, _ duration: Int, _ stopped: Int, _ dist: String = "") -> String {
            "<summarydata><beginning>\(beginning)</beginning><duration>\(duration)</duration>"
                + "<durationstopped>\(stopped)</durationstopped>\(dist)</summarydata>"
        }
        let samples = (0...100).filter { !(41..<70).contains($0) }
            .map { "<sample><timeoffset>\($0)</timeoffset><hr>120</hr></sample>" }
        let recording = try read(
            "<pwx><workout><sportType>Run</sportType><time>2024-05-01T08:00:00</time>"
                + "\(summary(0, 100, 30, "<dist>250</dist>"))<segment>\(summary(0, 20, 0))</segment>"
                + "<segment>\(summary(20, 80, 30))</segment>\(samples.joined())</workout></pwx>")
        #expect(recording.pausedInSeconds == 30)
        #expect(recording.end == TableTexts.date("2024-05-01T08:01:40Z"))
        #expect(recording.events(.lap).map(\.end) == [20, 100].map { TableTexts.date("2024-05-01T08:00:00Z") + $0 })
        #expect(abs(recording.values("distanceWalkingRunning").reduce(0, +) - 250) < 0.01)
    }

    /// Programs that record during stops state them, too.
    @Test func `a PWX workout with samples all the time has no pause`() throws {
        let samples = (0...100).map { "<sample><timeoffset>\($0)</timeoffset><hr>120</hr></sample>" }
        let recording = try read(
            "<pwx><workout><sportType>Run</sportType><time>2024-05-01T08:00:00</time><summarydata><beginning>0</beginning>"
                + "<duration>100</duration><durationstopped>30</durationstopped></summarydata><segment><summarydata>"
                + "<beginning>0</beginning><duration>50</duration><durationstopped>30</durationstopped></summarydata></segment>"
                + "\(samples.joined())</workout></pwx>")
        #expect(recording.pausedInSeconds == 0)
        #expect(recording.end == TableTexts.date("2024-05-01T08:01:40Z"))
        #expect(recording.events(.lap).map(\.end) == [TableTexts.date("2024-05-01T08:00:50Z")])
    }

    @Test func `a distance that only PWX segments state is theirs`() throws {
        #expect(try segments { _ in "" }.values("distanceSwimming").reduce(0, +) == 50)
    }

    @Test
    func `distances of PWX samples or positions are not added to those of segments`()
        throws
    {
        let counted = try segments { "<dist>\(Double($0))</dist>" }
        #expect(counted.values("distanceSwimming").reduce(0, +) == 60)
        let positions = try segments { "<lat>\(46 + Double($0) * 1e-5)</lat><lon>14</lon>" }
        #expect(abs(positions.values("distanceSwimming").reduce(0, +) - 66.7) < 1)
    }

    @Test func `SML has heart rates in Hz, positions in radians and temperatures in kelvin`() throws {
        let recording = try read(
            """
            <?xml version="1.0" encoding="utf-8"?>
            <sml xmlns="http://www.suunto.com/schemas/sml"><DeviceLog>
            <Header><Duration>6</Duration><HR><Avg>2</Avg></HR><Activity>Cycling</Activity><Energy>3056364</Energy>
            <DateTime>2024-05-01T10:00:00</DateTime></Header>
            <Device><Name>Suunto Ambit2</Name><SerialNumber>02A6</SerialNumber><Info><SW>2.0.11</SW></Info></Device>
            <Samples>
            <Sample><UTC>2024-05-01T08:00:00.000Z</UTC><Time>0</Time>
            <Events><Pause><State>False</State></Pause></Events></Sample>
            <Sample><HR>2</HR><Speed>5</Speed><Cadence>1.5</Cadence><BikePower>210</BikePower>
            <Temperature>294.45</Temperature><Distance>5</Distance><Time>1</Time><UTC>2024-05-01T08:00:01Z</UTC></Sample>
            <Sample><Latitude>0.8238684</Latitude><Longitude>0.1529718</Longitude><GPSAltitude>413</GPSAltitude>
            <Time>1.5</Time><UTC>2024-05-01T08:00:01.500Z</UTC></Sample>
            <Sample><Time>2</Time><UTC>2024-05-01T08:00:02Z</UTC>
            <Events><Lap><Type>Manual</Type></Lap><Cadence><Source>x</Source></Cadence></Events></Sample>
            <Sample><HR>2.05</HR><Distance>15</Distance><Time>3</Time><UTC>2024-05-01T08:00:03Z</UTC></Sample>
            <Sample><Time>3</Time><UTC>2024-05-01T08:00:03Z</UTC><Events><Pause><State>True</State></Pause></Events></Sample>
            <Sample><Time>10</Time><UTC>2024-05-01T08:00:10Z</UTC><Events><Pause><State>False</State></Pause></Events></Sample>
            <Sample><HR>2.1</HR><Distance>20</Distance><Time>11</Time><UTC>2024-05-01T08:00:11Z</UTC></Sample>
            </Samples><R-R><Data>500 510 520</Data></R-R></DeviceLog></sml>
            """)
        #expect(recording.file.format == "suunto")
        #expect(recording.header?.activity.activity == "cycling")
        #expect(recording.values("heartRate") == [120, 123, 126])
        #expect(recording.seconds("heartRate") == [1, 3, 11])
        #expect(recording.values("cyclingCadence") == [90])
        #expect(recording.values("cyclingPower") == [210])
        #expect(recording.values("temperature") == [21.3])
        #expect(recording.positions.count == 1)
        #expect(abs((recording.positions.first?.latitudeInDegrees ?? 0) - 47.204182) < 1e-5)
        #expect(recording.file.rrIntervalsInMilliseconds == [500, 510, 520])
        #expect(recording.file.laps == 2)
        #expect(recording.file.leftOut == [])
        #expect(abs(recording.readings("activeEnergyBurned").reduce(0) { $0 + $1.value } - 730.488) < 0.01)
        let held = HeldReadings(recording.entries)
        #expect(held.pauses.map { $0.end.map { $0 == TableTexts.date("2024-05-01T08:00:10Z") } } == [true])
        #expect(recording.device?.name == "Suunto Ambit2" && recording.timeZone == "GMT+0200")
    }

    @Test func `a Suunto that measures on in a pause was paused all the time`() throws {
        let samples = (0...20).flatMap { second -> [String] in
            let time = #""TimeISO8601":"2024-05-01T08:00:\#(second < 10 ? "0" : "")\#(second).000Z""#
            let rate = #"{\#(time),"HR":2,"Distance":\#(second < 5 ? second : second < 15 ? 5 : second - 10)}"#
            guard second == 5 || second == 15 else { return [rate] }
            return [rate, #"{\#(time),"Events":[{"Pause":{"State":\#(second == 5)}}]}"#]
        }
        let recording = try read(
            #"{"DeviceLog":{"Header":{"ActivityType":3,"DateTime":"2024-05-01T08:00:00Z"},"Samples":[\#(samples.joined(separator: ","))]}}"#
        )
        #expect(recording.pausedInSeconds == 10 && recording.facts.seconds == 20)
        #expect(recording.metersCovered == 10)
    }

    @Test(
        arguments: [
            #"{"DeviceLog":{"Header":{"ActivityType":3,"DateTime":"2024-05-01T10:00:00+02:00"},"Device":{"Name":"Suunto 9"},"Samples":[SAMPLES],"R-R":{"Data":[600,610]}}}"#,
            #"{"Samples":[WRAPPED],"R-R":[{"Attributes":{"suunto/sml":{"R-R":{"Data":[600,610]}}},"TimeISO8601":"2024-05-01T10:00:00.000+02:00"}]}"#,
        ])
    func `the app's JSON is read in every nesting of samples`(text: String) throws {
        func time(_ second: Int) -> String { "\"TimeISO8601\":\"2024-05-01T10:00:0\(second).000+02:00\"" }
        let values = [
            "\"HR\":2,\"Speed\":3,\"Distance\":0", "\"HR\":null,\"Latitude\":0.8238684,\"Longitude\":0.1529718",
            "\"HR\":2.1,\"Distance\":6,\"Cadence\":1.4,\"Events\":[{\"Activity\":{\"ActivityType\":3}}]",
        ]
        let plain = values.enumerated().map { "{\($1),\(time($0))}" }.joined(separator: ",")
        let wrapped = values.enumerated().map {
            "{\"Attributes\":{\"suunto/sml\":{\"Sample\":{\($1)}}},\"Source\":\"x\",\(time($0))}"
        }.joined(separator: ",")
        let recording = try read(
            text.replacingOccurrences(of: "SAMPLES", with: plain).replacingOccurrences(of: "WRAPPED", with: wrapped))
        #expect(recording.file.format == "suunto")
        #expect(recording.header?.activity.activity == "running")
        #expect(recording.start == TableTexts.date("2024-05-01T08:00:00Z"))
        #expect(recording.values("heartRate") == [120, 126])
        #expect(recording.seconds("heartRate") == [0, 2])
        #expect(recording.values("cadence") == [84] && recording.timeZone == "GMT+0200")
        #expect(recording.values("distanceWalkingRunning").reduce(0, +) == 6)
        #expect(recording.file.rrIntervalsInMilliseconds == [600, 610])
    }

    @Test func `GoldenCheetah's samples count seconds from the start of the ride`() throws {
        let recording = try read(
            """
            {
            \t"RIDE":{
            \t\t"STARTTIME":"2024\\/05\\/01 08:00:00 UTC ",
            \t\t"RECINTSECS":1,"DEVICETYPE":"PowerTap","IDENTIFIER":"",
            \t\t"TAGS":{"Sport":"Bike","Data":"TDSPHC","Workout Code":"2024_05_01","Notes":"Windy ","Keywords":"hills, race","RPE":"7 "},
            \t\t"INTERVALS":[{"NAME":"Lap 1","START":0,"STOP":2},{"NAME":"Best 20 min","START":0,"STOP":3}],
            \t\t"SAMPLES":[
            \t\t\t{ "SECS":1, "KM":0.004, "WATTS":95, "CAD":84, "KPH":27, "HR":143, "TEMP":-255, "LRBALANCE":51 },
            \t\t\t{ "SECS":2, "KM":0.011, "WATTS":65, "CAD":84, "KPH":25.2, "HR":144, "TEMP":20, "LAT":46, "LON":14, "ALT":300 },
            \t\t\t{ "SECS":3, "KM":0.018, "WATTS":59, "CAD":82, "KPH":25.2, "HR":0 }
            \t\t]
            \t}
            }
            """)
        #expect(recording.file.format == "goldencheetah")
        #expect(recording.header?.activity.activity == "cycling")
        #expect(recording.values("heartRate") == [143, 144])
        #expect(recording.values("cyclingPower") == [95, 65, 59])
        #expect(recording.values("cyclingSpeed") == [7.5, 7, 7])
        #expect(recording.values("temperature") == [20])
        #expect(abs(recording.values("distanceCycling").reduce(0, +) - 18) < 1e-6)
        #expect(recording.positions.count == 1)
        #expect(recording.file.laps == 1)
        #expect(recording.labels.title == nil && recording.labels.notes == "Windy")
        #expect(recording.labels.tags == ["hills", "race"] && recording.labels.effort == 7)
        #expect(recording.file.leftOut == ["the series LRBALANCE"])
        #expect(recording.device?.name == "PowerTap")
        #expect(recording.readings("heartRate").first?.start == TableTexts.date("2024-05-01T08:00:01Z"))
    }

    @Test(
        arguments: [
            #"[{"type":"time","data":[0,1,3],"series_type":"time","original_size":3,"resolution":"high"},{"type":"heartrate","data":[120,121,122],"series_type":"time"},{"type":"latlng","data":[[46,14],[46.1,14.1],[46.2,14.2]]},{"type":"watts","data":[200,null,210]},{"type":"grade_smooth","data":[0,0,1]}]"#,
            #"{"latlng":{"data":[[46,14],[46.1,14.1],[46.2,14.2]],"series_type":"time"},"time":{"data":[0,1,3]},"heartrate":{"data":[120,121,122]},"watts":{"data":[200,null,210]},"grade_smooth":{"data":[0,0,1]}}"#,
            #"{ "time": [0, 1, 3], "heartrate": [120, 121, 122], "latlng": [[46,14],[46.1,14.1],[46.2,14.2]], "watts": [200, null, 210], "grade_smooth": [0,0,1] }"#,
        ])
    func `Strava's streams are read as a list, by their types, and as bare arrays`(text: String) throws {
        let start = TableTexts.date("2024-05-01T08:00:00Z")
        let recording = try read(text, TableOptions(start: start, zone: .gmt, activity: "cycling"))
        #expect(recording.file.format == "strava")
        #expect(recording.start == start)
        #expect(recording.values("heartRate") == [120, 121, 122])
        #expect(recording.seconds("heartRate") == [0, 1, 3])
        #expect(recording.values("cyclingPower") == [200, 210])
        #expect(recording.positions.count == 3)
        #expect(recording.file.leftOut == ["the stream grade_smooth"])
        #expect(recording.file.warnings == [])
    }

    @Test func `streams beside their activity begin with it`() throws {
        let recording = try read(
            #"{"activity":{"start_date":"2024-05-01T08:00:00Z","sport_type":"TrailRun"},"streams":{"time":{"data":[0,1]},"heartrate":{"data":[120,121],"series_type":"time"}}}"#
        )
        #expect(recording.start == TableTexts.date("2024-05-01T08:00:00Z"))
        #expect(recording.header?.activity.activity == "running")
    }

    // MARK: KML

    /// A file of OpenTracks: two tracks, with a point without a position and one without a heart rate.
    private func kml(_ prefix: String, namespace: String) -> String {
        func array(_ name: String, _ values: [String]) -> String {
            let values = values.map { $0.isEmpty ? "<\(prefix)value/>" : "<\(prefix)value>\($0)</\(prefix)value>" }
            return "<\(prefix)SimpleArrayData name=\"\(name)\">\(values.joined())</\(prefix)SimpleArrayData>"
        }
        func track(_ points: [(time: String, place: String)], _ arrays: String) -> String {
            let points = points.map { time, place in
                "<when>2024-05-01T10:00:\(time)+02:00</when>"
                    + (place.isEmpty ? "<\(prefix)coord/>" : "<\(prefix)coord>\(place)</\(prefix)coord>")
            }
            return "<\(prefix)Track>\(points.joined())<ExtendedData><SchemaData schemaUrl=\"#schema\">\(arrays)"
                + "</SchemaData></ExtendedData></\(prefix)Track>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml \(namespace) xmlns:atom="http://www.w3.org/2005/Atom"><Document>
            <name>File</name><atom:generator><![CDATA[OpenTracks]]></atom:generator>
            <Placemark><name>Start</name><TimeStamp><when>2024-05-01T07:00:00Z</when></TimeStamp>
            <Point><coordinates>14.5,46,300</coordinates></Point></Placemark>
            <Placemark><name><![CDATA[Morning]]></name><description><![CDATA[Along the river]]></description>
            <icon>RUN</icon><ExtendedData><Data name="type"><value><![CDATA[unbekannt]]></value></Data></ExtendedData>
            <\(prefix)MultiTrack>
            \(track([("00", "14.5 46 300"), ("01", ""), ("02", "14.5 46.00005 301")],
                array("trackpoint_type", ["SEGMENT_START_MANUAL", "TRACKPOINT", "TRACKPOINT"])
                    + array("heart_rate", ["120", "121", ""]) + array("distance", ["0", "2.5", "3"])
                    + array("smoothness", ["1", "1", "1"])))
            \(track([("30", "14.5 46.00005 301"), ("31", "14.5 46.0001 302")],
                array("heart_rate", ["130", "131"]) + array("distance", ["0", "2"])))
            </\(prefix)MultiTrack></Placemark></Document></kml>
            """
    }

    @Test(
        arguments: [
            ("gx:", "xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\""),
            ("", "xmlns=\"http://www.opengis.net/kml/2.3\""),
        ])
    func `tracks of KML have heart rates, places, distances and pauses`(prefix: String, namespace: String) throws {
        let recording = try read(kml(prefix, namespace: namespace))
        #expect(recording.file.format == "kml")
        #expect(recording.file.workouts == 1)
        #expect(recording.start == TableTexts.date("2024-05-01T08:00:00Z"))
        #expect(recording.header?.activity.activity == "running")
        #expect(recording.values("heartRate") == [120, 121, 130, 131])
        #expect(recording.seconds("heartRate") == [0, 1, 30, 31])
        #expect(recording.values("distanceWalkingRunning").reduce(0, +) == 7.5)
        #expect(recording.positions.map(\.latitudeInDegrees) == [46, 46.00005, 46.00005, 46.0001])
        #expect(recording.pauses.count == 1)
        #expect(recording.device?.name == "OpenTracks")
        #expect(recording.labels.title == "Morning" && recording.labels.notes == "Along the river")
        #expect(recording.file.leftOut == ["the array smoothness"])
        #expect(recording.file.warnings == [])
    }

    @Test func `KML that is cut off anywhere gives the tracks before the cut`() throws {
        let whole = Array(kml("gx:", namespace: "xmlns:gx=\"http://www.google.com/kml/ext/2.2\"").utf8)
        for count in whole.indices {
            let text = String(decoding: whole.prefix(count), as: UTF8.self)
            guard let recording = try? read(text) else { continue }
            #expect(recording.entries.failure == nil)
            #expect([120, 121, 130, 131].starts(with: recording.values("heartRate")))
            #expect(recording.file.warnings.contains { $0.message.contains("cut off") } || count > whole.count - 8)
        }
    }

    // MARK: Health Auto Export

    @Test func `workouts of Health Auto Export have heart rates, routes and totals in any unit`() throws {
        let text = """
            {"data":{"workouts":[
            {"id":"A","name":"Functional Strength Training","start":"2024-05-02 10:00:00 +0200","duration":60,
             "heartRateData":[{"date":"2024-05-02 10:00:30 +0200","qty":99,"units":"count/min"}]},
            {"id":"B","name":"Outdoor Run","start":"2024-05-01 10:00:00 +0200","end":"2024-05-01 10:10:00 +0200",
             "activeEnergyBurned":{"qty":418.4,"units":"kJ"},"distance":{"qty":0.0068,"units":"mi"},
             "heartRateData":[{"date":"2024-05-01 10:00:00 +0200","Min":118,"Avg":120.5,"Max":124,"units":"bpm"},
              {"date":"2024-05-01 10:01:00 +0200","Avg":130,"units":"bpm"},
              {"date":"2024-05-01 10:10:30 +0200","Avg":110,"units":"bpm"}],
             "route":[{"latitude":46,"longitude":14.5,"altitude":300,"speed":2.5,"timestamp":"2024-05-01 10:00:01 +0200"},
              {"lat":46.0001,"lon":14.5,"timestamp":"2024-05-01 10:00:03 +0200"}],
             "stepCount":[{"date":"2024-05-01 10:00:00 +0200","qty":9,"units":"count"}]}]}}
            """
        let all = try RecordingFile.readAll(RecordingSource(path: "table", bytes: Array(text.utf8)))
        let run = try #require(all.first)
        #expect(all.map { $0.header?.activity.activity } == ["running", "functionalStrengthTraining"])
        #expect(run.start == TableTexts.date("2024-05-01T08:00:00Z"))
        #expect(run.end == TableTexts.date("2024-05-01T08:10:00Z"))
        #expect(run.values("heartRate") == [120.5, 130])
        #expect(abs(run.values("distanceWalkingRunning").reduce(0, +) - 0.0068 * 1609.344) < 0.01)
        #expect(abs(run.values("activeEnergyBurned").reduce(0, +) - 100) < 0.01)
        #expect(run.positions.map(\.latitudeInDegrees) == [46, 46.0001])
        #expect(run.file.leftOut == ["heart rates after the end", "the series stepCount"])
        #expect(all[1].values("heartRate") == [99] && all[1].timeZone == "GMT+0200")
    }

    /// Five minutes, of which the third was a rest. The last argument is a duration in minutes.
    @Test(arguments: [(240, 60), (300, 0), (4, 0)])
    func `a workout of Health Auto Export pauses if it lasted longer than it took`(duration: Int, paused: Double) throws
    {
        func date(_ second: Int) -> String { String(format: "2024-05-01 10:%02d:%02d +0200", second / 60, second % 60) }
        let rates = (0...5).map { #"{"date":"\#(date(60 * $0))","Avg":120,"units":"bpm"}"# }
        let route = (Array(0...120) + Array(180...300)).map {
            #"{"latitude":\#(46 + Double($0) * 1e-5),"longitude":14.5,"timestamp":"\#(date($0))"}"#
        }
        let recording = try read(
            """
            {"data":{"workouts":[{"name":"Outdoor Run","start":"\(date(0))","end":"\(date(300))","duration":\(duration),
             "heartRateData":[\(rates.joined(separator: ","))],"route":[\(route.joined(separator: ","))]}]}}
            """)
        #expect(recording.pausedInSeconds == paused)
        #expect(recording.end == TableTexts.date("2024-05-01T08:05:00Z"))
    }

    // MARK: Tables of JSON

    @Test(
        arguments: [
            #"""
            [{"timestamp":"2024-05-01T08:00:00Z","hr":120,"name":"a \"b\", c"},
             {"timestamp":"2024-05-01T08:00:01Z","hr":121.5,"tags":[1]},{"hr":99},7,
             {"timestamp":"2024-05-01T08:00:03Z","hr":122,"speed_kmh":36}]
            """#,
            #"""
            {"timestamp":"2024-05-01T08:00:00Z","hr":120,"rr":[800]}
            not JSON
            {"timestamp":"2024-05-01T08:00:01Z","hr":121.5}
            {"timestamp":"2024-05-01T08:00:03Z","hr":122,"speed_kmh":36}
            """#,
            #"[{"start_time":1714550400000,"hr":120},{"start_time":1714550401000,"hr":121.5},{"start_time":1714550403000,"hr":122,"speed_kmh":36}]"#,
        ])
    func `a list of objects, or one in each line, is a table`(text: String) throws {
        let recording = try read(text, TableOptions(zone: .gmt, activity: "cycling"))
        #expect(recording.file.format == "json")
        #expect(recording.start == TableTexts.date("2024-05-01T08:00:00Z"))
        #expect(recording.values("heartRate") == [120, 121.5, 122])
        #expect(recording.seconds("heartRate") == [0, 1, 3])
        #expect(recording.values("cyclingSpeed") == [10])
        #expect(recording.device?.name == "JSON file")
    }

    @Test(
        arguments: [
            (
                "<?xml version=\"1.0\"?><kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document/></kml>",
                ForeignContent.kml
            ),
            ("<?xml version=\"1.0\"?><FitnessWorkbook></FitnessWorkbook>", .fitlog),
            ("<?xml version=\"1.0\"?><Activity revision=\"400\"><Computer unit=\"rox100\"/></Activity>", .sigma),
            (#"[{ "dateTime" : "05/03/26 08:00:00", "value" : { "bpm" : 62, "confidence" : 3 } }]"#, .fitbitHeartRates),
            (#"{"data":[{"bpm":62,"timestamp":"2026-05-03T08:00:00+00:00"}]}"#, .json),
            (#"[{"time":"2026-05-03T08:00:00Z","name":"x"}]"#, .json),
            (#"{"time":{"value":"2026-05-03T08:00:00Z"},"hr":120}"#, .json),
            ("<Trip><Allgemein><Datum>02.05.10</Datum></Allgemein></Trip>", .sigma),
            (
                #"{"id":1937529874,"upload-time":"2008-10-13T16:40:02Z","polar-user":"https://x/1","heart-rate":{"average":129}}"#,
                .polarAccessLink
            ),
            (
                #"{"id":"2AC312F","upload_time":"2008-10-13T16:40:02Z","polar_user":"x","detailed_sport_info":"RUNNING"}"#,
                .polarAccessLink
            ),
        ])
    func `formats without heart rates over time are rejected by name`(text: String, content: ForeignContent) {
        #expect(throws: RecordingError.notReadable(path: "table", content: content)) { try TableTexts.read(text) }
    }

    @Test(
        arguments: [
            "{\"RIDE\":{\"STARTTIME\":\"2024/05/01 08:00:00 UTC\",\"SAMPLES\":[{\"SECS\":1,",
            "{\"RIDE\":{\"SAMPLES\":[]}}", "{\"DeviceLog\":{\"Samples\":[",
            "[{\"type\":\"heartrate\",\"data\":[120],\"series_type\":\"time\"}]", "{\"RIDE\":{\"STARTTIME\":5}}",
            "{\"data\":{\"workouts\":[{\"start\":\"2024-05-01 10:00:00 +0200\",", "{\"data\":{\"metrics\":[]}}",
            "{\"data\":{\"workouts\":[{\"name\":\"Run\"}]}}",
        ])
    func `a file that is truncated or lacks times is rejected with a reason`(text: String) {
        #expect {
            try TableTexts.read(text)
        } throws: { error in
            guard case .invalid(_, _, let reason)? = error as? RecordingError else { return false }
            return !reason.isEmpty
        }
    }

    @Test func `nonsensical samples neither trap nor become readings`() throws {
        for text in [
            "{\"RIDE\":{\"STARTTIME\":\"2024/05/01 08:00:00 UTC\",\"SAMPLES\":[{\"SECS\":1e300,\"HR\":\"x\"},{\"SECS\":1,\"HR\":120}]}}",
            "{\"DeviceLog\":{\"Samples\":[{\"HR\":1e99,\"TimeISO8601\":\"x\"},7,null]}}",
            "<pwx><workout><sample><timeoffset>1</timeoffset><hr>1e400</hr></sample></workout></pwx>",
            "<sml><DeviceLog><Samples><Sample><HR>2</HR></Sample></Samples></DeviceLog></sml>",
            "<kml><Placemark><Track><when>x</when><coord>1 2 x</coord><SimpleArrayData><value>1e400</value></Track></kml>",
            "{\"data\":{\"workouts\":[{\"start\":\"2024-05-01 10:00:00 +0200\",\"duration\":-1e300,\"route\":[7],\"distance\":{\"qty\":\"x\"}}]}}",
        ] {
            guard let recording = try? TableTexts.read(text) else { continue }
            #expect(recording.entries.count(where: { _ in true }) >= 0)
            #expect(recording.entries.failure == nil)
        }
    }
}

extension Recording {
    var device: DeviceDescription? {
        entries.lazy.compactMap { if case .sensor(let status) = $0.content { status.device } else { nil } }.first
    }
}
