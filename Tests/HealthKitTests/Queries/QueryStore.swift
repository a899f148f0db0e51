import Foundation
import HealthKit
import MadeSamples

/// A health store in memory, and the samples that tests put into it.
struct QueryStore {
    let database = SQLiteHealthDatabase(.memory)
    let store: HKHealthStore

    init() {
        store = HKHealthStore(environment: HealthEnvironment(sensors: []), database: database)
    }

    func save(_ objects: [HKObject], from source: String = "Watch") throws {
        try database.save(objects, from: Made.source(source))
    }
}
