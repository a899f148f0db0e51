extension HKHealthStore {
    func registerDelivery(of type: HKObjectType, _ frequency: HKUpdateFrequency) throws {
        let type = try sampleType(type)
        try environment.requireAvailable()
        // A type whose reading was denied is never delivered, and the app does not learn why.
        _ = try environment.permissions.readAccess(to: type)
        let app = DeliveryApp.running(as: environment.permissions.app)
        if let name = app.busName, !DeliveryFolders.isBusName(name) {
            throw HKError.make(
                .errorInvalidArgument,
                "HEALTHKIT_BUS_NAME must be a D-Bus name, such as org.example.MyApp, not '\(name)'.")
        }
        try database.enableDelivery(of: type, frequency, to: app)
        presence?.hold(app.bundleIdentifier)
    }

    /// Removes a registration. Nil means all types.
    func unregisterDelivery(of type: HKObjectType?) throws {
        try environment.requireAvailable()
        try database.disableDelivery(of: type.map(sampleType), to: environment.permissions.app.bundleIdentifier)
    }

    private func sampleType(_ type: HKObjectType) throws -> HKSampleType {
        guard let type = type as? HKSampleType else {
            throw HKError.make(
                .errorInvalidArgument, "\(type.identifier) is not a sample type and cannot be delivered.")
        }
        return type
    }

    private var presence: AppPresence? { environment.location.localPath.map(AppPresence.init) }

    /// Returns the completion handler for an observer query. It records that the app has handled all changes up to the
    /// call of the query's handler. If the store cannot record it, the changes count as unhandled.
    package func acknowledgement(
        of types: Set<HKSampleType>, to observer: @autoclosure () -> String
    ) -> HKObserverQueryCompletionHandler {
        let answer = answer(of: types)
        guard let acknowledged = environment.changeGate?.called(observer(), of: types) else { return answer }
        return {
            answer()
            acknowledged()
        }
    }

    private func answer(of types: Set<HKSampleType>) -> HKObserverQueryCompletionHandler {
        let app = environment.permissions.app.bundleIdentifier
        guard let own = try? database.deliveries(to: app).first else { return {} }
        presence?.hold(app)
        var latest: [HKSampleType: Int64] = [:]
        for delivery in own.deliveries where types.contains(delivery.type) { latest[delivery.type] = delivery.latest }
        guard !latest.isEmpty else { return {} }
        return { [database, latest] in
            try? database.updateDeliveries(of: Set(latest.keys), to: app) { type, state in
                if let change = latest[type] { state.answered(upTo: change) }
            }
        }
    }
}
