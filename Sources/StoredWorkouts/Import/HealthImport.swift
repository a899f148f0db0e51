package import Recordings
import SessionLog

/// Imports an Apple Health export into the store.
///
/// Stored data does not change: importing a file twice, or a later export of the same phone, adds only new data. The
/// file is read while data is being saved, with bounded memory. At the end, each workout gets its samples. After a
/// failure or a cancellation, importing again adds the rest.
///
/// One fact is not kept, because a HealthKit object has no place for it: when a sample was added to the phone's store
/// (`creationDate`).
package struct HealthImport {
    private let database: any HealthDatabase
    private let export: HealthExport
    private let queue: MergeQueue
    private var batch: ImportBatch
    private var summary = HealthImportSummary()
    private var days: [ActivityDay] = []
    private var workouts: Set<UUID> = []
    private let isCancelled: () -> Bool
    private let adopt: Adoption
    /// The route files that were not read yet. Each is read once, even if several workouts name it.
    private var routeFiles: Set<HealthExport.RouteFile> = []

    // The results for each kind of record. A plan keeps its kind, so that the kind's address stays valid.
    private var plans: [ObjectIdentifier: RecordPlan] = [:]
    private var latest: (kind: HealthRecordKind, metadata: HealthMetadata, plan: RecordPlan, columns: Int)?

    /// The number of kinds that are remembered. Every new version of a watch's system adds new ones.
    private static let planLimit = 1 << 14
    /// The number of days that are kept until they are saved.
    private static let dayLimit = 1 << 12

    /// Returns a workout as it should be stored, or nil to leave it out, because the store has it from elsewhere.
    package typealias Adoption = (_ workout: HKWorkout, _ hasRoute: Bool) throws -> HKWorkout?

    /// Imports a file, which may be `export.zip` or the XML file from it. `progress` is called about every half
    /// megabyte.
    ///
    /// Once `isCancelled` returns true, the import ends within a moment: the summary contains what is saved by then,
    /// and importing again adds the rest. It is called often, on the calling thread. `samplesAtOnce` is the number of
    /// samples in one transaction. `adopt` is called for each workout, on the calling thread.
    ///
    /// Throws a `HealthExportError` if the file cannot be read, and an ``HKError`` if the store cannot be written.
    package static func run(
        _ url: URL, into database: any HealthDatabase, isCancelled: @escaping () -> Bool = { Task.isCancelled },
        samplesAtOnce: Int = ImportBatch.fullCount, adopting adopt: @escaping Adoption = { workout, _ in workout },
        progress: (HealthExportProgress) -> Void = { _ in }
    ) throws -> HealthImportSummary {
        var run = try HealthImport(HealthExport(url), database, samplesAtOnce, isCancelled, adopt)
        return try run.run(progress)
    }

    private init(
        _ export: HealthExport, _ database: any HealthDatabase, _ samplesAtOnce: Int,
        _ isCancelled: @escaping () -> Bool, _ adopt: @escaping Adoption
    ) throws {
        self.export = export
        self.adopt = adopt
        self.database = database
        self.isCancelled = isCancelled
        batch = ImportBatch(fullCount: samplesAtOnce)
        queue = MergeQueue(database)
    }

    private mutating func run(_ progress: (HealthExportProgress) -> Void) throws -> HealthImportSummary {
        var reader = try export.reader(isCancelled: isCancelled)
        var reported = 0
        do {
            while let element = try reader.next() {
                try take(element)
                if reader.bytesRead - reported >= 1 << 19 {
                    reported = reader.bytesRead
                    progress(reader.progress)
                }
            }
        } catch HealthExportError.cancelled {
            summary.wasInterrupted = true
        }
        try takeElectrocardiograms()
        try flush()
        forgetPlans()
        summary.types = try queue.finish(isCancelled: isCancelled)
        summary.wasInterrupted = summary.wasInterrupted || isCancelled()
        if !summary.wasInterrupted {
            summary.workoutsWithSamples = try database.assignSamples(toWorkouts: workouts, isEnded: isCancelled)
            summary.wasInterrupted = isCancelled()
        }
        try saveDays()
        summary.file = reader.summary
        for skip in summary.file.skipped { summary.skip(skip.element, skip.reason, skip.count) }
        progress(reader.progress)
        return summary
    }

    private mutating func take(_ element: HealthExportElement) throws {
        switch element {
        case .record(let record): try take(record)
        case .workout(let workout): try take(workout)
        case .correlation(let correlation): try take(correlation)
        case .activitySummary(let day):
            days.append(ActivityDay(day))
            if days.count >= Self.dayLimit { try saveDays() }
        case .characteristics(let characteristics):
            summary.profile = try database.fillProfile(from: characteristics)
        case .clinicalRecord(let record): try take(record)
        }
    }

    private mutating func saveDays() throws {
        guard !days.isEmpty else { return }
        try database.saveActivityDays(days)
        summary.activityDays += days.count
        days = []
    }

    private mutating func flush() throws {
        for plan in plans.values { plan.columns = [:] }
        latest = nil
        guard !batch.isEmpty else { return }
        try queue.add(batch, isCancelled: isCancelled)
        batch = ImportBatch(fullCount: batch.fullCount)
        if plans.count > Self.planLimit { forgetPlans() }
    }

    private mutating func forgetPlans() {
        for plan in plans.values where plan.count > 0 {
            summary.count(plan.count, from: plan.kind.source.name)
        }
        plans = [:]
    }

    // MARK: Records

    private mutating func take(_ record: HealthRecord) throws {
        if let latest, latest.kind === record.kind, latest.metadata === record.metadata {
            return try take(record, latest.plan, latest.columns)
        }
        let plan = plan(of: record.kind)
        guard let columns = plan.columns[ObjectIdentifier(record.metadata)] ?? newColumns(plan, record) else {
            return try take(record, plan, nil)
        }
        latest = (record.kind, record.metadata, plan, columns)
        try take(record, plan, columns)
    }

    @inline(__always)
    private mutating func take(_ record: HealthRecord, _ plan: RecordPlan, _ columns: Int?) throws {
        guard let value = plan.number(record) else { return note(record, plan) }
        plan.count += 1
        if let columns {
            batch.add(
                value, start: record.startDate.timeIntervalSinceReferenceDate,
                end: record.endDate.timeIntervalSinceReferenceDate, to: columns)
        } else if let sample = try? plan.sample(record, value) {
            batch.named.append(sample)
        }
        if !record.beats.isEmpty, let series = HeartbeatImport.series(of: record, plan) { batch.add(series) }
        if batch.isFull { try flush() }
    }

    private func plan(of kind: HealthRecordKind) -> RecordPlan { plans[ObjectIdentifier(kind)] ?? RecordPlan(kind) }

    /// Returns nil for a record that is no plain sample.
    private mutating func newColumns(_ plan: RecordPlan, _ record: HealthRecord) -> Int? {
        plans[ObjectIdentifier(plan.kind)] = plan
        guard let type = plan.type, !plan.isNamed else { return nil }
        let metadata = ImportedMetadata.metadata(record.metadata)
        guard metadata?[HKMetadataKeySyncIdentifier] == nil else { return nil }
        let index = batch.columns.count
        batch.columns.append(
            ImportedColumns(
                type: type, unit: plan.unit, revision: plan.revision, device: plan.device, metadata: metadata))
        plan.columns[ObjectIdentifier(record.metadata)] = index
        // Keeps the metadata, whose address is their key until the batch is full.
        plan.held.append(record.metadata)
        return index
    }

    private mutating func note(_ record: HealthRecord, _ plan: RecordPlan) {
        summary.skip(record.type, plan.reason(record))
    }

    // MARK: Documents

    /// Imports the electrocardiograms. They are files beside the XML, which does not mention them.
    private mutating func takeElectrocardiograms() throws {
        for name in summary.wasInterrupted ? [] : export.electrocardiogramFiles {
            do {
                let file = try export.electrocardiogram(in: name)
                batch.add(try ElectrocardiogramImport.object(file))
                summary.sources[file.source.name, default: 0] += 1
            } catch {
                summary.skip("Electrocardiogram", "\(error)")
            }
            if batch.isFull { try flush() }
        }
    }

    private mutating func take(_ record: HealthClinicalRecord) throws {
        do {
            let data = try export.document(at: record.resourceFilePath)
            batch.add(try ClinicalRecordImport.object(record, resource: data))
            summary.sources[record.sourceName, default: 0] += 1
        } catch HealthExportError.noDocument {
            summary.skip("ClinicalRecord", "its file is not with this export; unpack the whole archive")
        } catch let error as HKError {
            summary.skip("ClinicalRecord", error.localizedDescription)
        } catch {
            summary.skip("ClinicalRecord", "\(error)")
        }
        if batch.isFull { try flush() }
    }

    // MARK: Other elements

    private mutating func take(_ correlation: HealthCorrelation) throws {
        let contents = correlation.records.compactMap { record -> HKSample? in
            let plan = plan(of: record.kind)
            return plan.number(record).flatMap { try? plan.sample(record, $0) }
        }
        do {
            guard let type = TypeCatalogue.objectType(identifier: correlation.type) as? HKCorrelationType else {
                return summary.skip(correlation.type, "the type is not known")
            }
            let sample = try HKCorrelation.validated(
                ObjectIdentity(
                    uuid: correlation.fingerprint.uuid, sourceRevision: HKSourceRevision(correlation.source),
                    device: correlation.source.device.map(HKDevice.init),
                    metadata: ImportedMetadata.metadata(correlation.metadata)),
                type: type, start: correlation.startDate, end: correlation.endDate, objects: Set(contents))
            batch.add(ImportedObject(sample: sample))
            summary.count(1, from: correlation.source.name)
        } catch {
            summary.skip(correlation.type, error.description)
        }
        if batch.isFull { try flush() }
    }

    private mutating func take(_ workout: HealthWorkout) throws {
        let imported: WorkoutImport
        do throws(SampleError) {
            imported = try WorkoutImport(workout)
        } catch {
            return summary.skip("Workout", error.description)
        }
        for note in imported.notes { summary.skip("Workout", note) }
        let hasRoute = workout.routes.contains { route in
            !route.points.isEmpty || route.files.contains { export.hasRouteFile(at: $0) }
        }
        guard let adopted = try adopt(imported.workout, hasRoute) else {
            summary.copies += 1
            return
        }
        batch.add(ImportedObject(sample: adopted))
        workouts.insert(adopted.uuid)
        summary.count(1, from: workout.source.name)
        for (index, route) in workout.routes.enumerated() {
            try take(route, index, of: workout)
            if batch.isFull { try flush() }
        }
        if batch.isFull { try flush() }
    }

    /// - Throws: If the import is cancelled, so that no route is stored partially.
    private mutating func take(_ route: HealthWorkoutRoute, _ index: Int, of workout: HealthWorkout) throws {
        var points = route.points
        for path in route.files {
            do throws(HealthExportError) {
                points += try self.points(inFileAt: path, room: HealthRoute.pointLimit - points.count)
            } catch .cancelled {
                throw HealthExportError.cancelled(path: path)
            } catch .noRoute {
                summary.skip("WorkoutRoute", "its file is not with this export; unpack the whole archive")
            } catch {
                summary.skip("WorkoutRoute", error.description)
            }
        }
        guard let object = try? WorkoutImport.route(route, points: points, index, of: workout) else { return }
        batch.add(object)
    }

    private mutating func points(
        inFileAt path: String, room: Int
    ) throws(HealthExportError) -> ArraySlice<HealthRoutePoint> {
        let file = try export.routeFile(at: path)
        guard routeFiles.insert(file).inserted else {
            summary.skip("WorkoutRoute", "its file is another route's too, and is kept there only")
            return []
        }
        let route = try export.route(in: file, isCancelled: isCancelled)
        for warning in route.warnings { summary.skip("WorkoutRoute", warning.message) }
        guard route.points.count > room else { return route.points[...] }
        summary.skip("WorkoutRoute", "its files have more than \(HealthRoute.pointLimit) points; the rest is left out")
        return route.points.prefix(max(0, room))
    }
}

