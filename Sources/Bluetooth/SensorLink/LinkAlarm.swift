import DBus

/// The deadline of a ``SensorLinkRun``. Each value moves it, and it rarely passes.
///
/// Moving it is cheap: the D-Bus thread, which receives the values, can wait for the machine's own clock. On any other
/// clock a task sleeps, and checks after waking whether the deadline has moved.
@BusActor
final class LinkAlarm {
    private let clock: LinkClock
    private let ring: () -> Void
    private var due: Duration?
    private var scheduled: Int?
    private var sleeping: (task: Task<Void, Never>, until: Duration)?

    init(_ clock: LinkClock, ring: @escaping () -> Void) {
        self.clock = clock
        self.ring = ring
    }

    func set(_ due: Duration) {
        self.due = due
        if clock.isContinuous {
            if let scheduled { BusSchedule.shared.cancel(scheduled) }
            scheduled = BusSchedule.shared.after(due - clock.now()) { [weak self] in self?.check() }
        } else if sleeping.map({ $0.until > due }) ?? true {
            sleep(until: due)
        }
    }

    func cancel() {
        due = nil
        if let scheduled { BusSchedule.shared.cancel(scheduled) }
        sleeping?.task.cancel()
        sleeping = nil
    }

    private func sleep(until due: Duration) {
        sleeping?.task.cancel()
        let task = Task { [weak self, clock] in
            guard (try? await clock.sleep(due)) != nil, !Task.isCancelled else { return }
            self?.sleeping = nil
            self?.check()
        }
        sleeping = (task, due)
    }

    private func check() {
        guard let due else { return }
        if clock.now() >= due {
            self.due = nil
            ring()
        } else {
            set(due)
        }
    }
}

/// Elapsed time on any clock.
struct LinkClock: Sendable {
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void
    /// The continuous clock: it can't be set, and continues while the machine sleeps.
    let isContinuous: Bool

    init(_ clock: any Clock<Duration>) {
        self = Self.make(clock)
    }

    private init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        isContinuous: Bool
    ) {
        self.now = now
        self.sleep = sleep
        self.isContinuous = isContinuous
    }

    private static func make<C: Clock>(_ clock: C) -> LinkClock where C.Duration == Duration {
        let start = clock.now
        return LinkClock(
            now: { start.duration(to: clock.now) },
            sleep: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) },
            isContinuous: clock is ContinuousClock)
    }
}
