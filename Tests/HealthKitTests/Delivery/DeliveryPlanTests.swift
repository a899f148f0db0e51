import Foundation
import HealthKit
import MadeSamples
import Testing

@Suite struct DeliveryPlanTests {
    @Test func `an app that runs, or may not read, is not started`() {
        let state = DeliveryState(frequency: .immediate, answered: 10)
        let app = DeliveryApp(bundleIdentifier: "test.App", name: "App", executable: "/bin/app")
        let apps = [
            AppDeliveries(
                app: app,
                deliveries: [
                    .init(type: Made.heartRate, state: state, latest: 11),
                    .init(type: Made.steps, state: state, latest: 11),
                    .init(type: Made.sleep, state: state, latest: 10),
                ])
        ]
        func plan(running: Bool = false, refused: Set<HKSampleType> = []) -> [[HKSampleType]] {
            DeliveryPlan(apps, now: Made.start) { _ in
                running
            } mayRead: {
                !refused.contains($1)
            }.starts.map(\.types)
        }
        #expect(plan() == [[Made.heartRate, Made.steps]])
        #expect(plan(running: true).isEmpty)
        #expect(plan(refused: [Made.heartRate]) == [[Made.steps]])
        #expect(plan(refused: [Made.heartRate, Made.steps]).isEmpty)
    }
}
