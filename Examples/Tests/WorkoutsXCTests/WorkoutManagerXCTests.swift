#if os(Linux)
import HealthKit
import HealthKitTesting
import XCTest

@testable import Workouts

final class WorkoutManagerXCTests: XCTestCase {
    /// Each test method has its own world.
    override func invokeTest() {
        HealthKitWorld.run(.init(sensors: .replay("Tests/WorkoutsTests/intervals.jsonl")), name: name) {
            super.invokeTest()
        }
    }

    func testKeepsTheWorkout() async throws {
        let manager = await WorkoutManager()
        await manager.start(.running)
        let workout = try await HealthKitWorld.current.finished()
        XCTAssertEqual(workout?.duration, 1140)
        XCTAssertEqual(try HealthKitWorld.current.savedWorkouts.count, 1)
    }

    func testBeginsWithAnEmptyStore() throws {
        XCTAssertTrue(HKHealthStore.isHealthDataAvailable())
        XCTAssertTrue(try HealthKitWorld.current.saved.isEmpty)
    }
}
#endif
