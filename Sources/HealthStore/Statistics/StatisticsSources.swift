import Units

/// A row that counts in statistics, with the filter that its samples still have to match.
struct StatisticsPiece {
    var run: StoredRun
    var filter: SampleFilter

    /// Whether its summary suffices.
    var isWhole: Bool { filter == .all && run.kind != .object }
}

/// Adds up rows in buckets.
struct StatisticsSources {
    private let pieces: [StatisticsPiece]
    private let type: HKQuantityType
    private let reader: StoreReader
    private let dates: [Double]

    init(_ pieces: [StatisticsPiece], _ type: HKQuantityType, _ reader: StoreReader, _ dates: [Double]) throws {
        self.pieces = pieces
        self.type = type
        self.reader = reader
        self.dates = dates
    }

    func buckets(_ bounds: StatisticsBounds, separatingSources: Bool) throws -> [StatisticsBucket] {
        if reader.readsAhead { reader.expect(openedRows) }
        let bySource = Dictionary(grouping: pieces, by: \.run.origin.source)
        var total = BucketRow(dates, type)
        let isMerged = bySource.count > 1 && type.aggregationStyle == .cumulative
        if isMerged { try addMerged(to: &total) }
        guard separatingSources || !isMerged else { return total.buckets(bounds, [:]) }
        var parts: [HKSource: BucketRow] = [:]
        for (_, pieces) in bySource.sorted(by: { $0.key < $1.key }) {
            var row = BucketRow(dates, type)
            try add(pieces, to: &row)
            if !isMerged { total.add(row) }
            guard separatingSources else { continue }
            parts[try reader.revision(pieces[0].run.origin.revision).source] = row
        }
        return total.buckets(bounds, parts)
    }

    /// Rows whose samples are read, because a bound cuts them or because they interleave with others.
    private var openedRows: [StoredRun] {
        var row = BucketRow(dates, type)
        var lastEnd: [Int64: Double] = [:]
        var opened: [StoredRun] = []
        for (index, piece) in pieces.enumerated() {
            let run = piece.run
            let last = lastEnd[run.origin.source] ?? -.infinity
            lastEnd[run.origin.source] = max(last, run.end)
            let interleaves =
                run.start < last || index + 1 < pieces.count && pieces[index + 1].run.start < run.lastStart
            if !piece.isWhole || interleaves || row.cuts(run) { opened.append(run) }
        }
        return opened
    }

    /// Adds rows in order of their start. Rows whose samples interleave are read as one.
    private func add(_ pieces: [StatisticsPiece], to row: inout BucketRow) throws {
        var first = 0
        while first < pieces.count {
            var next = first + 1
            var lastStart = pieces[first].run.lastStart
            while next < pieces.count, pieces[next].run.start < lastStart {
                lastStart = max(lastStart, pieces[next].run.lastStart)
                next += 1
            }
            if next == first + 1 {
                try add(pieces[first], to: &row)
            } else {
                for value in try values(pieces[first..<next]) { row.add(value) }
            }
            first = next
        }
    }

    private func add(_ piece: StatisticsPiece, to row: inout BucketRow) throws {
        let run = piece.run
        if !piece.isWhole {
            for value in try values(piece) { row.add(value) }
        } else if let bucket = row.bucket(holding: run.start, run.lastStart, run.end) {
            row.add(run, to: bucket)
        } else {
            try addParts(of: run, to: &row)
        }
    }

    /// Adds a row that contains a bound. Only its parts that contain a bound are opened.
    private func addParts(of run: StoredRun, to row: inout BucketRow) throws {
        let conversion = try conversion(run)
        var place = 0
        for part in run.summary?.parts ?? [] {
            let places = place..<place + part.count
            place = places.upperBound
            if row.isOutside(part.start, part.end) || row.add(part) { continue }
            row.add(try reader.timedValues(run, in: places, conversion), in: places)
        }
        let count = run.summary?.valueCount ?? run.count
        if place < count {
            row.add(try reader.timedValues(run, in: place..<count, conversion), in: place..<count)
        }
        if let summary = run.summary, let holdEnd = summary.holdEnd {
            row.endHold(at: holdEnd, ofValueFrom: summary.lastStart, to: summary.lastEnd)
        }
    }

    /// The conversion from a row's unit to the recording unit.
    private func conversion(_ run: StoredRun) throws -> UnitConversion {
        guard let unit = try reader.unit(run.origin.unit), let conversion = unit.converter(to: type.recordingUnit)
        else {
            throw SampleRunError.damaged("a value without a unit")
        }
        return conversion
    }

    private func values(_ pieces: ArraySlice<StatisticsPiece>) throws -> [MeasuredValue] {
        try pieces.flatMap(values).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    /// The matching values of a row in the recording unit, including those inside a series.
    private func values(_ piece: StatisticsPiece) throws -> [MeasuredValue] {
        let run = piece.run
        let conversion = try conversion(run)
        if run.kind == .quantitySeries {
            guard try !reader.matches(run, reader.placeholder(run), piece.filter).isEmpty else { return [] }
        }
        let samples = try reader.columns(run)
        let indices =
            run.kind == .quantitySeries ? Array(samples.starts.indices) : try reader.matches(run, samples, piece.filter)
        return indices.map {
            MeasuredValue(
                value: conversion(samples.values[$0]), start: samples.starts[$0], end: samples.ends[$0],
                holdEnd: $0 == samples.count - 1 ? samples.holdEnd : nil)
        }
    }

    /// Merges cumulative samples of several sources. Times with only one source need no merging.
    private func addMerged(to row: inout BucketRow) throws {
        var first = 0
        while first < pieces.count {
            var next = first + 1
            var end = pieces[first].run.end
            var isSingle = true
            while next < pieces.count, pieces[next].run.start < end {
                end = max(end, pieces[next].run.end)
                isSingle = isSingle && pieces[next].run.origin.source == pieces[first].run.origin.source
                next += 1
            }
            if isSingle {
                try add(Array(pieces[first..<next]), to: &row)
            } else {
                try addMerged(pieces[first..<next], to: &row)
            }
            first = next
        }
    }

    private func addMerged(_ pieces: ArraySlice<StatisticsPiece>, to row: inout BucketRow) throws {
        var covered = CoveredTime()
        var kept: [MeasuredValue] = []
        let bySource = Dictionary(grouping: pieces, by: \.run.origin.source)
        for source in bySource.keys.sorted(by: >) {
            let values = try values((bySource[source] ?? [])[...])
            for value in values { kept += covered.uncovered(value) }
            covered.cover(values)
        }
        for value in kept.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) { row.add(value) }
    }
}
