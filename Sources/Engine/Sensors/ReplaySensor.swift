package import Foundation
package import SessionLog

/// Replays a recording as a sensor: passes its entries to a new session at the recorded speed, faster, or at once.
///
/// It replays readings, pauses, laps, activities of a multisport workout and the stop. Dates are shifted to the start
/// of the session, unless the recording's dates are kept.
package struct ReplaySensor: Sensor {
    package let pace: SessionTimeline.Pace
    package let fixedStart: Date?
    private let workout: ReplayedWorkout
    /// The entries that the session already has, up to this date.
    private var resumed: Date?

    package var wearer: WearerProfile? { workout.wearer }
    package var statesEnergy: Bool { workout.hasEnergy() }

    /// - Parameters:
    ///   - workout: Entries before its start are ignored.
    ///   - speed: The speed as a factor. Infinity for the highest.
    ///   - start: The start of the session. Nil if the app begins it.
    package init(_ workout: ReplayedWorkout, speed: Double, start: Date? = nil) {
        self.workout = workout
        pace = speed.isInfinite ? .jumping : .times(speed)
        fixedStart = start
    }

    /// Creates the sensor for a session that already has the entries up to `date`, and continues after it.
    package func resumed(at date: Date) -> ReplaySensor {
        var copy = self
        copy.resumed = date
        return copy
    }

    package func batches(from start: Date, time: any TimeSource) -> Batches {
        Batches(workout: workout, start: start, resumed: resumed, pace: pace, time: time)
    }

    package struct Batches: AsyncSequence, Sendable {
        fileprivate let workout: ReplayedWorkout
        fileprivate let start: Date
        fileprivate let resumed: Date?
        fileprivate let pace: SessionTimeline.Pace
        fileprivate let time: any TimeSource

        fileprivate var shift: TimeInterval { start.timeIntervalSince(workout.start) }

        package func makeAsyncIterator() -> Iterator {
            Iterator(source: Self.iterator(workout.entries), batches: self, wallStart: time.now())
        }

        private static func iterator(_ entries: some Sequence<SessionEntry>) -> AnyIterator<SessionEntry> {
            AnyIterator(entries.makeIterator())
        }
    }

    package struct Iterator: AsyncIteratorProtocol {
        private var source: AnyIterator<SessionEntry>
        private var upcoming: SessionEntry?
        private let batches: Batches
        private let wallStart: Date
        /// The statuses of the sensors at that date, until they are reported.
        private var sensors: [SensorStatus] = []

        fileprivate init(source: AnyIterator<SessionEntry>, batches: Batches, wallStart: Date) {
            self.source = source
            self.batches = batches
            upcoming = source.next()
            guard let resumed = batches.resumed else {
                self.wallStart = wallStart
                return
            }
            let done = resumed.timeIntervalSince(batches.start)
            if case .times(let speed) = batches.pace {
                self.wallStart = wallStart.addingTimeInterval(-done / speed)
            } else {
                self.wallStart = wallStart
            }
            var latest = LatestSensors()
            while let entry = upcoming, entry.date.addingTimeInterval(batches.shift) <= resumed {
                if case .sensor(let status) = entry.content { latest.note(status) }
                upcoming = self.source.next()
            }
            sensors = latest.all
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async throws -> [SessionEntry]? {
            guard let first = upcoming else {
                if let failure = batches.workout.failure() { throw failure }
                return nil
            }
            try Task.checkCancellation()
            // Without a wait, it does not suspend, so at full speed the recorder never leaves its queue.
            if case .times(let speed) = batches.pace {
                let sinceStart = first.date.addingTimeInterval(batches.shift).timeIntervalSince(batches.start)
                let time = batches.time
                try await time.sleep(until: wallStart.addingTimeInterval(sinceStart / speed))
            }
            // Known sensors are away since the process ended.
            var batch = sensors.map { SessionEntry(first.date.addingTimeInterval(batches.shift), .sensor($0)) }
            sensors = []
            while let entry = upcoming, entry.date == first.date {
                // The session has begun by itself. The recorded start would end a pause made before it arrives.
                if entry.content != .state(.running) || entry.date != batches.workout.start {
                    batch.append(batches.shift == 0 ? entry : entry.shifted(by: batches.shift))
                }
                upcoming = source.next()
            }
            return batch
        }

        package mutating func next() async throws -> [SessionEntry]? {
            try await next(isolation: nil)
        }
    }
}
