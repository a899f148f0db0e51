extension HealthEnvironment {
    /// Whether anything can be done at all.
    package func requireAvailable() throws {
        let conditions = try conditions.get()
        if conditions.contains(.unavailable) {
            throw HKError.make(
                .errorHealthDataUnavailable, "Health data is unavailable (HEALTHKIT_SIMULATE=unavailable).")
        }
        if conditions.contains(.restricted) {
            throw HKError.make(
                .errorHealthDataRestricted, "Health data is restricted (HEALTHKIT_SIMULATE=restricted).")
        }
    }

    /// Whether something can be read. What waited while the device was locked is taken in first, and what running sessions have
    /// measured so far.
    package func requireReadable() throws {
        try requireAvailable()
        if try conditions.get().contains(.locked) {
            notices.tell(.locked, "Health data cannot be read: the device is locked (HEALTHKIT_SIMULATE).")
            throw HKError.make(
                .errorDatabaseInaccessible,
                "Health data cannot be read while the device is locked (HEALTHKIT_SIMULATE).")
        }
        try mergeLockedWrites()
        liveSessions.save()
    }

    /// Where writes go while the device is locked; nil while it is not. A store in memory, which goes with its process, is
    /// written all the same.
    package var lockedJournal: LockedJournal? {
        get throws { try conditions.get().contains(.locked) ? storeFile.map(LockedJournal.init) : nil }
    }

    /// Takes what apps saved while the device was locked into the store, once it is not.
    package func mergeLockedWrites() throws {
        guard let storeFile, try !conditions.get().contains(.locked) else { return }
        let journal = LockedJournal(besideStore: storeFile)
        if !journal.isEmpty { try journal.merge(into: database) }
    }

    /// Whether something can be written. A locked device takes what is written.
    package func requireWritable() throws {
        try requireAvailable()
        if try conditions.get().contains(.guest) {
            throw HKError.make(
                .errorNotPermissibleForGuestUserMode, "A guest cannot write health data (HEALTHKIT_SIMULATE).")
        }
    }
}
