import Recordings
import Synchronization

/// The way to everything HealthKit has: authorization, stored data, sessions.
///
/// Every method stands here, in the class itself, and is `open`: what an extension declares cannot be overridden, and test
/// doubles override. What the methods do stands in the files `HKHealthStore+….swift`. Completion handlers are called on a
/// background queue. Async forms call those with a completion handler, so a double that overrides the one has both, as with
/// Apple's, where they are the same method.
// Sendable holds: all stored properties are immutable, or behind a lock.
open class HKHealthStore: NSObject, @unchecked Sendable {
    private let ownEnvironment: StoreEnvironment
    private let givenDatabase: (any HealthDatabase)?
    package let preferences: PreferenceWatch
    let mirroringStartHandler = Mutex<(@Sendable (HKWorkoutSession) -> Void)?>(nil)

    /// The store of this process, with the sensors that the environment names.
    public override init() {
        ownEnvironment = StoreEnvironment()
        givenDatabase = nil
        preferences = PreferenceWatch { [ownEnvironment] in (try? ownEnvironment.now.profile())?.units }
        super.init()
    }

    init(_ environment: StoreEnvironment, _ database: (any HealthDatabase)? = nil) {
        ownEnvironment = environment
        givenDatabase = database
        preferences = PreferenceWatch { (try? environment.now.profile())?.units }
        super.init()
    }

    package var environment: HealthEnvironment { ownEnvironment.now }
    package var database: any HealthDatabase { givenDatabase ?? environment.database }

    /// True on Linux, unless `HEALTHKIT_SIMULATE` says `unavailable`.
    open class func isHealthDataAvailable() -> Bool {
        !((try? HealthEnvironment.inEffect.conditions.get())?.contains(.unavailable) ?? false)
    }

    // MARK: Authorization

