public import Dispatch

/// The way in which a channel delivers its events.
///
/// If a consumer is too slow, reading from the network stops once ``MirrorLimits/window`` bytes wait for it. Nothing is
/// dropped, and memory is bounded.
public struct MirrorDelivery: Sendable {
    /// Delivers an event. The consumer calls `done` once it has handled it.
    let hand: @Sendable (_ event: MirrorEvent, _ done: (@Sendable () -> Void)?) -> Void
    /// Called after the last event.
    let finish: @Sendable () -> Void

    init(
        hand: @escaping @Sendable (MirrorEvent, (@Sendable () -> Void)?) -> Void,
        finish: @escaping @Sendable () -> Void = {}
    ) {
        self.hand = hand
        self.finish = finish
    }

    /// Calls the handler directly on the network thread, the fastest way. The handler must not block.
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

    /// Calls the handler in blocks that `perform` runs. It must run them in order, one at a time.
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
