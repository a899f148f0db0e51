extension SQLiteHealthDatabase {
    package func apply(_ changes: [StoreChange], from source: HKSourceRevision, once mark: String?) throws {
        let waitsForDisk = changes.contains { change in
            if case .collect(_, let isDurable) = change { isDurable } else { true }
        }
        try write(waitingForDisk: waitsForDisk) { writer in
            if let mark, try !writer.note(mark) { return }
            for change in changes { try writer.apply(change, from: source) }
        }
    }

    package func remove(_ removal: StoreRemoval, owner: String?) throws -> Int {
        try write { writer in
            switch removal {
            case .objects(let ids): try writer.delete(ids, owner: owner)
            case .matches(let selection): try writer.delete(selection, owner: owner)
            case .effort(let sample, let workout, let activity):
                try writer.unrelateEffort(sample, workout: workout, activity: activity) ? 1 : 0
            case .collected(let session): try writer.deleteCollected(of: session)
            case .attachment(let attachment, let object): try writer.detach(attachment, from: object) ? 1 : 0
            }
        }
    }

    /// Saves what is not in the store yet, all or none; as much of it as is saved when `isEnded` says that it is enough.
    /// - Parameter own: What the import has added so far; gains what it adds now.
    /// - Returns: Counts by type identifier.
    package func merge(
        _ batch: ImportBatch, own: inout ImportedSequences, isEnded: @escaping @Sendable () -> Bool
    ) throws -> [String: HealthImportSummary.Count] {
        let before = own
        let (counts, added) = try write { writer in
            var merge = ImportMerge(writer: writer, own: before, isEnded: isEnded)
            let last = writer.lastSequence
            try merge.add(batch.columns)
            try merge.add(named: batch.named)
            for object in batch.objects where !merge.isEnded() { try merge.add(object) }
            return (merge.counts, last + 1..<writer.lastSequence + 1)
        }
        own.add(added)
        return counts
    }
}
