#if Mirroring
import NIOCore
import NIOPosix
import Synchronization

/// The one thread that does all mirroring of a process, and its clock.
///
/// Connections are only used on this thread, so they need no locks, and an entry reaches the network with one hop.
package final class MirrorReactor: Sendable {
    /// Called at every tick.
    protocol TickObserver: AnyObject, Sendable {
        func tick(at now: ContinuousClock.Instant)
    }

    /// The reactor of the process, which lives as long as it.
    package static let shared = MirrorReactor()

    let loop: any EventLoop
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let chance: @Sendable () -> Double
    private let ticking: Mutex<[ObjectIdentifier: any TickObserver]>
    private let ticks: Mutex<RepeatedTask?>
    private let isDriven: Bool
    /// How long a connection may take until both sides have sent hello, and a pairing until both show a code.
    let helloLimit: Duration
    let exchangeLimit: TimeAmount

    /// Ticks several times a second while there are observers.
    package convenience init() {
        self.init(loop: MultiThreadedEventLoopGroup(numberOfThreads: 1).next(), isDriven: false)
    }

    /// Creates a reactor for tests. With `isDriven`, time only passes when ``tick()`` is called. Limits can be long
    /// enough for busy machines.
    init(
        loop: any EventLoop, isDriven: Bool, helloLimit: Duration = MirrorKeepAlive.helloLimit,
        exchangeLimit: TimeAmount = MirrorReactor.exchangeLimit,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.loop = loop
        self.isDriven = isDriven
        self.helloLimit = helloLimit
        self.exchangeLimit = exchangeLimit
        self.clock = clock
        self.chance = chance
        ticking = Mutex([:])
        ticks = Mutex(nil)
    }

    /// The continuous clock runs while the machine sleeps, so a sleep appears as a jump.
    var now: ContinuousClock.Instant { clock() }

    /// A random number, 0 ..< 1.
    var jitter: Double { chance() }

    /// How long a pairing may take until both machines show a code.
    static let exchangeLimit = TimeAmount.seconds(10)
    static let tickInterval = TimeAmount.milliseconds(250)

    func add(_ object: any TickObserver) {
        let isFirst = ticking.withLock { objects in
            objects[ObjectIdentifier(object)] = object
            return objects.count == 1
        }
        guard isFirst, !isDriven else { return }
        ticks.withLock { task in
            guard task == nil else { return }
            task = loop.scheduleRepeatedTask(initialDelay: Self.tickInterval, delay: Self.tickInterval) { [self] task in
                tick()
                let isIdle = ticking.withLock(\.isEmpty)
                if isIdle { stopTicks(task) }
            }
        }
    }

    func remove(_ object: any TickObserver) {
        ticking.withLock { $0[ObjectIdentifier(object)] = nil }
    }

    /// Calls the observers. Runs on the loop.
    func tick() {
        loop.preconditionInEventLoop()
        let objects = ticking.withLock { Array($0.values) }
        let now = now
        for object in objects { object.tick(at: now) }
    }

    private func stopTicks(_ running: RepeatedTask) {
        ticks.withLock { task in
            // Something may have arrived since the check.
            guard ticking.withLock(\.isEmpty) else { return }
            running.cancel()
            task = nil
        }
    }
}
#endif
