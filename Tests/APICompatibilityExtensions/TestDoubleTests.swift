import Foundation
import HealthKit
import Testing

@Suite struct TestDoubleTests {
    private let steps = HKQuantityType(.stepCount)

    @Test func `a double answers in place of the store`() async throws {
        let store = FakeHealthStore()
        let sync = StepSync(healthStore: store)
        #expect(!sync.isAuthorized)
        #expect(try await store.statusForAuthorizationRequest(toShare: [steps], read: []) == .shouldRequest)
        try await sync.authorize()
        #expect(sync.isAuthorized)
        #expect(store.requested?.share == [steps])
        #expect(FakeHealthStore.isHealthDataAvailable() == false)

        let first: (Bool, Error?) = await withCheckedContinuation { done in
            sync.add(10, at: Date()) { done.resume(returning: ($0, $1)) }
        }
        #expect(first.0 && store.saved.count == 1)
        store.saveError = HKError(.errorAuthorizationDenied)
        let second: (Bool, Error?) = await withCheckedContinuation { done in
            sync.add(10, at: Date()) { done.resume(returning: ($0, $1)) }
        }
        #expect(!second.0 && (second.1 as? HKError)?.code == .errorAuthorizationDenied)
        sync.removeAll(before: Date())
        #expect(store.deletedPredicates.count == 1)
    }

    @Test func `a double's queries fire when the test decides`() throws {
        let store = FakeHealthStore()
        let sync = StepSync(healthStore: store) { FakeObserverQuery(sampleType: $0, predicate: nil, updateHandler: $1) }
        let changes = Counted()
        sync.start { changes.add() }
        let query = try #require(sync.observer as? FakeObserverQuery)
        #expect(store.executed == [query])
        #expect(store.background == [steps: .hourly])
        var isAnswered = false
        query.fire({ isAnswered = true }, nil)
        #expect(changes.count == 1 && isAnswered)
        query.fire({}, HKError(.errorAuthorizationNotDetermined))
        #expect(changes.count == 1)
        sync.stop()
        #expect(store.stopped == [query])
        #expect(store.background.isEmpty)
    }
}

private final class Counted: @unchecked Sendable {
    private let lock = NSLock()
    private var value = 0
    var count: Int { lock.withLock { value } }
    func add() { lock.withLock { value += 1 } }
}
