import Recordings

extension HKHealthStore {
    func saveNow(_ objects: [HKObject]) throws {
        guard !objects.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "There is nothing to save: the array of objects is empty.")
        }
        try requireSharing(StoreWrite.types(of: objects))
        try keep(.objects(objects))
    }

    /// Whether this app may write these types now: the check of every writer, made before anything is changed.
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` for a type that was never asked for,
    ///   ``HKError/Code/errorAuthorizationDenied`` for one that was refused,
    ///   ``HKError/Code/errorNotPermissibleForGuestUserMode`` for a guest.
    package func requireSharing(_ types: Set<HKSampleType>) throws {
        try environment.requireWritable()
        try environment.permissions.requireSharing(types)
    }

    /// Whether this app may build a workout: it could not finish one otherwise. The user hears of a refusal as well, since apps
    /// often ignore this error.
    /// - Throws: As ``requireSharing(_:)`` for workouts.
    func requireBuilding() throws {
        guard environment.keepsWorkouts else { return }
        do {
            try environment.permissions.requireSharing([.workoutType()])
        } catch {
            environment.notices.notify(
                .buildingRefused,
                "The workout collects nothing. " + HealthEnvironment.sentence(error))
            throw error
        }
    }

    /// Saves what an app or a builder made: in the store, or beside it while the device is locked. The permission to do so
    /// was checked with ``requireSharing(_:)``.
    package func keep(_ write: StoreWrite) throws {
        try environment.requireWritable()
        if let journal = try environment.lockedJournal {
            try journal.append(write, from: .current)
        } else {
            try environment.mergeLockedWrites()
            try database.apply(.save(write), from: .current)
        }
    }

    /// True while what is written waits beside the store and cannot be read.
    package var isLocked: Bool { (try? environment.conditions.get().contains(.locked)) ?? false }

    func deleteNow(_ objects: [HKObject]) throws {
        guard !objects.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "There is nothing to delete: the array of objects is empty.")
        }
        try requireSharing(StoreWrite.types(of: objects))
        try environment.requireReadable()
        _ = try database.delete(Set(objects.map(\.uuid)), owner: HKSource.default().bundleIdentifier)
    }

    /// What the app saved of a type, as far as it matches.
    func ownObjects(of type: HKObjectType, matching predicate: NSPredicate) throws -> SampleSelection {
        guard let type = type as? HKSampleType else {
            throw HKError.make(
                .errorInvalidArgument, "There are no objects of \(type.identifier) that could be deleted.")
        }
        return SampleSelection(
            type, try SampleFilter(predicate: predicate, for: type), onlySource: HKSource.default().bundleIdentifier)
    }

    func deleteNow(_ selection: SampleSelection) throws -> Int {
        try requireSharing([selection.type])
        try environment.requireReadable()
        return try database.delete(selection, owner: HKSource.default().bundleIdentifier)
    }
}
