import Foundation
import UniformTypeIdentifiers

extension SQLHealthDatabase {
    package func samples(
        _ selections: [SampleSelection], sortedBy sorts: [SampleSort], limit: Int?
    ) throws -> [HKSample] {
        guard limit != 0 else { return [] }
        return try withReader { reader in
            var gathering = LimitedSampleReader(reader, sortedBy: sorts, limit: limit)
            for (index, selection) in selections.enumerated() {
                try gathering.add(selection, hasMore: index < selections.count - 1)
            }
            return try gathering.samples()
        }
    }

    package func measurements(_ selections: [SampleSelection]) throws -> [StoredMeasurement] {
        try withReader { reader in
            let mayRepeat = Set(selections.map(\.type)).count < selections.count
            var gathering = MeasurementReader(reader, mayRepeat: mayRepeat)
            for selection in selections { try gathering.add(selection) }
            return gathering.measurements
        }
    }

    package func sampledTypes(ofWorkout workout: UUID) throws -> [SampledType] {
        try withReader { reader in
            guard let (parent, _) = try reader.find(workout) else { return [] }
            let rows = try SQLRow.fetchAll(
                reader.db,
                sql: """
                    SELECT identifier, properties FROM run JOIN member ON member.run = run.id
                    JOIN type ON type.id = run.type LEFT JOIN device ON device.id = run.device
                    WHERE member.parent = ? GROUP BY identifier, properties ORDER BY min(firstSequence)
                    """, arguments: [parent.id])
            return try rows.compactMap { row in
                // A later version may know more types.
                guard let type = TypeCatalogue.objectType(identifier: row[0]) as? HKSampleType else { return nil }
                return SampledType(type: type, device: try (row[1] as Data?).map(StoredDevice.decoded))
            }
        }
    }

    package func measurementRows(
        ofWorkout workout: UUID, _ types: Set<HKQuantityType>
    ) throws -> [MeasurementRow] {
        try withReader { reader in
            guard let (parent, _) = try reader.find(workout) else { return [] }
            let named = RunCondition("identifier", among: types.map(\.identifier))
            return try reader.runs(
                """
                JOIN member ON member.run = run.id WHERE member.parent = ?
                AND type IN (SELECT id FROM type WHERE \(named.sql)) ORDER BY start
                """, [parent.id] + named.arguments, among: .complete
            ).map { MeasurementRow($0) }
        }
    }

    package func measurements(in row: MeasurementRow) throws -> [StoredMeasurement]? {
        try withReader { reader in
            guard let run = try reader.runs("WHERE id = ?", [row.id], among: .complete).first,
                MeasurementRow(run) == row
            else { return nil }
            var measurements = MeasurementReader(reader, mayRepeat: false)
            try measurements.add(run)
            return measurements.measurements
        }
    }

    package func stored(_ ids: Set<UUID>) throws -> Set<UUID> {
        try withReader { ids.subtracting(try $0.find(ids).missing) }
    }

    package func extent(_ selection: SampleSelection) throws -> SampleExtent? {
        try withReader { reader in
            var first = Double.infinity
            var last = -Double.infinity
            var sources: [Int64: HKSource] = [:]
            try reader.eachCandidate(selection) { run, filter in
                let isNew = sources[run.origin.source] == nil
                guard isNew || run.start < first || run.end > last else { return true }
                if filter == .all {
                    first = min(first, run.start)
                    last = max(last, run.end)
                } else {
                    let samples = try reader.members(run)
                    let indices = try reader.matches(run, samples, filter)
                    guard !indices.isEmpty else { return true }
                    for index in indices {
                        first = min(first, samples.starts[index])
                        last = max(last, samples.ends[index])
                    }
                }
                if isNew { sources[run.origin.source] = try reader.revision(run.origin.revision).source }
                return true
            }
            guard first <= last else { return nil }
            return SampleExtent(
                dates: Date(timeIntervalSinceReferenceDate: first)...Date(timeIntervalSinceReferenceDate: last),
                sources: Set(sources.values))
        }
    }

