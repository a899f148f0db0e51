package import Recordings

/// A recording as a sensor: its entries, given to a new session at the recording's own pace, faster, or at once.
///
/// Everything that was recorded happens again: readings, pauses and resumes, laps, parts of a multisport workout, the
/// stop. Recorded dates are shifted so that the recording begins when the session does, unless its dates are kept.
package struct ReplaySensor: Sensor {
    package let pace: SessionTimeline.Pace
    package let fixedStart: Date?
    private let entries: any Sequence<SessionEntry> & Sendable
    private let recordedStart: Date

    /// - Parameters:
    ///   - entries: In order of time. What comes before `recordedStart` is left out.
    ///   - recordedStart: When the recorded session began.
    ///   - speed: How many times faster than recorded; infinity for as fast as it goes.
    package init(
        _ entries: any Sequence<SessionEntry> & Sendable, recordedStart: Date, speed: Double, keepsDates: Bool = false
    ) {
        self.entries = entries
        self.recordedStart = recordedStart
        pace = speed.isInfinite ? .jumping : .times(speed)
        fixedStart = keepsDates ? recordedStart : nil
    }

    package func batches(from start: Date, time: any TimeSource) -> Batches {
        Batches(
            entries: entries, shift: start.timeIntervalSince(recordedStart), start: start, pace: pace, time: time)
    }

    package struct Batches: AsyncSequence, Sendable {
        fileprivate let entries: any Sequence<SessionEntry> & Sendable
        fileprivate let shift: TimeInterval
        fileprivate let start: Date
        fileprivate let pace: SessionTimeline.Pace
        fileprivate let time: any TimeSource

        package func makeAsyncIterator() -> Iterator {
            Iterator(source: Self.iterator(entries), batches: self, wallStart: time.now())
        }

        /// Returns when the recorded moment has come.
        fileprivate func wait(for recorded: Date, wallStart: Date) async throws {
            try Task.checkCancellation()
            guard case .times(let speed) = pace else { return }
            let sinceStart = recorded.addingTimeInterval(shift).timeIntervalSince(start)
            try await time.sleep(until: wallStart.addingTimeInterval(sinceStart / speed))
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

        fileprivate init(source: AnyIterator<SessionEntry>, batches: Batches, wallStart: Date) {
            self.source = source
            self.batches = batches
            self.wallStart = wallStart
            upcoming = source.next()
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async throws -> [SessionEntry]? {
            guard let first = upcoming else { return nil }
            let batches = batches
            try await batches.wait(for: first.date, wallStart: wallStart)
            var batch: [SessionEntry] = []
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
