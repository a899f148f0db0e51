import SessionLog

extension HKHealthStore {
    /// Associates samples with a stored workout, and saves them if necessary, all or none. The workout's totals and statistics
    /// don't change.
    @available(iOS, deprecated: 17.0, message: "Use HKWorkoutBuilder")
    @preconcurrency public func add(
        _ samples: [HKSample], to workout: HKWorkout, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground { [self] in respond(to: completion) { try associate(samples, with: workout) } }
    }

    /// Associates samples with a stored workout. Needs permission to share their types, and an unlocked device.
    @available(iOS, deprecated: 17.0, message: "Use HKWorkoutBuilder")
    public func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
        try HKError.translating { try associate(samples, with: workout) }
    }

    /// Throws while the device is locked, because additions to a stored object can't wait beside the store. Stores the
    /// objects that waited there.
    package func requireStored() throws {
        try environment.requireAvailable()
        guard !isLocked else {
            throw HKError.make(
                .errorDatabaseInaccessible,
                "This cannot be saved or removed while the device is locked (HEALTHKIT_SIMULATE). Nothing was changed; "
                    + "try again once it is unlocked.")
        }
        try environment.mergeLockedWrites()
    }

    private func associate(_ samples: [HKSample], with workout: HKWorkout) throws {
        guard !samples.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "There is nothing to add: the array of samples is empty.")
        }
        try requireSharing(StoreWrite.types(of: samples))
        try requireStored()
        try database.add(samples.map { ($0, nil) }, toWorkout: workout.uuid, from: .current)
    }

    /// Splits an energy into resting and active energy.
    ///
    /// Resting energy is the stored basal energy of the interval. Without any, this fails. `resultsHandler` is called
    /// on a background queue with resting and active energy.
    @available(iOS, deprecated: 11.0, message: "No longer supported")
    @preconcurrency public func splitTotalEnergy(
        _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
        resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
    ) {
        inBackground { [self] in
            do {
                let (resting, active) = try split(totalEnergy, startDate, endDate)
                resultsHandler(resting, active, nil)
            } catch {
                resultsHandler(nil, nil, HKError.wrapping(error))
            }
        }
    }

    private func split(_ energy: HKQuantity, _ start: Date, _ end: Date) throws -> (HKQuantity, HKQuantity) {
        guard energy.is(compatibleWith: .kilocalorie()), start < end else {
            throw HKError.make(
                .errorInvalidArgument,
                "Energy cannot be divided: give one in a unit of energy, and an end after the start.")
        }
        try environment.requireReadable()
        let buckets = try database.statistics(
            selection(HKQuantityType(.basalEnergyBurned), nil), bounds: .dates([start, end]), separatingSources: false)
        guard let basal = buckets.first?.total.sum else {
            throw HKError.make(
                .errorNoData, "Energy cannot be divided: the store holds no basal energy from \(start) to \(end).")
        }
        let total = energy.doubleValue(for: .kilocalorie())
        let unit = HKQuantityType(.basalEnergyBurned).recordingUnit
        let resting = min(total, HKQuantity(unit: unit, doubleValue: basal).doubleValue(for: .kilocalorie()))
        return (
            HKQuantity(unit: .kilocalorie(), doubleValue: resting),
            HKQuantity(unit: .kilocalorie(), doubleValue: total - resting)
        )
    }
}
