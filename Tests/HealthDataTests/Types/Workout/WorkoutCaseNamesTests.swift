import HealthData
import SessionLog
import Testing

struct WorkoutCaseNamesTests {
    @Test func `every activity is found by its name`() {
        for activity in HKWorkoutActivityType.allActivityTypes {
            #expect(HKWorkoutActivityType(caseName: activity.caseName) == activity)
        }
        // Raw values up to 84 and 3000, without 81.
        let known = (0...3500).filter { HKWorkoutActivityType(rawValue: UInt($0)) != nil }
        #expect(Set(known) == Set(HKWorkoutActivityType.allActivityTypes.map { Int($0.rawValue) }))
        #expect(known == Array(1...80) + [82, 83, 84, 3000])
    }

    @Test(arguments: [("running", 37 as UInt), ("swimBikeRun", 82), ("dance", 14), ("other", 3000)])
    func `an activity's name is that of its case`(name: String, rawValue: UInt) throws {
        let activity = try #require(HKWorkoutActivityType(caseName: name))
        #expect(activity.rawValue == rawValue)
        #expect(activity.caseName == name)
    }

    @Test func `an unknown name finds nothing`() {
        #expect(HKWorkoutActivityType(caseName: "jogging") == nil)
        #expect(HKWorkoutSessionLocationType(caseName: "") == nil)
        #expect(HKWorkoutSwimmingLocationType(caseName: "indoor") == nil)
        #expect(HKWorkoutSessionState(caseName: "Running") == nil)
        #expect(HKWorkoutEventType(caseName: "Lap") == nil)
    }

    @Test func `the names in session logs and the cases are the same`() throws {
        for location in ActivityDescription.Location.allCases {
            #expect(HKWorkoutSessionLocationType(caseName: location.rawValue)?.caseName == location.rawValue)
        }
        for location in ActivityDescription.SwimmingLocation.allCases {
            #expect(HKWorkoutSwimmingLocationType(caseName: location.rawValue)?.caseName == location.rawValue)
        }
        for phase in SessionPhase.allCases {
            #expect(HKWorkoutSessionState(caseName: phase.rawValue)?.caseName == phase.rawValue)
        }
        for kind in EventRecord.Kind.allCases {
            #expect(HKWorkoutEventType(caseName: kind.rawValue)?.caseName == kind.rawValue)
        }
        for raw in 1...8 {
            let event = try #require(HKWorkoutEventType(rawValue: raw))
            #expect(EventRecord.Kind(rawValue: event.caseName) != nil)
        }
        for raw in 1...6 {
            let state = try #require(HKWorkoutSessionState(rawValue: raw))
            #expect(SessionPhase(rawValue: state.caseName) != nil)
        }
    }

    @Test func `raw values are Apple's`() {
        #expect(HKWorkoutSessionState.paused.rawValue == 4 && HKWorkoutSessionState.stopped.rawValue == 6)
        #expect(
            HKWorkoutSessionLocationType.unknown.rawValue == 1 && HKWorkoutSwimmingLocationType.unknown.rawValue == 0)
        #expect(HKWorkoutEventType.pauseOrResumeRequest.rawValue == 8)
        #expect(HKWorkoutSessionType.mirrored.rawValue == 1)
        #expect(HKUpdateFrequency.immediate.rawValue == 1 && HKUpdateFrequency.weekly.rawValue == 4)
        #expect(HKAuthorizationStatus.sharingAuthorized.rawValue == 2)
        #expect(HKAuthorizationRequestStatus.unnecessary.rawValue == 2)
        #expect(HKObjectQueryNoLimit == 0)
    }
}
