package import SessionLog

/// A recording as a sensor: its entries, given to a new session at the recording's own pace, faster, or at once.
///
/// Everything that was recorded happens again: readings, pauses and resumes, laps, parts of a multisport workout, the
/// stop. Recorded dates are shifted so that the recording begins when the session does, unless it says when it begins.
package struct ReplaySensor: Sensor {
    package let pace: SessionTimeline.Pace
    package let fixedStart: Date?
    private let workout: ReplayedWorkout
    /// What a session has taken in already, up to this moment of its time.
    private var resumed: Date?

    package var wearer: WearerProfile? { workout.wearer }
    package var statesEnergy: Bool { workout.hasEnergy() }

    /// - Parameters:
    ///   - workout: What comes before its start is left out.
    ///   - speed: How many times faster than recorded; infinity for as fast as it goes.
    ///   - start: When the session begins; nil: when the app begins it.
    package init(_ workout: ReplayedWorkout, speed: Double, start: Date? = nil) {
        self.workout = workout
        pace = speed.isInfinite ? .jumping : .times(speed)
        fixedStart = start
    }

    /// The same for a session that has got everything up to `date`: it goes on behind that.
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
        /// The sensors as they were where the recording goes on, until that has been said.
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
                if let failure = batches.workout.failure() { throw HKError.wrapping(failure) }
                return nil
            }
            try Task.checkCancellation()
            // Without a wait there is no suspension either: at full speed the recorder never leaves its queue.
            if case .times(let speed) = batches.pace {
                let sinceStart = first.date.addingTimeInterval(batches.shift).timeIntervalSince(batches.start)
                let time = batches.time
                try await time.sleep(until: wallStart.addingTimeInterval(sinceStart / speed))
            }
            // Known before, and away since the process ended.
            var batch = sensors.map { SessionEntry(first.date.addingTimeInterval(batches.shift), .sensor($0)) }
            sensors = []
            while let entry = upcoming, entry.date == first.date {
                batch.append(batches.shift == 0 ? entry : entry.shifted(by: batches.shift))
                upcoming = source.next()
            }
            return batch
        }

        package mutating func next() async throws -> [SessionEntry]? {
            try await next(isolation: nil)
        }
    }
}
