/// Which apps are to be started now: no I/O, no clock.
package struct DeliveryPlan: Sendable, Equatable {
    package struct Start: Sendable, Equatable {
        package var app: DeliveryApp
        /// For whose changes.
        package var types: [HKSampleType]
    }

    package private(set) var starts: [Start] = []

    /// An app that is running hears of changes by itself. Of a type that it may not read it hears nothing.
    package init(
        _ apps: [AppDeliveries], now: Date, isRunning: (_ bundleIdentifier: String) -> Bool,
        mayRead: (_ bundleIdentifier: String, HKSampleType) -> Bool
    ) {
        for one in apps {
            let id = one.app.bundleIdentifier
            let due = one.deliveries.filter { $0.next(now: now) == .start && mayRead(id, $0.type) }
            guard !due.isEmpty, !isRunning(id) else { continue }
            starts.append(Start(app: one.app, types: due.map(\.type)))
        }
    }
}
