public import Dispatch

/// How a channel hands its events over.
///
/// Whatever way is chosen, a consumer that is too slow stops the reading from the network once ``MirrorLimits/window``
/// bytes wait for it; nothing is dropped and memory is bounded.
public struct MirrorDelivery: Sendable {
    /// Hands over an event; `done` is to be called once it was handled.
    let hand: @Sendable (_ event: MirrorEvent, _ done: (@Sendable () -> Void)?) -> Void
    /// No event follows.
    let finish: @Sendable () -> Void

    init(
        hand: @escaping @Sendable (MirrorEvent, (@Sendable () -> Void)?) -> Void,
        finish: @escaping @Sendable () -> Void = {}
    ) {
        self.hand = hand
        self.finish = finish
    }

    /// Calls the handler on the network thread, without any hop: the fastest way. The handler must not block.
    public static func direct(_ handler: @escaping @Sendable (MirrorEvent) -> Void) -> MirrorDelivery {
        MirrorDelivery { event, done in
            handler(event)
            done?()
        }
    }

    /// Calls the handler on a serial queue.
    public static func on(
        _ queue: DispatchQueue, _ handler: @escaping @Sendable (MirrorEvent) -> Void
    ) -> MirrorDelivery {
        scheduled(by: { work in queue.async(execute: work) }, handler)
    }

    /// Calls the handler wherever `perform` runs the blocks that it is given; it must run them in order, one at a time.
    public static func scheduled(
        by perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        _ handler: @escaping @Sendable (MirrorEvent) -> Void
    ) -> MirrorDelivery {
        MirrorDelivery { event, done in
            perform {
                handler(event)
                done?()
            }
        }
    }
}
