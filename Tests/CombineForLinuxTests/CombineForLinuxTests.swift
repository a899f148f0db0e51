#if Combine
import CombineForLinux
import Foundation
import Testing

private struct Away: Error {}

/// The parts that OpenCombine lacks, and the parts of OpenCombine that apps use most.
@Suite struct CombineForLinuxTests {
    private final class Seen<Value> {
        var values: [Value] = []
        var end: String?
        var held: AnyCancellable?

        init<P: Publisher>(_ publisher: P) where P.Output == Value {
            held = publisher.sink(
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: self.end = "finished"
                    case .failure: self.end = "failed"
                    }
                }, receiveValue: { self.values.append($0) })
        }
    }

    @Test func `merge publishes values as they arrive and ends with the last publisher`() {
        let a = PassthroughSubject<Int, Never>()
        let b = PassthroughSubject<Int, Never>()
        let c = PassthroughSubject<Int, Never>()
        let seen = Seen(a.merge(with: b, c.map { $0 * 100 }))
        a.send(1)
        c.send(3)
        b.send(2)
        a.send(completion: .finished)
        b.send(completion: .finished)
        #expect(seen.end == nil)
        c.send(4)
        c.send(completion: .finished)
        #expect(seen.values == [1, 300, 2, 400])
        #expect(seen.end == "finished")
        #expect(Seen(Publishers.MergeMany([Just(1), Just(2), Just(3)])).values == [1, 2, 3])
    }

    @Test func `the first failure ends a merge`() {
        let a = PassthroughSubject<Int, Away>()
        let b = PassthroughSubject<Int, Away>()
        let seen = Seen(Publishers.Merge(a, b))
        a.send(completion: .failure(Away()))
        b.send(1)
        #expect(seen.values.isEmpty)
        #expect(seen.end == "failed")
    }

    @Test func `combineLatest waits for all publishers and then publishes each change`() {
        let heartRate = CurrentValueSubject<Int, Never>(60)
        let name = PassthroughSubject<String, Never>()
        let seen = Seen(heartRate.combineLatest(name) { "\($1) \($0)" })
        heartRate.send(61)
        #expect(seen.values.isEmpty)
        name.send("Anna")
        heartRate.send(62)
        name.send("Bert")
        #expect(seen.values == ["Anna 61", "Anna 62", "Bert 62"])
        name.send(completion: .finished)
        #expect(seen.end == nil)
        heartRate.send(completion: .finished)
        #expect(seen.end == "finished")
    }

    @Test func `three and four publishers are combined`() {
        let a = CurrentValueSubject<Int, Never>(1)
        let four = Seen(
            Publishers.CombineLatest4(a, Just("b"), Just(3.0), Just(true)).map { "\($0) \($1) \($2) \($3)" })
        let three = Seen(a.combineLatest(Just(2), Just(3)) { $0 + $1 + $2 })
        a.send(5)
        #expect(four.values == ["1 b 3.0 true", "5 b 3.0 true"])
        #expect(three.values == [6, 10])
    }

    @Test func `a subscriber gets no more than its demand`() {
        let a = PassthroughSubject<Int, Never>()
        let b = PassthroughSubject<Int, Never>()
        let seen = Seen(a.combineLatest(b) { $0 + $1 }.prefix(1))
        a.send(1)
        b.send(1)
        b.send(2)
        #expect(seen.values == [2])
        #expect(seen.end == "finished")
    }

    private class Model: NSObject, ObservableObject {
        @Published var heartRate = 0
        @Published var isRunning = false
    }

    private final class Workout: Model { @Published var distance = 0.0 }

    @Test func `an observable object announces the change and publishes the new value`() {
        let workout = Workout()
        var changes = 0
        let held = workout.objectWillChange.sink { changes += 1 }
        let rates = Seen(workout.$heartRate.removeDuplicates())
        workout.heartRate = 120
        workout.heartRate = 120
        workout.distance = 10
        workout.isRunning.toggle()
        #expect(changes == 4)
        #expect(rates.values == [0, 120])
        held.cancel()
    }

    @Test func `values arrive on the main queue`() async {
        let subject = PassthroughSubject<Int, Never>()
        let (stream, continuation) = AsyncStream<Bool>.makeStream()
        let held = subject.receive(on: DispatchQueue.main).sink { _ in
            dispatchPrecondition(condition: .onQueue(.main))
            continuation.yield(true)
        }
        subject.send(1)
        #expect(await stream.first { _ in true } == true)
        held.cancel()
    }

    @Test func `notifications and timers publish`() async {
        let center = NotificationCenter()
        let name = Notification.Name("paused")
        let seen = Seen(center.publisher(for: name).map(\.name))
        center.post(name: name, object: nil)
        #expect(seen.values == [name])
        let ticks = Timer.publish(every: 1, on: .main, in: .common).autoconnect()
        ticks.sink { _ in }.cancel()
    }
}
#endif