    /// Returns changes in order. Objects that were saved together are in order of type, by first occurrence, and then
    /// of time.
    package func changes(
        _ selections: [SampleSelection], after anchor: Int64, limit: Int?
    ) throws -> SampleChanges {
        try withReader { reader in
            let last = try Int64.fetchOne(reader.db, sql: "SELECT last FROM latestSequence") ?? 0
            guard limit != 0 else { return SampleChanges(added: [], deleted: [], anchor: anchor) }
            var changes = AnchoredChanges(limit: limit)
            for selection in selections {
                try changes.addDeleted(selection, after: anchor, reader)
                try changes.addAdded(selection, after: anchor, reader)
            }
            return try changes.result(last: max(last, anchor), reader)
        }
    }

    package func contents(of samples: Set<UUID>) throws -> [UUID: SeriesContent] {
        try withReader { reader in
            var contents: [UUID: SeriesContent] = [:]
            for (run, indices) in try reader.find(samples).rows.values {
                if run.kind == .quantities {
                    let columns = try reader.columns(run)
                    for index in indices {
                        contents[columns.id(index)] = .quantities(try reader.quantities(run, columns, [index]))
                    }
                } else if let content = try reader.content(run) {
                    contents[reader.placeholder(run).id(0)] = content
                }
            }
            return contents
        }
    }

    package func bytes(ofRoute route: UUID, from offset: Int, atMost count: Int) throws -> [UInt8] {
        try withReader { reader in
            guard let (run, _) = try reader.find(route), run.kind == .route else { return [] }
            return try reader.bytes(of: run, from: offset, atMost: count)
        }
    }

    package func holds(_ selection: SampleSelection) throws -> [StoredHold] {
        try withReader { reader in
            var holds: [StoredHold] = []
            try reader.eachCandidate(selection, order: "ORDER BY start") { run, _ in
                let dates = (run.start...max(run.start, run.end))
                holds.append(
                    StoredHold(
                        device: try reader.identity(run.origin).device,
                        dates: Date(
                            timeIntervalSinceReferenceDate: dates.lowerBound)...Date(
                                timeIntervalSinceReferenceDate: dates.upperBound),
                        end: run.summary?.holdEnd.map(Date.init(timeIntervalSinceReferenceDate:))))
                return true
            }
            return holds
        }
    }

    package func effortLinks(after sequence: Int64) throws -> [EffortLink] {
        try withReader { reader in
            let rows = try SQLRow.fetchAll(
                reader.db, sql: "SELECT id, workout, activity, sample FROM effort WHERE id > ? ORDER BY id",
                arguments: [sequence])
            return rows.compactMap { row in
                guard let workout = UUID(data: row[1]), let sample = UUID(data: row[3]) else { return nil }
                let activity: Data? = row[2]
                return EffortLink(
                    sequence: row[0], workout: workout, activity: activity.flatMap(UUID.init(data:)), sample: sample)
            }
        }
    }

    package func attachments(of object: UUID) throws -> [HKAttachment] {
        try withReader { reader in
            let rows = try SQLRow.fetchAll(
                reader.db,
                sql: """
                    SELECT identifier, name, contentType, length(data), created, metadata FROM attachment
                    WHERE object = ? ORDER BY id
                    """, arguments: [object.data])
            return try rows.compactMap { row in
                guard let identifier = UUID(data: row[0]), let type = UTType(row[2] as String) else { return nil }
                let metadata: Data? = row[5]
                return HKAttachment(
                    identifier: identifier, name: row[1], contentType: type, size: row[3],
                    creationDate: Date(timeIntervalSinceReferenceDate: row[4]),
                    metadata: try metadata.map { try StoredMetadata.decoded($0) })
            }
        }
    }

    package func attachmentData(_ attachment: UUID) throws -> Data? {
        try withReader { reader in
            try Data.fetchOne(
                reader.db, sql: "SELECT data FROM attachment WHERE identifier = ?", arguments: [attachment.data])
        }
    }
}
