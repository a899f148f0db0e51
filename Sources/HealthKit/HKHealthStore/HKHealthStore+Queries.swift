// `execute(_:)` and `stop(_:)` are declared in the class, because methods of extensions can't be overridden.

extension HKHealthStore: PermissionedStore {
    package func begin(_ query: HKQuery) {
        environment.asCurrent { query.run.begin("\(type(of: query))", in: self, query.makePlan) }
    }

    package func end(_ query: HKQuery) {
        query.run.end()
    }

    package var changeGate: (any DeliveryGate)? { environment.changeGate }

    /// Selects the samples of a type that match a predicate and that this app may read. Every query uses it.
    ///
    /// If reading was denied, these are the app's own samples, so that a denial looks like missing data. If it was limited to the
    /// latest history, earlier samples of others look missing too.
    /// - Throws: ``HKError/Code/errorInvalidArgument`` if the predicate doesn't fit the type,
    ///   ``HKError/Code/errorAuthorizationNotDetermined`` if the app never requested the type,
    ///   ``HKError/Code/errorDatabaseInaccessible`` while the device is locked.
    package func selection(_ type: HKSampleType, _ predicate: NSPredicate?) throws -> SampleSelection {
        let access = try readAccess(to: type)
        var filter = try SampleFilter(predicate: predicate, for: type)
        let readable: SampleFilter? =
            switch access {
            case .all, .own: nil
            case .since(let date): .endDate(.greaterOrEqual, date)
            case .objects(let picked): .ids(Set(picked.compactMap(UUID.init)))
            }
        if let readable {
            filter = .all(of: [.or([readable, .sources([HKSource.default().bundleIdentifier])]), filter])
        }
        return SampleSelection(type, filter, onlySource: access == .own ? HKSource.default().bundleIdentifier : nil)
    }

    package func selections(_ descriptors: [HKQueryDescriptor]) throws -> [SampleSelection] {
        try descriptors.map { try selection($0.sampleType, $0.predicate) }
    }

    /// Returns what this app may currently read of a type.
    package func readAccess(to type: HKObjectType) throws -> ReadAccess {
        try environment.requireReadable()
        return try environment.permissions.readAccess(to: type)
    }

    /// Returns whether this app may read the contents of a sample: beats, positions, single quantities. Throws like
    /// ``selection(_:_:)``.
    package func maySee(_ sample: HKSample) throws -> Bool {
        try readAccess(to: sample.sampleType).includes(sample) || sample.isOwn
    }

    /// Returns correlations reduced to the samples that this app may read. Omits those without any.
    package func visible(_ samples: [HKSample]) throws -> [HKSample] {
        guard samples.contains(where: { $0 is HKCorrelation }) else { return samples }
        let permissions = environment.permissions
        return try samples.compactMap { sample in
            guard let correlation = sample as? HKCorrelation else { return sample }
            let parts = correlation.objects.filter { part in
                part.isOwn || (try? permissions.readAccess(to: part.sampleType))?.includes(part) == true
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
    /// Whether this app saved it, or it is not saved yet.
    var isOwn: Bool { sourceRevision.source == .default() }
}
