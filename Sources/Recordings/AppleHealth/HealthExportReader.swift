import Foundation
import SessionLog
import XML

/// Reads the XML of an Apple Health export, one element after the other. Its memory does not grow with the file.
///
///     var reader = try HealthExport(url).reader()
///     while let element = try reader.next() { … }
///     let summary = reader.summary
///
/// Damage costs as little as possible, and `summary.warnings` describe it. Elements that are unknown or not supported
/// are counted in `summary.skipped`. An element without an end is not returned, because half of it would not be
/// recognised as the same when the whole file is read later.
public struct HealthExportReader: ~Copyable {
    /// The most children of an element, so that memory cannot be exhausted. A day's track has 86 400 points.
    static let childLimit = 500_000
    /// The deepest nesting. Exports nest five deep.
    private static let depthLimit = 32
    private static let nameLimit = 100

    struct Frame {
        var tag: HealthExportTag
        /// Whether its contents are skipped.
        var isIgnored: Bool
    }

    var scanner: XMLScanner
    private let size: Int
    private var stack: [Frame] = []
    /// The number of open elements beyond the limit of the stack.
    private var unstacked = 0
    private var isFinished = false
    private var isComplete = false
    private var ready: HealthExportElement?
    private var queue: [HealthExportElement] = []

    // State for making elements.
    var dates = HealthExportDate()
    var kinds = HealthRecordKinds()
    private var texts = ByteCache<String>(places: 2048, stride: 96)
    private var pool = HealthMetadataPool()

    // The open elements. Correlations and workouts only occur at the top level.
    var record: HealthRecord?
    var recordEntries: [HealthMetadata.Entry] = []
    var correlation: HealthCorrelation?
    var correlationEntries: [HealthMetadata.Entry] = []
    var workout: HealthWorkoutInProgress?
    private var children = 0

    // State for the summary.
    private var counts = [Int](repeating: 0, count: HealthExportTag.allCases.count)
    private var unknownNames: [String: Int] = [:]
    private var skips: [HealthExportSkip] = []
    private var kindInRow: HealthRecordKind?
    private var recordsInRow = 0
    private var recordsByType: [String: Int] = [:]
    private var recordsInCorrelations = 0
    private var locale: String?
    private var exportDate: Date?

    init(_ stream: any ByteStream, capacity: Int = XMLScanner.tagLimit) {
        size = stream.size
        scanner = XMLScanner(
            stream, elements: HealthExportTag.names, attributes: HealthExportAttribute.names, capacity: capacity)
    }

    /// The bytes of XML read so far.
    public var bytesRead: Int { scanner.bytesRead }

    /// The bytes of XML read so far, and in total.
    public var progress: HealthExportProgress {
        HealthExportProgress(bytesRead: scanner.bytesRead, bytesTotal: max(size, scanner.bytesRead))
    }

    /// A summary of everything read so far. It is complete once `next` has returned nil.
    public var summary: HealthExportSummary {
        var summary = HealthExportSummary()
        summary.locale = locale
        summary.version = scanner.exportVersion
        summary.exportDate = exportDate
        summary.elements = unknownNames
        for tag in HealthExportTag.allCases where tag != .unknown && counts[Int(tag.rawValue)] > 0 {
            summary.elements[tag.name] = counts[Int(tag.rawValue)]
        }
        summary.recordsByType = recordsByType
        if let kindInRow { summary.recordsByType[kindInRow.type, default: 0] += recordsInRow }
        summary.recordsInCorrelations = recordsInCorrelations
        summary.skipped = skips
        summary.warnings = scanner.warnings.all
        summary.isComplete = isComplete
        return summary
    }

    /// Returns the next element, or nil at the end.
    public mutating func next() throws(HealthExportError) -> HealthExportElement? {
        if !queue.isEmpty { return queue.removeFirst() }
        while !isFinished {
            let token: XMLScanner.Token
            do throws(ByteStreamFault) { token = try scanner.next() } catch { throw HealthExportError(error) }
            switch token {
            case .start: open(isEmpty: false)
            case .empty: open(isEmpty: true)
            case .end: end(HealthExportTag(number: scanner.element))
            case .text: break
            case .finished: finish()
            }
            if let element = ready.take() { return element }
        }
        return nil
    }

    func value(_ name: HealthExportAttribute) -> UnsafeBufferPointer<UInt8>? { scanner.value(name.rawValue) }

    mutating func date(_ name: HealthExportAttribute) -> Date? {
        guard let value = value(name) else { return nil }
        return dates.date(value)
    }

    func number(_ name: HealthExportAttribute) -> Double? { value(name).flatMap(XMLNumber.value) }

    mutating func text(_ name: HealthExportAttribute) -> String? {
        guard let bytes = value(name) else { return nil }
        return text(bytes)
    }

    mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let known = texts.value(bytes) { return known }
        if XMLText.hasIllegalCharacter(bytes) {
            scanner.warnings.addOnce(
                byte: scanner.tokenByte, "a text has a control character that XML does not allow; it is kept")
        }
        let text = XMLText.string(bytes)
        texts.keep(text, for: bytes)
        return text
    }

    mutating func source() -> HealthSource {
        HealthSource(
            name: text(.sourceName) ?? "", version: text(.sourceVersion),
            device: text(.device).flatMap(DeviceDescription.init(healthExport:)))
    }

    // MARK: Nesting

    private mutating func open(isEmpty: Bool) {
        let tag = HealthExportTag(number: scanner.element)
        counts[Int(tag.rawValue)] += 1
        if tag == .unknown, unknownNames.count < Self.nameLimit { unknownNames[scanner.elementName, default: 0] += 1 }
        let isTaken = hasPlace(for: tag) && begin(tag)
        if !isEmpty {
            if stack.count < Self.depthLimit {
                stack.append(Frame(tag: tag, isIgnored: !isTaken))
            } else {
                unstacked += 1
            }
        } else if isTaken {
            close(tag)
        }
    }

    /// Returns whether an element is where it belongs. Ends elements whose own end was lost.
    private mutating func hasPlace(for tag: HealthExportTag) -> Bool {
        guard let top = stack.last else {
            // The beginning of the file may be missing.
            if tag == .healthData || tag.isTopLevel { return true }
            return misplaced(tag)
        }
        if unstacked == 0, !top.isIgnored, tag.mayBeIn(top.tag) { return true }
        if tag.isTopLevel {
            unstacked = 0
            while let top = stack.last, top.isIgnored || !tag.mayBeIn(top.tag) { endLost(top) }
            return true
        }
        if unstacked > 0 || top.isIgnored { return false }
        guard let place = stack.lastIndex(where: { $0.isIgnored || tag.mayBeIn($0.tag) }), !stack[place].isIgnored
        else {
            return misplaced(tag)
        }
        while stack.count > place + 1, let top = stack.last { endLost(top) }
        return true
    }

    private mutating func misplaced(_ tag: HealthExportTag) -> Bool {
        skip(tag, tag == .unknown ? "unknown element" : "it is outside the element that it belongs to")
        return false
    }

    private mutating func endLost(_ frame: Frame) {
        scanner.warnings.add(byte: scanner.tokenByte, "\(frame.tag.name) has no end before this place")
        stack.removeLast()
        if !frame.isIgnored { close(frame.tag) }
    }

    private mutating func end(_ tag: HealthExportTag) {
        if unstacked > 0 {
            unstacked -= 1
            return
        }
        guard let place = stack.lastIndex(where: { $0.tag == tag }) else {
            scanner.warnings.add(byte: scanner.tokenByte, "\(tag.name) ends here without having begun")
            return
        }
        while stack.count > place + 1, let top = stack.last { endLost(top) }
        let frame = stack.removeLast()
        if !frame.isIgnored { close(tag) }
        if tag == .healthData { isComplete = true }
    }

    private mutating func finish() {
        isFinished = true
        if !isComplete {
            scanner.warnings.add(byte: scanner.bytesRead, "the export ends before its end: it was cut off")
        }
    }

    // MARK: Elements

    /// Begins an element. Returns false if it is skipped.
    private mutating func begin(_ tag: HealthExportTag) -> Bool {
        if tag.isTopLevel, stack.last?.tag != .correlation { children = 0 } else { children += 1 }
        if children > Self.childLimit {
            skip(tag, "the element around it has more than \(Self.childLimit) others")
            return false
        }
        switch tag {
        case .record: return beginRecord()
        case .metadataEntry: addMetadata()
        case .instantaneousBeatsPerMinute: addBeat()
        case .correlation: return beginCorrelation()
        case .workout: return beginWorkout()
        case .workoutActivity: return beginActivity()
        case .workoutEvent: return beginEvent()
        case .workoutStatistics: return addStatistics()
        case .workoutRoute: return beginRoute()
        case .fileReference: addFile()
        case .location: return addPoint()
        case .activitySummary: return addActivitySummary()
        case .me: addCharacteristics()
        case .exportDate: exportDate = date(.value)
        case .healthData: locale = text(.locale)
        case .heartRateVariabilityMetadataList: break
        case .clinicalRecord: addClinicalRecord()
        case .audiogram, .visionPrescription, .unknown:
            skip(tag, tag.reasonToSkip ?? "")
            return false
        }
        return true
    }

    private mutating func close(_ tag: HealthExportTag) {
        switch tag {
        case .record:
            guard var done = record.take() else { return }
            if !recordEntries.isEmpty {
                done.metadata = pool.metadata(recordEntries)
                recordEntries.removeAll(keepingCapacity: recordEntries.count < 1000)
            }
            if correlation == nil {
                count(done.kind)
                deliver(.record(done))
            } else {
                recordsInCorrelations += 1
                correlation?.records.append(done)
            }
        case .correlation:
            guard var done = correlation.take() else { return }
            done.metadata = pool.metadata(correlationEntries)
            correlationEntries = []
            deliver(.correlation(done))
        case .workoutEvent, .workoutActivity, .workoutRoute:
            workout?.end(tag)
        case .workout:
            if let done = workout.take() { deliver(.workout(done.finished())) }
        default:
            break
        }
    }

    mutating func deliver(_ element: HealthExportElement) {
        if ready == nil { ready = element } else { queue.append(element) }
    }

    private mutating func count(_ kind: HealthRecordKind) {
        if kind === kindInRow {
            recordsInRow += 1
        } else {
            if let kindInRow { recordsByType[kindInRow.type, default: 0] += recordsInRow }
            kindInRow = kind
            recordsInRow = 1
        }
    }

    /// Counts a skipped element.
    mutating func skip(_ tag: HealthExportTag, _ reason: String) {
        let name = tag == .unknown ? scanner.elementName : tag.name
        if let place = skips.firstIndex(where: { $0.element == name && $0.reason == reason }) {
            skips[place].count += 1
        } else if skips.count < Self.nameLimit {
            skips.append(HealthExportSkip(element: name, reason: reason, count: 1, firstByte: scanner.tokenByte))
        }
    }
}

