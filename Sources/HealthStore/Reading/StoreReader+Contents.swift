extension StoreReader {
    /// The content of a series in a row of its own. Nil for another object.
    func content(_ run: StoredRun) throws -> SeriesContent? {
        switch run.kind {
        case .heartbeats:
            let beats = try columns(run)
            return .heartbeats(
                beats.starts.indices.map {
                    StoredHeartbeat(secondsSinceStart: beats.starts[$0], precededByGap: beats.values[$0] != 0)
                })
        case .route: return .positions(try withColumns(of: run) { try PositionColumns.decoded($0) })
        case .quantitySeries:
            let columns = try columns(run)
            return .quantities(try quantities(run, columns, Array(columns.starts.indices)))
        case .object where try hasColumns(run): return .voltages(inMicrovolts: try columns(run).values)
        case .object, .workout, .correlation, .quantities, .categories: return nil
        }
    }

    func quantities(_ run: StoredRun, _ columns: SampleRun, _ indices: [Int]) throws -> [StoredQuantity] {
        let type = try type(run.type) as? HKQuantityType
        guard let unit = try unit(run.origin.unit) ?? type?.canonicalUnit else { return [] }
        return indices.map {
            StoredQuantity(
                quantity: HKQuantity(unit: unit, doubleValue: columns.values[$0]),
                start: Date(timeIntervalSinceReferenceDate: columns.starts[$0]),
                end: Date(timeIntervalSinceReferenceDate: columns.ends[$0]))
        }
    }

    /// Some bytes of a row's content, without loading the others.
    /// - Returns: Fewer than `count` bytes at the end of the content, and none after it.
    func bytes(of run: StoredRun, from offset: Int, atMost count: Int) throws -> [UInt8] {
        try db.bytes(ofContent: run.id, from: offset, atMost: count)
    }
}
