import HealthKit
import Recordings

/// The strap as a session's sensor.
struct ScriptedSensor: Sensor {
    let pace = SessionTimeline.Pace.wall
    let fixedStart: Date? = nil
    let strap: ScriptedStrap
    let activity: ActivityDescription

    func batches(from start: Date, time: any TimeSource) -> CountedBatches {
        let taken = Taken()
        let live = LiveBatches { [strap, activity] take in
            let entries = SensorEntries(ScriptedStrap.sensor, activity: activity, keepsNotifications: false)
            let feed = SensorFeed(entries, time: time) { batch in
                taken.handedOver()
                take(batch)
            }
            feed.begin(at: start)
            let link = ScriptedStrap.Link(feed, taken) { time.now() }
            strap.listener.begin(link)
            await taken.end()
            strap.listener.end(link)
            feed.end()
        }
        return CountedBatches(live: live, taken: taken)
    }
}

/// Batches whose reader is waited for.
struct CountedBatches: AsyncSequence {
    typealias Element = [SessionEntry]
    typealias Failure = any Error

    let live: LiveBatches
    let taken: Taken

    func makeAsyncIterator() -> Iterator { Iterator(live: live.makeAsyncIterator(), taken: taken) }

    final class Iterator: AsyncIteratorProtocol {
        private let live: LiveBatches.Iterator
        private let taken: Taken

        init(live: LiveBatches.Iterator, taken: Taken) {
            self.live = live
            self.taken = taken
        }

        deinit { taken.finish() }

        func next(isolation actor: isolated (any Actor)?) async throws -> [SessionEntry]? {
            taken.askedAgain()
            return try await live.next(isolation: actor)
        }

        func next() async throws -> [SessionEntry]? { try await next(isolation: nil) }
    }
}