/// Shares one object among records with equal metadata, as far as they are close together.
struct HealthMetadataPool {
    private static let places = 1024
    private var pool = [HealthMetadata?](repeating: nil, count: places)

    mutating func metadata(_ entries: [HealthMetadata.Entry]) -> HealthMetadata {
        if entries.isEmpty { return .none }
        // Any hash is good enough, because entries are compared afterwards.
        var place = entries.count
        for entry in entries {
            for byte in entry.key.utf8.suffix(4) { place = place &* 31 &+ Int(byte) }
            for byte in entry.value.utf8.suffix(12) { place = place &* 31 &+ Int(byte) }
        }
        place &= Self.places - 1
        if let found = pool[place], found.entries == entries { return found }
        // Copied, because the caller uses its list again.
        let made = HealthMetadata(Array(entries[...]))
        pool[place] = made
        return made
    }
}

/// Shares one object among records with equal types, units and sources.
///
/// Every few hundred records the same watch has another device address, so there are two steps: first the bytes as
/// written, then their meaning.
struct HealthRecordKinds: ~Copyable {
    private var written = ByteCache<HealthRecordKind>(places: 4096, stride: 512)
    private var meant: Set<HealthRecordKind> = []
    private static let meantLimit = 16_384

    private let key: UnsafeMutablePointer<UInt8>
    private static let keyCapacity = 512

    init() { key = .allocate(capacity: Self.keyCapacity) }

    deinit { key.deallocate() }

    mutating func kind(
        type: UnsafeBufferPointer<UInt8>, unit: UnsafeBufferPointer<UInt8>?, name: UnsafeBufferPointer<UInt8>?,
        version: UnsafeBufferPointer<UInt8>?, device: UnsafeBufferPointer<UInt8>?
    ) -> HealthRecordKind {
        var count = 0
        var fits = true
        func append(_ part: UnsafeBufferPointer<UInt8>?) {
            // 0 for a missing part, otherwise its length plus one.
            let length = (part?.count ?? -1) + 1
            guard count + 2 + length <= Self.keyCapacity else {
                fits = false
                return
            }
            key[count] = UInt8(truncatingIfNeeded: length)
            key[count + 1] = UInt8(truncatingIfNeeded: length >> 8)
            count += 2
            if let start = part?.baseAddress, length > 1 {
                memcpy(key + count, start, length - 1)
                count += length - 1
            }
        }
        append(type)
        append(unit)
        append(name)
        append(version)
        append(device)

        let written = UnsafeBufferPointer(start: key, count: fits ? count : 0)
        if fits, let known = self.written.value(written) { return known }
        let made = HealthRecordKind(
            type: XMLText.string(type), unit: unit.map(XMLText.string),
            source: HealthSource(
                name: name.map(XMLText.string) ?? "", version: version.map(XMLText.string),
                device: device.flatMap { DeviceDescription(healthExport: XMLText.string($0)) }))
        if meant.count >= Self.meantLimit { meant.removeAll() }
        let kind = meant.insert(made).memberAfterInsert
        if fits { self.written.keep(kind, for: written) }
        return kind
    }
}

extension HealthExportReader {
    mutating func addClinicalRecord() {
        guard let type = text(.type), !type.isEmpty, let identifier = text(.identifier), !identifier.isEmpty,
            let path = text(.resourceFilePath), !path.isEmpty
        else { return skip(.clinicalRecord, "it has no type, no identifier or no file") }
        guard let received = date(.receivedDate) else {
            return skip(.clinicalRecord, "when it was received is missing or not readable as a date")
        }
        deliver(
            .clinicalRecord(
                HealthClinicalRecord(
                    type: type, identifier: identifier, sourceName: text(.sourceName) ?? "",
                    sourceURL: text(.sourceURL), fhirVersion: text(.fhirVersion) ?? "", receivedDate: received,
                    resourceFilePath: path)))
    }
}
