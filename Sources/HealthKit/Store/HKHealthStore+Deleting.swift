extension HKHealthStore {
    /// Deletes this app's objects of a type that match, all or none; those of other apps stay.
    /// - Parameter completion: Called on a background queue with the number of objects that were deleted.
    @preconcurrency public func deleteObjects(
        of objectType: HKObjectType, predicate: NSPredicate,
        withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
    ) {
        // Predicates are never changed.
        nonisolated(unsafe) let predicate = predicate
        DispatchQueue.global().async { [self] in
            do {
                completion(true, try deleteMatching(objectType, predicate), nil)
            } catch {
                completion(false, 0, HKError.wrapping(error))
            }
        }
    }

    /// - Returns: How many objects were deleted.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a type that is of no samples, and for a predicate about something
    ///   that the type does not have.
    @discardableResult
    public func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
        try HKError.translating { try deleteMatching(objectType, predicate) }
    }

    private func deleteMatching(_ type: HKObjectType, _ predicate: NSPredicate) throws -> Int {
        guard let type = type as? HKSampleType else {
            throw HKError.make(
                .errorInvalidArgument, "Objects of \(type.identifier) cannot be deleted: it is no type of samples.")
        }
        try environment.requireWritable()
        return try database.delete(selection(type, predicate), owner: HKSource.default().bundleIdentifier)
    }
}