/// Creates clinical records, with their resources, for the store.
enum ClinicalRecordImport {
    static func object(_ record: HealthClinicalRecord, resource data: Data) throws -> ImportedObject {
        let resource = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        guard let resource else {
            throw HealthExportError.notADocument(path: record.resourceFilePath, reason: "it is not a JSON object")
        }
        let type = HKFHIRResourceType(rawValue: record.type)
        guard let clinical = clinicalType(of: type, resource) else {
            throw HealthExportError.notADocument(
                path: record.resourceFilePath, reason: "Health keeps no resources of type \(record.type)")
        }
        let revision = HKSourceRevision(HealthSource(name: record.sourceName))
        let sample = try HKClinicalRecord.validated(
            ObjectIdentity(uuid: record.fingerprint.uuid, sourceRevision: revision), type: HKClinicalType(clinical),
            displayName: displayName(of: resource) ?? record.type,
            fhirResource: HKFHIRResource(
                fhirVersion: HKFHIRVersion(fromVersionString: record.fhirVersion), resourceType: type,
                identifier: record.identifier, data: data,
                sourceURL: record.sourceURL.flatMap { URL(string: $0) }),
            start: record.receivedDate, end: record.receivedDate)
        return ImportedObject(sample: sample)
    }

    /// Returns the type of a resource (Apple's documentation of `HKClinicalTypeIdentifier`). The category of an
    /// observation shows whether it is a vital sign or a laboratory result (HL7, "Observation Category Codes").
    private static func clinicalType(
        of type: HKFHIRResourceType, _ resource: [String: Any]
    ) -> HKClinicalTypeIdentifier? {
        switch type {
        case .allergyIntolerance: .allergyRecord
        case .condition: .conditionRecord
        case .immunization: .immunizationRecord
        case .medicationDispense, .medicationOrder, .medicationRequest, .medicationStatement: .medicationRecord
        case .procedure: .procedureRecord
        case .coverage: .coverageRecord
        case .documentReference: .clinicalNoteRecord
        case .diagnosticReport: .labResultRecord
        case .observation: codes(in: resource["category"]).contains("vital-signs") ? .vitalSignRecord : .labResultRecord
        default: nil
        }
    }

