import Analytics
import Foundation
import SessionLog
import Testing

@testable import Engine

struct WorkoutProfileJSONTests {
    private func profile(_ json: String) throws -> WorkoutProfile {
        try WorkoutProfile(json: Data(json.utf8), path: "profile.json")
    }

    @Test func `every field of a file is read`() throws {
        let profile = try profile(
            """
            {
              "name": "hill repeats", "activity": "swimBikeRun", "location": "outdoor",
              "swimmingLocation": "openWater", "poolLengthInMeters": 25, "temperatureInCelsius": 25,
              "athlete": {"restingHeartRate": 52, "maximumHeartRate": 186, "fitness": "elite"},
              "segments": [
                {"seconds": 600, "intensity": 0.5, "speedInMetersPerSecond": 2.6, "lap": false},
                {"repeat": 2, "segments": [
                  {"seconds": 90, "intensity": 0.95, "speedInMetersPerSecond": 3.9},
                  {"seconds": 120, "intensity": 0.4}]},
                {"seconds": 60, "pause": true},
                {"seconds": 900, "intensity": 0.6, "activity": "cycling", "location": "outdoor",
                 "powerInWatts": 200, "cadencePerMinute": 90}],
              "dropouts": [{"start": 300, "seconds": 25}],
              "artefacts": {"missed": 0.01, "heartRateNoise": 1}
            }
            """)
        let hard = WorkoutProfile.Segment(seconds: 90, intensity: 0.95, speedInMetersPerSecond: 3.9)
        let easy = WorkoutProfile.Segment(seconds: 120, intensity: 0.4)
        #expect(
            profile
                == WorkoutProfile(
                    name: "hill repeats",
                    activity: ActivityDescription(
                        activity: "swimBikeRun", location: .outdoor, swimmingLocation: .openWater,
                        lapLengthInMeters: 25),
                    athlete: SimulatedAthlete(restingHeartRate: 52, maximumHeartRate: 186, fitness: .elite),
                    temperatureInCelsius: 25,
                    segments: [
                        .init(seconds: 600, intensity: 0.5, speedInMetersPerSecond: 2.6, endsLap: false),
                        hard, easy, hard, easy, .pause(seconds: 60),
                        .init(
                            seconds: 900, intensity: 0.6, powerInWatts: 200, cadencePerMinute: 90,
                            activity: ActivityDescription(activity: "cycling", location: .outdoor)),
                    ],
                    dropouts: [.init(start: 300, seconds: 25)],
                    artefacts: .init(missed: 0.01, heartRateNoise: 1)))
    }

    @Test func `an activity and one segment are enough`() throws {
        let profile = try profile(#"{"activity": "walking", "segments": [{"seconds": 60, "intensity": 0.2}]}"#)
        #expect(profile.name == "profile.json")
        #expect(profile.athlete == SimulatedAthlete())
        #expect(profile.seconds == 60)
    }

    @Test(arguments: [
        ("", "", nil),
        ("[]", "", "it is not a JSON object."),
        (#"{"segments": []}"#, "activity", "it is missing."),
        (#"{"activity": "running"}"#, "segments", "it is missing."),
        (#"{"activity": "running", "segments": []}"#, "segments", "it is empty."),
        (#"{"activity": "running", "segments": [{"seconds": 60}]}"#, "segments[0].intensity", "it is missing."),
        (#"{"activity": 7, "segments": []}"#, "activity", "it is not a string."),
        (
            #"{"activity": "running", "segments": [{"seconds": 0.5, "intensity": 1}]}"#, "segments[0].seconds",
            "it must be a whole number, 1 … 86400, not 0.5."
        ),
        (
            #"{"activity": "running", "segments": [{"seconds": 5, "intensity": 70}]}"#, "segments[0].intensity",
            "it must be 0.0 … 2.0, not 70.0."
        ),
        (
            #"{"activity": "running", "segments": [{"repeat": 2, "segments": [{"seconds": 5, "intensity": "hard"}]}]}"#,
            "segments[0].segments[0].intensity", "it is not a number."
        ),
        (
            #"{"activity": "running", "location": "moon", "segments": []}"#, "location",
            "it must be one of unknown, indoor, outdoor, not “moon”."
        ),
        (
            #"{"activity": "running", "segments": [{"seconds": 5, "pause": true, "intensity": 1}]}"#,
            "segments[0].intensity", "unknown key; known are pause, seconds."
        ),
        (
            #"{"activity": "running", "segments": [], "dropout": []}"#, "dropout", nil
        ),
    ])
    func `an invalid file is rejected with the place and the reason`(
        _ json: String, _ place: String, _ problem: String?
    ) {
        #expect {
            try profile(json)
        } throws: { error in
            guard case .invalid("profile.json", place, let stated) = error as? WorkoutProfileError else { return false }
            return problem == nil || problem == stated
        }
    }

    @Test func `an unknown name lists the existing ones`() {
        #expect(throws: WorkoutProfileError.unknownName("walk", known: WorkoutProfile.builtIn.map(\.name))) {
            try WorkoutProfile(named: "walk")
        }
        #expect(
            WorkoutProfileError.unknownName("walk", known: ["ride", "rest"]).description
                == "Unknown workout profile “walk”. Use one of ride, rest, or a JSON file.")
    }

    @Test func `a missing file is named`() {
        #expect {
            try WorkoutProfile(named: "no/such/file.json")
        } throws: { error in
            guard case .unreadable(let path, _) = error as? WorkoutProfileError else { return false }
            return path.hasSuffix("no/such/file.json")
        }
    }

    @Test(arguments: WorkoutProfile.builtIn.map(\.name))
    func `every built-in profile is found by its name`(_ name: String) throws {
        #expect(try WorkoutProfile(named: name).name == name)
    }
}