    /// Whether this app may save objects of the type. Says nothing of reading.
    open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        environment.permissions.current.status(forSharing: type)
    }

    /// Asks for permission to save and to read types; those that were answered before are not asked again.
    ///
    /// On Linux the answer comes from `HEALTHKIT_AUTHORIZATION`, or from the person at the terminal, whose answers the
    /// store keeps for this app; where there is neither it is no. `true` says that the request was handled, not that
    /// anything was granted. Fails with ``HKError/Code/errorInvalidArgument`` for a type whose objects are asked for one by
    /// one (``requestPerObjectReadAuthorization(for:predicate:completion:)``). Stops the program, as Apple's raises, when a
    /// type is to be shared that apps may not write, and for correlations: ask for the types that they contain.
    @preconcurrency open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        ask(for: Authorization.Request(share: typesToShare ?? [], read: typesToRead ?? []), completion)
    }

    /// The same, and returns when all is answered.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a type whose objects are asked for one by one.
    open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws {
        try await finishing { requestAuthorization(toShare: typesToShare, read: typesToRead, completion: $0) }
    }

    /// Asks for permission to read objects of a type that the person picks one by one, such as vision prescriptions.
    ///
    /// On Linux the answer is for all objects that match the predicate now, and is kept like any other: there is no sheet to
    /// pick from. Without a predicate it is for the whole type, whatever comes later. What matches and was not asked about
    /// yet is asked about with the next call. Fails with ``HKError/Code/errorInvalidArgument`` for any other type, and for a
    /// predicate that cannot be used.
    @preconcurrency open func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Predicates are never changed.
        nonisolated(unsafe) let predicate = predicate
        ask(perObject: objectType, predicate, completion)
    }

    /// The same, and returns when all is answered.
    open func requestPerObjectReadAuthorization(for objectType: HKObjectType, predicate: NSPredicate?) async throws {
        try await finishing {
            requestPerObjectReadAuthorization(for: objectType, predicate: predicate, completion: $0)
        }
    }

    /// Whether a request would have to ask anything.
    @preconcurrency open func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        let request = Authorization.Request(share: typesToShare, read: typesToRead)
        inBackground { [self] in
            do {
                completion(try requestStatus(request), nil)
            } catch {
                completion(.unknown, HKError.wrapping(error))
            }
        }
    }

    /// Whether a request would have to ask anything.
    open func statusForAuthorizationRequest(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws -> HKAuthorizationRequestStatus {
        try await answering {
            getRequestStatusForAuthorization(toShare: typesToShare, read: typesToRead, completion: $0)
        }
    }

    /// Answers for an extension that has asked. On Linux there are no extensions, every program asks for itself: so nothing
    /// is open, and the call succeeds.
    @preconcurrency open func handleAuthorizationForExtension(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.environment.requireAvailable() }
    }

    /// The same: returns at once, and throws only where there is no health data.
    open func handleAuthorizationForExtension() async throws {
        try await finishing { handleAuthorizationForExtension(completion: $0) }
    }

    /// Whether there can be clinical records: they come with an Apple Health export here (`workout import`). False where
    /// there is no health data at all.
    open func supportsHealthRecords() -> Bool { (try? environment.requireAvailable()) != nil }

    /// The earliest end of a sample that can be saved or read: no limit on Linux.
    open func earliestPermittedSampleDate() -> Date { .distantPast }

    // MARK: Characteristics

    /// `.notSet` when it is not known, or may not be read.
    open func biologicalSex() throws -> HKBiologicalSexObject { try storedBiologicalSex() }

    /// `.notSet` when it is not known, or may not be read.
    open func bloodType() throws -> HKBloodTypeObject { try storedBloodType() }

    /// Era, year, month and day of the Gregorian calendar.
    /// - Throws: ``HKError/Code/errorNoData`` when it is not known, or may not be read; Apple's throws an error without a
    ///   name there.
    open func dateOfBirthComponents() throws -> DateComponents { try storedDateOfBirth() }

    /// The start of the day, in the time zone of this machine.
    @available(*, deprecated, message: "Use dateOfBirthComponents()")
    open func dateOfBirth() throws -> Date { try startOfDayOfBirth() }

    /// `.notSet` when it is not known, or may not be read.
    open func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject { try storedSkinType() }

    /// `.notSet` when it is not known, or may not be read.
    open func wheelchairUse() throws -> HKWheelchairUseObject { try storedWheelchairUse() }

    /// `.activeEnergy` when it is not known, or may not be read.
    open func activityMoveMode() throws -> HKActivityMoveModeObject { try storedMoveMode() }

    // MARK: Saving and deleting

    /// Saves one object; see ``save(_:withCompletion:)-([HKObject],_)``. The handler is called on a background queue.
    @preconcurrency open func save(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        save([object], withCompletion: completion)
    }

    /// Saves objects, all or none. Fails with code 5 for a type that was never asked for, with 4 for one that was refused.
    /// On a locked device they are kept beside the store until it is unlocked.
    @preconcurrency open func save(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.saveNow(objects) }
    }

    /// Saves one object, and returns when it is stored.
    ///
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` for a type that was never asked for,
    ///   ``HKError/Code/errorAuthorizationDenied`` for one that was refused.
    open func save(_ object: HKObject) async throws {
        try await finishing { save(object, withCompletion: $0) }
    }

    /// Saves objects, all or none, and returns when they are stored.
    ///
    /// - Throws: As for a single object, and then none is stored.
    open func save(_ objects: [HKObject]) async throws {
        try await finishing { save(objects, withCompletion: $0) }
    }

    /// Deletes one object that this app saved. The handler is called on a background queue.
    @preconcurrency open func delete(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        delete([object], withCompletion: completion)
    }

    /// Deletes objects that this app saved, all or none: none when one of them is not in the store
    /// (``HKError/Code/errorInvalidArgument``) or another app's (``HKError/Code/errorAuthorizationDenied``), or when their
    /// types may not be shared.
    @preconcurrency open func delete(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.deleteNow(objects) }
    }

    /// Deletes one object that this app saved.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for one that is not in the store, ``HKError/Code/errorAuthorizationDenied``
    ///   for another app's.
    open func delete(_ object: HKObject) async throws {
        try await finishing { delete(object, withCompletion: $0) }
    }

    /// Deletes objects that this app saved, all or none.
    ///
    /// - Throws: As for a single object, and then none is deleted.
    open func delete(_ objects: [HKObject]) async throws {
        try await finishing { delete(objects, withCompletion: $0) }
    }

    /// Deletes what matches and this app saved, all or none, and says how many that were.
    @preconcurrency open func deleteObjects(
        of objectType: HKObjectType, predicate: NSPredicate,
        withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
    ) {
        let matching = Result { try ownObjects(of: objectType, matching: predicate) }
        inBackground { [self] in
            do {
                completion(true, try deleteNow(matching.get()), nil)
            } catch {
                completion(false, 0, HKError.wrapping(error))
            }
        }
    }

    /// Deletes what matches and this app saved, all or none.
    ///
    /// - Returns: How many objects that were.
    @discardableResult
    open func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            deleteObjects(of: objectType, predicate: predicate) { _, count, error in
                continuation.resume(with: error.map(Result.failure) ?? .success(count))
            }
        }
    }

    // MARK: Queries

    /// Begins a query. Stops the program for a query that was executed before.
    open func execute(_ query: HKQuery) {
        begin(query)
    }

    /// No handler of the query is called from now on. Does nothing to a query that is over already.
    open func stop(_ query: HKQuery) {
        end(query)
    }

    // MARK: Background delivery

    /// Has this app started when samples of a type were added or deleted while it was not running; see
    /// <doc:BackgroundDelivery>. Another call for the type replaces the frequency.
    ///
    /// Some types come more seldom than asked for: step counts, active energy and walking distance once an hour at most.
    /// Fails with ``HKError/Code/errorAuthorizationNotDetermined`` for a type that was never asked for, and with
    /// ``HKError/Code/errorInvalidArgument`` for one that is no sample type.
    @preconcurrency open func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.registerDelivery(of: type, frequency) }
    }

    /// Has this app started for changes of a type, and returns once that is noted; see <doc:BackgroundDelivery>.
    ///
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` for a type that was never asked for,
    ///   ``HKError/Code/errorInvalidArgument`` for one that is no sample type.
    open func enableBackgroundDelivery(for type: HKObjectType, frequency: HKUpdateFrequency) async throws {
        try await finishing { enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: $0) }
    }

    /// Succeeds too where nothing was enabled.
    @preconcurrency open func disableBackgroundDelivery(
        for type: HKObjectType, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.unregisterDelivery(of: type) }
    }

    /// Has this app started for changes of a type no more. Succeeds too where nothing was enabled.
    open func disableBackgroundDelivery(for type: HKObjectType) async throws {
        try await finishing { disableBackgroundDelivery(for: type, withCompletion: $0) }
    }

    /// Has this app started for no changes any more. The handler is called on a background queue.
    @preconcurrency open func disableAllBackgroundDelivery(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.unregisterDelivery(of: nil) }
    }

    /// Has this app started for no changes any more.
    open func disableAllBackgroundDelivery() async throws {
        try await finishing { disableAllBackgroundDelivery(completion: $0) }
    }

    // MARK: Preferences

    /// The units that the user reads values in: those of the locale.
    @preconcurrency open func preferredUnits(
        for quantityTypes: Set<HKQuantityType>,
        completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
        inBackground { [self] in
            do {
                completion(try units(for: quantityTypes), nil)
            } catch {
                completion([:], HKError.wrapping(error))
            }
        }
    }

    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` for a type that was never asked for, neither to share
    ///   nor to read.
    open func preferredUnits(for quantityTypes: Set<HKQuantityType>) async throws -> [HKQuantityType: HKUnit] {
        try await answering { preferredUnits(for: quantityTypes, completion: $0) }
    }

    /// Fails with ``HKError/Code/errorInvalidArgument``: nothing on Linux estimates from what it measured, so no type
    /// ``HKSampleType/allowsRecalibrationForEstimates``.
    @preconcurrency open func recalibrateEstimates(
        sampleType: HKSampleType, date: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { _ in
            throw HKError.make(
                .errorInvalidArgument,
                "Estimates of \(sampleType.identifier) cannot be recalibrated: nothing on Linux makes any.")
        }
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument``, always: nothing on Linux estimates.
    open func recalibrateEstimates(sampleType: HKSampleType, date: Date) async throws {
        try await finishing { recalibrateEstimates(sampleType: sampleType, date: date, completion: $0) }
    }

    // MARK: Sessions

    /// Hands out the session that was running when the app's last process ended, in its former state; nil when there is
    /// none. Set its delegates, its builder's, and the builder's data source again.
    ///
    /// The time between is a gap: it counts as elapsed time, without readings.
    @preconcurrency open func recoverActiveWorkoutSession(
        completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void
    ) {
        inBackground { [self] in
            do {
                completion(try self.recoverSession(), nil)
            } catch {
                completion(nil, HKError.wrapping(error))
            }
        }
    }

    /// The session that the app's last process left running, or nil; set its delegates and the data source again.
    open func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
        try await answering { recoverActiveWorkoutSession(completion: $0) }
    }

    /// Has the app on a paired machine started, or told if it runs, so that it begins a workout session and mirrors it to
    /// this machine; see <doc:Mirroring>. Success says that the app has been handed the configuration.
    ///
    /// Fails with ``HKError/Code/errorHealthDataUnavailable`` where no machine is paired, where none answers, and where
    /// none has an app for it; the words say which.
    @preconcurrency open func startWatchApp(
        with workoutConfiguration: HKWorkoutConfiguration, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let activity = workoutConfiguration.activityDescription
        Task { [self] in
            do {
                try await startCompanionApp(with: activity)
                completion(true, nil)
            } catch {
                completion(false, HKError.wrapping(error))
            }
        }
    }

    /// The same; throws ``HKError/Code/errorHealthDataUnavailable`` where no paired machine takes the configuration.
    open func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
        try await finishing { startWatchApp(with: workoutConfiguration, completion: $0) }
    }
}