    /// Returns the codes of one or several CodeableConcepts.
    private static func codes(in concept: Any?) -> [String] {
        switch concept {
        case let list as [Any]: list.flatMap(codes)
        case let concept as [String: Any]:
            (concept["coding"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
        default: []
        }
    }

    /// Returns the name of the resource's subject, from the element that each type has for it (HL7 FHIR DSTU2 and R4).
    private static func displayName(of resource: [String: Any]) -> String? {
        let elements = ["code", "vaccineCode", "medicationCodeableConcept", "substance", "type"]
        for element in elements {
            guard let concept = resource[element] as? [String: Any] else { continue }
            let coding = (concept["coding"] as? [[String: Any]])?.lazy.compactMap { $0["display"] as? String }.first
            if let words = concept["text"] as? String ?? coding, !words.isEmpty { return words }
        }
        let reference = resource["medicationReference"] as? [String: Any]
        return (reference?["display"] ?? resource["description"]) as? String
    }
}

/// Creates electrocardiograms of an export, with their voltages, for the store.
enum ElectrocardiogramImport {
    /// The metadata key of the part of the file for which an `HKElectrocardiogram` has no property.
    private static let symptomsKey = "Symptoms"
    private static let resultKey = "Classification"

    static func object(_ file: HealthElectrocardiogram) throws(SampleError) -> ImportedObject {
        var metadata: [String: Any] = [:]
        if !file.symptoms.isEmpty { metadata[symptomsKey] = file.symptoms }
        if case .unrecognized(let words) = file.rhythm { metadata[resultKey] = words }
        let identity = try ObjectIdentity(
            uuid: file.fingerprint.uuid, sourceRevision: HKSourceRevision(file.source),
            device: file.source.device.map(HKDevice.init), metadata: metadata.isEmpty ? nil : metadata)
        let sample = try HKElectrocardiogram.validated(
            identity, classification: classification(file.rhythm),
            // A file without symptoms does not show whether the user was asked.
            symptomsStatus: file.symptoms.isEmpty ? .notSet : .present, averageHeartRate: nil,
            samplingFrequency: HKQuantity(unit: .hertz(), doubleValue: file.samplingFrequencyInHertz),
            numberOfVoltageMeasurements: file.voltagesInMicrovolts.count, start: file.startDate,
            end: file.startDate + file.durationInSeconds)
        return ImportedObject(sample: sample, series: .voltages(inMicrovolts: file.voltagesInMicrovolts))
    }

    private static func classification(_ rhythm: HealthElectrocardiogram.Rhythm?) -> HKElectrocardiogram.Classification
    {
        switch rhythm {
        case nil: .notSet
        case .sinusRhythm: .sinusRhythm
        case .atrialFibrillation: .atrialFibrillation
        case .lowHeartRate: .inconclusiveLowHeartRate
        case .highHeartRate: .inconclusiveHighHeartRate
        case .poorRecording: .inconclusivePoorReading
        case .inconclusive: .inconclusiveOther
        case .unrecognized: .unrecognized
        }
    }
}
