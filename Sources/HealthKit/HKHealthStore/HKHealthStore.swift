import SessionLog

/// The entry point to HealthKit: authorization, stored data, sessions.
///
/// All methods are declared in the class itself and are `open`: test doubles override them, and methods of extensions can't be
/// overridden. The files `HKHealthStore+….swift` implement them. Completion handlers are called on a background queue. Async
/// methods call the one with a completion handler, so a double that overrides that one covers both, as on Apple's systems.
// Sendable holds: all stored properties are immutable, or behind a lock.
open class HKHealthStore: NSObject, @unchecked Sendable {
    private let ownEnvironment: StoreEnvironment
    private let givenDatabase: (any HealthDatabase)?
    package let preferences: PreferenceWatch
    let mirroringStartHandler = LockedFunction<(@Sendable (HKWorkoutSession) -> Void)?>(nil)

    /// Creates a store of this process, with the sensors that the environment names.
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

    /// Returns true on Linux, unless `HEALTHKIT_SIMULATE` contains `unavailable`.
    open class func isHealthDataAvailable() -> Bool {
        !((try? HealthEnvironment.inEffect.conditions.get())?.contains(.unavailable) ?? false)
    }

    // MARK: Authorization

    /// Returns whether this app may save objects of the type. It doesn't reveal whether the app may read them.
    open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        environment.permissions.current.status(forSharing: type)
    }

    /// Requests permission to save and to read types. Types that were answered before are not requested again.
    ///
    /// On Linux the answer comes from `HEALTHKIT_AUTHORIZATION`, or from the user at the terminal, whose answers the
    /// store keeps for this app. Without both, the answer is no. `true` means that the request was handled, not that
    /// anything was allowed. Fails with ``HKError/Code/errorInvalidArgument`` for a type that needs
    /// ``requestPerObjectReadAuthorization(for:predicate:completion:)``. If Apple's raises, this stops the program: if
    /// `typesToShare` contains a type that apps may not write, and for correlations. Request the types that they
    /// contain.
    @preconcurrency open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        ask(for: Authorization.Request(share: typesToShare ?? [], read: typesToRead ?? []), completion)
    }

    /// Requests permission to save and to read types, and returns when the request was handled.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a type that needs per-object authorization.
    open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws {
        try await finishing { requestAuthorization(toShare: typesToShare, read: typesToRead, completion: $0) }
    }

    /// Requests permission to read single objects of a type, such as vision prescriptions.
    ///
    /// On Linux there is no sheet to pick objects from: one answer covers all objects that match the predicate now, and
    /// is stored. Without a predicate it covers the whole type, including later objects. The next call requests
    /// matching objects that were saved since. Fails with ``HKError/Code/errorInvalidArgument`` for any other type, and
    /// for an unsupported predicate.
    @preconcurrency open func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Predicates are never changed.
        nonisolated(unsafe) let predicate = predicate
        ask(perObject: objectType, predicate, completion)
    }

    /// Requests permission to read single objects of a type, and returns when the request was handled.
    open func requestPerObjectReadAuthorization(for objectType: HKObjectType, predicate: NSPredicate?) async throws {
        try await finishing {
            requestPerObjectReadAuthorization(for: objectType, predicate: predicate, completion: $0)
        }
    }

    /// Determines whether a request would show a prompt.
    @preconcurrency open func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        let request = Authorization.Request(share: typesToShare, read: typesToRead)
        inBackground { [self] in respond(to: completion, else: .unknown) { try requestStatus(request) } }
    }

    /// Returns whether a request would show a prompt.
    open func statusForAuthorizationRequest(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws -> HKAuthorizationRequestStatus {
        try await answering {
            getRequestStatusForAuthorization(toShare: typesToShare, read: typesToRead, completion: $0)
        }
    }

    /// Handles the request of an app extension. There are no extensions on Linux, so this only succeeds.
    @preconcurrency open func handleAuthorizationForExtension(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.environment.requireAvailable() }
    }

    /// Handles the request of an app extension by returning at once. Throws only if health data is unavailable.
    open func handleAuthorizationForExtension() async throws {
        try await finishing { handleAuthorizationForExtension(completion: $0) }
    }

    /// Returns whether there can be clinical records, which `workout import` reads from an Apple Health export. False
    /// only if health data is unavailable.
    open func supportsHealthRecords() -> Bool { (try? environment.requireAvailable()) != nil }

    /// Returns the earliest end of a sample that can be saved or read. There is no limit on Linux.
    open func earliestPermittedSampleDate() -> Date { .distantPast }

    /// Determines how far back this app may read, for the types of which the user allowed only the latest history.
    ///
    /// The limit is compared with the end of a sample. Types with full access, denied types and types that were never requested are
    /// left out of the result, so these cannot be told apart. Fails with ``HKError/Code/errorHealthDataUnavailable`` or
    /// ``HKError/Code/errorHealthDataRestricted``.
    @preconcurrency open func getEarliestAuthorizedSampleDate(
        for types: Set<HKObjectType>, completion: @escaping @Sendable ([HKObjectType: Date]?, (any Error)?) -> Void
    ) {
        inBackground { [self] in
            respond(to: completion, else: nil) {
                try environment.requireAvailable()
                return environment.permissions.earliestEnds(of: types)
            }
        }
    }

    /// Returns how far back this app may read, for the types of which the user allowed only the latest history. See
    /// ``getEarliestAuthorizedSampleDate(for:completion:)``.
    open func earliestAuthorizedSampleDate(for types: Set<HKObjectType>) async throws -> [HKObjectType: Date] {
        try await answering { getEarliestAuthorizedSampleDate(for: types, completion: $0) } ?? [:]
    }

    // MARK: Characteristics

    /// Returns the user's biological sex. `.notSet` if it is unknown or the app may not read it.
    open func biologicalSex() throws -> HKBiologicalSexObject { try storedBiologicalSex() }

    /// Returns the user's blood type. `.notSet` if it is unknown or the app may not read it.
    open func bloodType() throws -> HKBloodTypeObject { try storedBloodType() }

    /// Returns the date of birth as era, year, month and day of the Gregorian calendar.
    /// - Throws: ``HKError/Code/errorNoData`` if it is unknown or the app may not read it. Apple's throws an unnamed
    ///   error then.
    open func dateOfBirthComponents() throws -> DateComponents { try storedDateOfBirth() }

    /// Returns the start of the day of birth, in the time zone of this machine.
    @available(*, deprecated, message: "Use dateOfBirthComponents()")
    open func dateOfBirth() throws -> Date { try startOfDayOfBirth() }

    /// Returns the user's skin type. `.notSet` if it is unknown or the app may not read it.
    open func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject { try storedSkinType() }

    /// Returns the user's use of a wheelchair. `.notSet` if it is unknown or the app may not read it.
    open func wheelchairUse() throws -> HKWheelchairUseObject { try storedWheelchairUse() }

    /// Returns the user's move mode. `.activeEnergy` if it is unknown or the app may not read it.
    open func activityMoveMode() throws -> HKActivityMoveModeObject { try storedMoveMode() }

    // MARK: Saving and deleting

    /// Saves one object. See ``save(_:withCompletion:)-([HKObject],_)``. The handler is called on a background queue.
    @preconcurrency open func save(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        save([object], withCompletion: completion)
    }

    /// Saves objects, all or none. Fails with ``HKError/Code/errorAuthorizationNotDetermined`` if the app never
    /// requested a type, and with ``HKError/Code/errorAuthorizationDenied`` if it was denied. While the device is
    /// locked, objects are kept beside the store.
    @preconcurrency open func save(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.saveNow(objects) }
    }

    /// Saves one object, and returns when it is stored.
    ///
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` if the app never requested the type,
    ///   ``HKError/Code/errorAuthorizationDenied`` if it was denied.
    open func save(_ object: HKObject) async throws {
        try await finishing { save(object, withCompletion: $0) }
    }

    /// Saves objects, all or none, and returns when they are stored.
    ///
    /// - Throws: The same errors as for one object. Then none is stored.
    open func save(_ objects: [HKObject]) async throws {
        try await finishing { save(objects, withCompletion: $0) }
    }

    /// Deletes one object that this app saved. The handler is called on a background queue.
    @preconcurrency open func delete(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        delete([object], withCompletion: completion)
    }

    /// Deletes objects that this app saved, all or none. Fails with ``HKError/Code/errorInvalidArgument`` if one is not in the
    /// store, and with ``HKError/Code/errorAuthorizationDenied`` if another app saved one or the app may not share its type.
    @preconcurrency open func delete(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.deleteNow(objects) }
    }

    /// Deletes one object that this app saved.
    ///
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if it is not in the store, ``HKError/Code/errorAuthorizationDenied`` if another
    ///   app saved it.
    open func delete(_ object: HKObject) async throws {
        try await finishing { delete(object, withCompletion: $0) }
    }

    /// Deletes objects that this app saved, all or none.
    ///
    /// - Throws: The same errors as for one object. Then none is deleted.
    open func delete(_ objects: [HKObject]) async throws {
        try await finishing { delete(objects, withCompletion: $0) }
    }

    /// Deletes the matching objects that this app saved, all or none. `completion` gets their number.
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

    /// Deletes the matching objects that this app saved, all or none.
    ///
    /// - Returns: The number of deleted objects.
    @discardableResult
    open func deleteObjects(of objectType: HKObjectType, predicate: NSPredicate) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            deleteObjects(of: objectType, predicate: predicate) { _, count, error in
                continuation.resume(with: error.map(Result.failure) ?? .success(count))
            }
        }
    }

    // MARK: Queries

    /// Starts a query. A query can be executed once. A second time stops the program.
    open func execute(_ query: HKQuery) {
        begin(query)
    }

    /// Stops a query: its handlers are not called afterwards. Has no effect if the query has ended.
    open func stop(_ query: HKQuery) {
        end(query)
    }

    // MARK: Background delivery

    /// Starts this app whenever samples of a type are added or deleted while it is not running. See
    /// <doc:BackgroundDelivery>. Another call for the type replaces the frequency.
    ///
    /// Step counts, active energy and walking distance are delivered at most once an hour. Fails with
    /// ``HKError/Code/errorAuthorizationNotDetermined`` if the app never requested the type, and with
    /// ``HKError/Code/errorInvalidArgument`` if it is not a sample type.
    @preconcurrency open func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.registerDelivery(of: type, frequency) }
    }

    /// Enables background delivery of a type, and returns when this is stored. See <doc:BackgroundDelivery>.
    ///
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` if the app never requested the type,
    ///   ``HKError/Code/errorInvalidArgument`` if it is not a sample type.
    open func enableBackgroundDelivery(for type: HKObjectType, frequency: HKUpdateFrequency) async throws {
        try await finishing { enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: $0) }
    }

    /// Disables background delivery of a type. Also succeeds if it was not enabled.
    @preconcurrency open func disableBackgroundDelivery(
        for type: HKObjectType, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.unregisterDelivery(of: type) }
    }

    /// Disables background delivery of a type. Also succeeds if it was not enabled.
    open func disableBackgroundDelivery(for type: HKObjectType) async throws {
        try await finishing { disableBackgroundDelivery(for: type, withCompletion: $0) }
    }

    /// Disables all background deliveries. The handler is called on a background queue.
    @preconcurrency open func disableAllBackgroundDelivery(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        inBackground(completion) { try $0.unregisterDelivery(of: nil) }
    }

    /// Disables all background deliveries.
    open func disableAllBackgroundDelivery() async throws {
        try await finishing { disableAllBackgroundDelivery(completion: $0) }
    }

    // MARK: Preferences

    /// Determines the units that the user prefers: those of the profile, otherwise of the locale.
    @preconcurrency open func preferredUnits(
        for quantityTypes: Set<HKQuantityType>,
        completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
        inBackground { [self] in respond(to: completion, else: [:]) { try units(for: quantityTypes) } }
    }

    /// Returns the units that the user prefers.
    /// - Throws: ``HKError/Code/errorAuthorizationNotDetermined`` if the app never requested to share or read one of
    ///   the types.
    open func preferredUnits(for quantityTypes: Set<HKQuantityType>) async throws -> [HKQuantityType: HKUnit] {
        try await answering { preferredUnits(for: quantityTypes, completion: $0) }
    }

    /// Always fails with ``HKError/Code/errorInvalidArgument``: nothing on Linux makes estimates, so no type
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

    /// Always fails.
    /// - Throws: ``HKError/Code/errorInvalidArgument``, because nothing on Linux makes estimates.
    open func recalibrateEstimates(sampleType: HKSampleType, date: Date) async throws {
        try await finishing { recalibrateEstimates(sampleType: sampleType, date: date, completion: $0) }
    }

    // MARK: Sessions

    /// Recovers the session that was running when the app's last process ended, in its former state. The handler gets
    /// nil if there was none. Set its delegate, its builder's delegate and data source again.
    ///
    /// The time in between is a gap: it counts as elapsed time, without readings.
    @preconcurrency open func recoverActiveWorkoutSession(
        completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void
    ) {
        inBackground { [self] in respond(to: completion, else: nil) { try self.recoverSession() } }
    }

    /// Recovers the session that was running when the app's last process ended, or returns nil. Set its delegates and data
    /// source again.
    open func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
        try await answering { recoverActiveWorkoutSession(completion: $0) }
    }

    /// Asks the app on a paired machine to begin a workout session and mirror it to this machine, and starts the app if
    /// necessary. See <doc:Mirroring>. It succeeds once the app has the configuration.
    ///
    /// Fails with ``HKError/Code/errorHealthDataUnavailable`` if no machine is paired, none answers, or none has an app
    /// for it. The message names the reason.
    @preconcurrency open func startWatchApp(
        with workoutConfiguration: HKWorkoutConfiguration, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let activity = workoutConfiguration.activityDescription
        Task { [self] in await respond(to: completion) { try await startCompanionApp(with: activity) } }
    }

    /// Asks the app on a paired machine to begin a workout session, and returns when it has the configuration.
    ///
    /// - Throws: ``HKError/Code/errorHealthDataUnavailable`` if no paired machine accepts the configuration.
    open func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
        try await finishing { startWatchApp(with: workoutConfiguration, completion: $0) }
    }
}
