extension StoreReader {
    /// What is inside the one object of a row; nil for an object that is no series.
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

    typealias SharedByMeasurements = (StoredMeasurement.Shared, UnitConversion)

    /// What the measurements of a row share, and how its values become those of the type's recording unit; nil for a row of
    /// another type than a quantity's.
    func shared(_ run: StoredRun) throws -> SharedByMeasurements? {
        guard let type = try type(run.type) as? HKQuantityType else { return nil }
        let own = try unit(run.origin.unit) ?? type.canonicalUnit
        guard let conversion = own.converter(to: type.recordingUnit) else {
            throw SampleRunError.damaged("a value in \(own.unitString)")
        }
        return (StoredMeasurement.Shared(type: type, device: try identity(run.origin).device), conversion)
    }
}
