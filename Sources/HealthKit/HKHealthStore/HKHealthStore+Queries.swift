// `execute(_:)` and `stop(_:)` stand in the class itself: what an extension declares cannot be overridden.

extension HKHealthStore: PermissionedStore {
    package func begin(_ query: HKQuery) {
        environment.asCurrent { query.run.begin("\(type(of: query))", in: self, query.makePlan) }
    }

    package func end(_ query: HKQuery) {
        query.run.end()
    }

    package var changeGate: (any DeliveryGate)? { environment.changeGate }

    /// What this app may see of a type, as far as a predicate asks for it: the door that every query goes through.
    ///
    /// Of a type whose reading was refused that is what the app itself saved, so that nobody can tell a refusal from
    /// absence.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a predicate that does not go with the type,
    ///   ``HKError/Code/errorAuthorizationNotDetermined`` for a type that was never asked for,
    ///   ``HKError/Code/errorDatabaseInaccessible`` while the device is locked.
    package func selection(_ type: HKSampleType, _ predicate: NSPredicate?) throws -> SampleSelection {
        let access = try readAccess(to: type)
        var filter = try SampleFilter(predicate: predicate, for: type)
        if case .objects(let picked) = access {
            let own = SampleFilter.sources([HKSource.default().bundleIdentifier])
            filter = .all(of: [.or([.ids(Set(picked.compactMap(UUID.init))), own]), filter])
        }
        return SampleSelection(type, filter, onlySource: access == .own ? HKSource.default().bundleIdentifier : nil)
    }

    package func selections(_ descriptors: [HKQueryDescriptor]) throws -> [SampleSelection] {
        try descriptors.map { try selection($0.sampleType, $0.predicate) }
    }

    /// What this app may read of a type now.
    package func readAccess(to type: HKObjectType) throws -> ReadAccess {
        try environment.requireReadable()
        return try environment.permissions.readAccess(to: type)
    }

    /// Whether this app may look into a sample that it holds: its beats, its positions, its single quantities. Throws as
    /// ``selection(_:_:)`` does.
    package func maySee(_ sample: HKSample) throws -> Bool {
        try readAccess(to: sample.sampleType).includes(sample.uuid.uuidString) || sample.isOwn
    }

    /// Correlations with those parts alone that this app may read; one that is left without any is not seen.
    package func visible(_ samples: [HKSample]) throws -> [HKSample] {
        guard samples.contains(where: { $0 is HKCorrelation }) else { return samples }
        let permissions = environment.permissions
        return try samples.compactMap { sample in
            guard let correlation = sample as? HKCorrelation else { return sample }
            let parts = correlation.objects.filter { part in
                part.isOwn || (try? permissions.readAccess(to: part.sampleType)) == .all
            }
            if parts.count == correlation.objects.count { return correlation }
            guard !parts.isEmpty else { return nil }
            return try HKCorrelation.validated(
                correlation.identity, type: correlation.correlationType, start: correlation.startDate,
                end: correlation.endDate, objects: parts)
        }
    }
}

extension HKSample {
    /// Saved by this app, or not saved yet.
    var isOwn: Bool { sourceRevision.source == .default() }
}
