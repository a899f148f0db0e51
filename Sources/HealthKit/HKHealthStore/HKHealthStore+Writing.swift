extension HKHealthStore {
    func saveNow(_ objects: [HKObject]) throws {
        guard !objects.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "There is nothing to save: the array of objects is empty.")
        }
        try requireSharing(StoreWrite.types(of: objects))
        try keep(.objects(objects))
    }

    /// Throws if this app may not write these types now. Every write checks this first.
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` if the app never requested a type,
    ///   ``HKError/Code/errorAuthorizationDenied`` if it was denied,
    ///   ``HKError/Code/errorNotPermissibleForGuestUserMode`` for a guest.
    package func requireSharing(_ types: Set<HKSampleType>) throws {
        try environment.requireWritable()
        try environment.permissions.requireSharing(types)
    }

    /// Throws if this app may not build a workout, because it couldn't finish it. Also prints a denial, because apps often ignore
    /// this error.
    /// - Throws: Like ``requireSharing(_:)`` for workouts.
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

    /// Saves objects of an app or a builder: in the store, or beside it while the device is locked. Check ``requireSharing(_:)``
    /// first.
    package func keep(_ write: StoreWrite) throws {
        try environment.requireWritable()
        if let journal = try environment.lockedJournal {
            try journal.append(write, from: .current)
        } else {
            try environment.mergeLockedWrites()
            try database.apply(.save(write), from: .current)
        }
    }

    /// Whether writes currently wait beside the store and can't be read.
    package var isLocked: Bool { (try? environment.conditions.get().contains(.locked)) ?? false }

    func deleteNow(_ objects: [HKObject]) throws {
        guard !objects.isEmpty else {
            throw HKError.make(.errorInvalidArgument, "There is nothing to delete: the array of objects is empty.")
        }
        try requireSharing(StoreWrite.types(of: objects))
        try environment.requireReadable()
        _ = try database.delete(Set(objects.map(\.uuid)), owner: HKSource.default().bundleIdentifier)
    }

    /// Selects the matching objects of a type that the app saved.
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
