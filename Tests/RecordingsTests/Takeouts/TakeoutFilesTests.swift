import Testing

@testable import Recordings

struct TakeoutFilesTests {
    @Test(arguments: [
        ("x/com.samsung.shealth.exercise.20240101.csv", false), ("com.samsung.health.exercise.2018.csv", false),
        ("com.samsung.shealth.exercise.csv", false), ("com.samsung.shealth.exercise.weather.20240101.csv", true),
        ("x/com.samsung.shealth.tracker.heart_rate.20240101.csv", true), ("ride.csv", false),
        ("x/jsons/com.samsung.shealth.tracker.heart_rate/2/2a.binning_data.json", true),
        ("a.com.samsung.health.exercise.live_data.json", false), ("", false),
        ("Takeout/Google Health/Physical Activity_GoogleData/heart_rate_2026-03-01.csv", true),
        ("Takeout/Google Health/Heart Rate/heart_rate_2026-03-01.csv", true),
        ("Takeout/Fitbit/Herzfrequenz/heart_rate_2026-03-01.csv", true),
        ("x/Aktivität_GoogleData/gps_location_2026-03-01.csv", true), ("x/heart_rate_2026-03-01.csv", false),
        ("Takeout/Google Health/Global Export Data/exercise-0.json", false),
        ("Takeout/Fitbit/Activities/1.tcx", false),
        ("Takeout/Fitbit/Health Fitness Data_GoogleData/UserExercises_2026-03-01.csv", false),
        ("Takeout/Fitbit/Health Fitness Data_GoogleData/UserSleeps_2026-03-01.csv", true),
        ("x/Sport-sessions/2023_a.json", false), ("x/Sport-sessions/GPS-data/2023_a.json", true),
        ("x/Sport-sessions/Heart-rate-data/2023_a.json", true), ("x/Sport-sessions/GPS-data/2023_b.gpx", false),
        ("x/Sport-sessions", false), ("Sport-sessions/", false),
    ])
    func `only lists of exercises and sessions have workouts`(name: String, isNone: Bool) {
        #expect(TakeoutFiles([]).holdsNoWorkout(name) == isNone)
    }

    @Test func `a track of adidas Running is left out if its session has the same positions`() {
        let source = RecordingSource(path: "a", bytes: [])
        let id = "fdd2f131-ef65-4e6c-b27e-50b8ecf465d4"
        let track = "x/Sport-sessions/GPS-data/2023-07-10-UTC_\(id).gpx"
        let session = ("x/Sport-sessions/2023-07-10-UTC_\(id).json", source)
        let places = ("x/Sport-sessions/GPS-data/2023-07-10-UTC_\(id).json", source)
        #expect(TakeoutFiles([session, places]).holdsNoWorkout(track))
        #expect(!TakeoutFiles([session]).holdsNoWorkout(track) && !TakeoutFiles([places]).holdsNoWorkout(track))
        #expect(TakeoutFiles([]).completed(by: TakeoutFiles([session, places])).holdsNoWorkout(track))
    }
}
