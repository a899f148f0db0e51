import Foundation
import Testing

@testable import Recordings
@testable import SessionLog

struct TCXTests {
    private typealias Text = TrackText

    private func one(_ laps: String, sport: String = "Biking") throws -> Recording {
        try #require(Text.read(Text.tcx(Text.activity(sport, laps))).first)
    }

    @Test func `every value of a point becomes a reading`() throws {
        let point = """
            <Position><LatitudeDegrees>47.5</LatitudeDegrees><LongitudeDegrees>-8.25</LongitudeDegrees></Position>
            <AltitudeMeters>412.5</AltitudeMeters><DistanceMeters>10.5</DistanceMeters>
            <HeartRateBpm xsi:type="HeartRateInBeatsPerMinute_t"><Value>123</Value></HeartRateBpm><Cadence>85</Cadence>
            <Extensions><x:TPX CadenceSensor="Bike"><x:Speed>7.25</x:Speed><x:Watts>201</x:Watts></x:TPX></Extensions>
            """
        let ride = try one(Text.lap(0, seconds: 1, Text.track(0...1) { $0 == 1 ? point : "" }))
        #expect(ride.readings("heartRate").map(\.value) == [123])
        #expect(ride.readings("cyclingCadence").map(\.value) == [85])
        #expect(ride.readings("cyclingPower").map(\.value) == [201])
        #expect(ride.readings("cyclingSpeed").map(\.value) == [7.25])
        #expect(ride.readings("distanceCycling").map(\.value) == [10.5])
        #expect(ride.readings("distanceCycling").map(\.start) == [Text.start])
        let positions = ride.list.compactMap { if case .position(let position) = $0.content { position } else { nil } }
        #expect(
            positions == [
                PositionReading(
                    latitudeInDegrees: 47.5, longitudeInDegrees: -8.25, altitudeInMeters: 412.5,
                    speedInMetersPerSecond: 7.25)
            ])
        #expect(ride.file.records == 2)
        #expect(ride.file.warnings == [])
    }

    @Test func `averages and plans of a lap are not readings`() throws {
        let means = """
            <AverageHeartRateBpm><Value>140</Value></AverageHeartRateBpm><MaximumHeartRateBpm><Value>180</Value>
            </MaximumHeartRateBpm><Cadence>90</Cadence>
            """
        let ride = try one(Text.lap(0, seconds: 9, means + Text.track(0...9) { Text.heartRate(100 + $0) }))
        #expect(ride.file.heartRate.count == 10)
        #expect(ride.file.heartRate.maximum == 109)
        #expect(ride.readings("cyclingCadence").isEmpty)
    }

    @Test func `a track that begins within a lap ends a pause, and one that begins with a lap does not`() throws {
        let laps =
            Text.lap(0, seconds: 20, Text.track(0...10) + Text.track(40...50))
            + Text.lap(51, seconds: 9, Text.track(51...60))
        let ride = try one(laps)
        #expect(ride.pauseSeconds == [[10, 40]])
        #expect(ride.file.timerInSeconds == 29)
        #expect(ride.events(.lap).map { $0.end.timeIntervalSince($0.start) } == [51, 9])
    }

    @Test func `in a lap shorter than its elapsed time, the longest gaps are pauses`() throws {
        let seconds = Array(0...10) + Array(stride(from: 16, through: 46, by: 6)) + Array(146...150)
        let ride = try one(Text.lap(0, seconds: 52, Text.track(seconds)))
        #expect(ride.pauseSeconds == [[46, 144]])
        #expect(try one(Text.lap(0, seconds: 150, Text.track(seconds))).pauses.isEmpty)
        // It states an impossible duration.
        #expect(try one(Text.lap(0, seconds: 1, Text.track(0...100))).pauses.isEmpty)
    }

    @Test func `uncounted time between two laps is a pause`() throws {
        let laps = Text.lap(0, seconds: 60, Text.track(0...60)) + Text.lap(600, seconds: 60, Text.track(600...660))
        #expect(try one(laps).pauseSeconds == [[60, 600]])
    }

    @Test func `a rest as long as a pool length follows the lap, and no metres move to the next`() throws {
        func lap(_ start: Int, _ count: Int) -> String {
            let points = [22, 44, 66, 88].map { start + $0 }
            return Text.lap(
                start, seconds: 95,
                Text.track(points + [start + 95]) { second in
                    guard let length = points.firstIndex(of: second) else { return "" }
                    return "<DistanceMeters>\(25 * (count + length + 1))</DistanceMeters>"
                })
        }
        let swim = try one(lap(0, 0) + lap(117, 4), sport: "Other")
        #expect(swim.pauseSeconds == [[95, 117]])
        let distances = swim.readings("distanceWalkingRunning")
        #expect(distances.filter { $0.end <= Text.start + 117 }.map(\.value).reduce(0, +) == 100)
    }

    @Test func `several activities are separate workouts in order of time`() throws {
        let file = Text.tcx(
            Text.activity("Running", Text.lap(7200, seconds: 9, Text.track(7200...7209)))
                + Text.activity("Biking", Text.lap(0, seconds: 9, Text.track(0...9) { Text.heartRate(90 + $0) })))
        let all = try Text.read(file)
        #expect(all.map { $0.header?.activity.activity } == ["cycling", "running"])
        #expect(all.map(\.file.workout) == [1, 2])
        #expect(all.map(\.file.workouts) == [2, 2])
        #expect(all.map { $0.readings("heartRate").count } == [10, 0])
        #expect(all.map { $0.start?.timeIntervalSince(Text.start) } == [0, 7200])
        #expect(Set(all.compactMap { $0.header?.id }).count == 2)
    }

    @Test func `the activities of a multisport session belong to one workout`() throws {
        func sport(_ name: String, _ from: Int, _ base: Double) -> String {
            Text.activity(
                name,
                Text.lap(
                    from, seconds: 10, meters: 10,
                    Text.track(from...from + 10) { Text.distance(base + Double($0 - from)) }))
        }
        let file = Text.tcx(
            "<MultiSportSession><Id>\(Text.time(0))</Id><FirstSport>\(sport("Other swimming", 0, 0))</FirstSport><NextSport>"
                + "<Transition StartTime=\"\(Text.time(11))\"/>\(sport("Biking", 20, 0))</NextSport><NextSport>"
                + "\(sport("Running", 40, 10))</NextSport></MultiSportSession>")
        let all = try Text.read(file)
        #expect(all.count == 1)
        #expect(all[0].header?.activity.activity == "swimBikeRun")
        #expect(all[0].activities.map(\.activity.activity) == ["swimming", "cycling", "running"])
        #expect(all[0].activities.map { $0.date.timeIntervalSince(Text.start) } == [0, 20, 40])
        #expect(all[0].file.sessions == 3)
        // The second count restarts, the third continues.
        #expect(all[0].readings("distanceSwimming").map(\.value).reduce(0, +) == 10)
        #expect(all[0].readings("distanceCycling").map(\.value).reduce(0, +) == 10)
        #expect(all[0].readings("distanceWalkingRunning").map(\.value).reduce(0, +) == 10)
    }

    @Test func `a count that starts again gives nothing to the activity before`() throws {
        let ride = Text.activity(
            "Biking", Text.lap(0, seconds: 10, meters: 10.4, Text.track(0...10) { Text.distance(Double($0)) }))
        let run = Text.activity(
            "Running", Text.lap(10, seconds: 10, meters: 9.5, Text.track(11...20) { Text.distance(Double($0) - 10.5) }))
        let file = Text.tcx(
            "<MultiSportSession><Id>\(Text.time(0))</Id><FirstSport>\(ride)</FirstSport><NextSport>\(run)</NextSport>"
                + "</MultiSportSession>")
        let read = try #require(try Text.read(file).first)
        #expect(read.readings("distanceCycling").map(\.value).reduce(0, +) == 10)
        #expect(read.readings("distanceWalkingRunning").map(\.value).reduce(0, +) == 9.5)
    }

    @Test(arguments: [
        ("2024-05-01T10:00:07+02:00", 0), ("2024-05-01T08:00:07.000Z", 0), ("2024-05-01T10:00:07+0200", 0),
        ("2024-05-01T03:00:07-05", 0), ("2024-05-01 08:00:07Z", 0), ("2024-05-01T08:00:07", 1),
        ("\n  2024-05-01T08:00:07Z \t", 0), ("2024-05-01T08:00:07.0000000+00:00", 0),
    ])
    func `times are read in every notation of other programs`(text: String, warnings: Int) throws {
        let track = "<Track><Trackpoint><Time>\(text)</Time>\(Text.heartRate(99))</Trackpoint></Track>"
        let ride = try one(Text.lap(0, track))
        #expect(ride.readings("heartRate").map { $0.start.timeIntervalSince(Text.start) } == [7])
        #expect(
            ride.file.warnings.map(\.message) == (warnings == 0 ? [] : ["times have no time zone; UTC was assumed"]))
    }

    @Test func `a point without a time is counted, and one that steps back is put in order`() throws {
        let track =
            Text.track([0, 1, 5, 3, 4, 6]) { Text.heartRate(100 + $0) + Text.distance(Double($0)) }
            + "<Track><Trackpoint><Time>soon</Time>\(Text.heartRate(180))</Trackpoint></Track>"
        let ride = try one(Text.lap(0, seconds: 6, track))
        #expect(ride.readings("heartRate").map(\.value) == [100, 101, 103, 104, 105, 106])
        #expect(ride.isInOrder)
        #expect(ride.file.heartRate.count == 7)
        #expect(ride.metersCovered == 6)
        let messages = ride.file.warnings.map(\.message)
        #expect(messages.contains("2 points step back in time; they were put in order"))
        #expect(messages.contains { $0.hasPrefix("1 points have no usable time") })
        #expect(messages.contains("an invalid time: “soon”"))
    }

    @Test func `without a count the distance is that between positions, and none across a pause`() throws {
        func place(_ second: Int) -> String {
            "<Position><LatitudeDegrees>0</LatitudeDegrees><LongitudeDegrees>\(9 + Double(second) / 1000)</LongitudeDegrees></Position>"
        }
        let ride = try one(Text.lap(0, seconds: 20, Text.track(0...10, place) + Text.track(60...70, place)))
        // A degree of the equator is 111,319.49 m.
        #expect(abs(ride.metersCovered - 20 * 111.31949) < 0.3)
        #expect(ride.readings("distanceCycling").allSatisfy { $0.end.timeIntervalSince($0.start) == 1 })
    }

    @Test func `the transition between two sports is an activity with its stated time and energy`() throws {
        func sport(_ name: String, _ seconds: Range<Int>) -> String {
            Text.activity(
                name,
                Text.lap(
                    seconds.lowerBound, seconds: Double(seconds.count - 1),
                    Text.track(seconds, { Text.heartRate(100 + $0 % 9) })))
        }
        let transition = """
            <Transition StartTime="\(Text.time(100))"><TotalTimeSeconds>60</TotalTimeSeconds><Calories>7</Calories>
            </Transition>
            """
        let recording = try Text.read(
            Text.tcx(
                "<MultiSportSession><Id>\(Text.time(0))</Id><FirstSport>\(sport("Biking", 0..<101))</FirstSport><NextSport>"
                    + "\(transition)\(sport("Running", 160..<261))</NextSport></MultiSportSession>"))[0]
        let parts = recording.entries.compactMap { entry in
            if case .activityBegan(let part) = entry.content { part.activity.activity } else { nil }
        }
        #expect(parts == ["cycling", "transition", "running"])
        #expect(recording.header?.activity.activity == "swimBikeRun")
        #expect(recording.pauses.isEmpty && recording.facts.seconds == 260)
        #expect(recording.readings("activeEnergyBurned").map(\.value) == [7])
        #expect(recording.events(.lap).map { $0.end.timeIntervalSince($0.start) } == [100, 60, 100])
    }

    @Test func `a lap without points has its stated duration`() throws {
        let gym = try one(
            "<Lap StartTime=\"\(Text.time(0))\"><TotalTimeSeconds>1800</TotalTimeSeconds><Calories>250</Calories></Lap>",
            sport: "Other")
        #expect(gym.end?.timeIntervalSince(Text.start) == 1800)
        #expect(gym.readings("activeEnergyBurned").map(\.value) == [250])
        #expect(gym.events(.lap).map { $0.end.timeIntervalSince($0.start) } == [1800])
    }

    @Test func `courses and plans are rejected by name`() throws {
        let course = """
            <TrainingCenterDatabase><Courses><Course><Name>Loop</Name><Track><Trackpoint><Time>\(Text.time(0))</Time>
            </Trackpoint></Track></Course></Courses></TrainingCenterDatabase>
            """
        #expect { try Text.read(course) } throws: {
            "\($0)"
                == "cannot read file as a workout: it is a planned course, not a recorded activity; export the activity itself"
        }
        let workout = "<Workout Sport=\"Running\"><Name>Intervals</Name></Workout>"
        let plan = "<TrainingCenterDatabase><Workouts>\(workout)</Workouts></TrainingCenterDatabase>"
        #expect { try Text.read(plan) } throws: {
            "\($0)".contains("it is a workout plan")
        }
        let nothing = try Text.read("<TrainingCenterDatabase><Activities/></TrainingCenterDatabase>")
        #expect(nothing.map(\.entries.isEmpty) == [true])
        #expect(nothing[0].file.warnings.map(\.message) == ["the file holds no track"])
    }
}
