import Foundation
import SessionLog

/// The files of Polar's monitors and related programs: sections of text with the recording in `[HRData]`, either the
/// times between heartbeats or rows of readings at a fixed interval.
///
/// Sections and fields follow "Polar HRM files and file format", version 4.0, which Polar gave to developers.
public struct PolarHRMFormat: TableFormat {
    let options: TableOptions

    /// - Parameter options: Settings for what the file does not state: the time zone and the activity.
    public init(_ options: TableOptions = TableOptions()) { self.options = options }

    /// `hrm`.
    public var name: String { "hrm" }
    /// The name in sentences.
    public var title: String { "Polar HRM" }
    /// `hrm`.
    public var endings: [String] { ["hrm"] }

    /// Returns whether the first section is `[Params]`.
    public func recognizes(_ start: FileStart) -> Bool { start.text.starts(with: Array("[Params]".utf8)) }

    /// Reads one recording of heart rates, or of beats, and of the monitor's other measurements.
    public func read(_ source: RecordingSource) throws(RecordingError) -> [Recording] { try readTable(source) }

    func layout(_ text: TableText) throws(TableFault) -> TableLayout? {
        let file = PolarHRMSections(text)
        guard let data = file.data else {
            throw TableFault(
                byte: text.bytes.count,
                reason: "its section [HRData], the recording itself, is missing; get the file again")
        }
        var layout = TableLayout(
            format: name, delimiter: 0x09, lineEnd: text.lineEnd, first: text.place(data), cells: [], names: [],
            clock: .beats, activity: options.activity, end: UInt8(ascii: "["))
        let interval = file.number("Interval") ?? 0
        if interval == Self.beats {
            layout.cells = [.quantity(.rrInterval, .one)]
            layout.names = ["RR interval"]
        } else if (1...600).contains(interval) {
            (layout.cells, layout.names) = columns(file)
            layout.clock = .rows(interval)
        } else {
            throw TableFault(
                byte: 0,
                reason:
                    "its rows are of an interval (\(file["Interval"] ?? "none")) that is neither seconds nor single beats"
            )
        }
        setStart(&layout, file)
        layout.device = device(file)
        layout.wearer = wearer(file)
        layout.lapEnds = file.lapEnds
        return layout
    }

    /// `Interval` of files with one row per heartbeat.
    private static let beats = 238.0

    /// `SMode` (`Mode` in versions before 1.06) states the columns after the heart rate.
    private func columns(_ file: PolarHRMSections) -> ([TableLayout.Cell], [String]) {
        let mode = Array(file["SMode"] ?? "")
        func has(_ index: Int) -> Bool { index < mode.count && mode[index] == "1" }
        let isImperial = has(7)
        var cells: [TableLayout.Cell] = [.quantity(.heartRate, .one)]
        var names = ["heart rate"]
        func add(_ name: String, _ cell: TableLayout.Cell) {
            cells.append(cell)
            names.append(name)
        }
        if has(0) { add("speed", .quantity(.speed, TableUnit(factor: isImperial ? 0.044704 : 0.1 / 3.6))) }
        if has(1) { add("cadence", .quantity(.cadence, .one)) }
        if has(2) { add("altitude", .quantity(.altitude, TableUnit(factor: isImperial ? 0.3048 : 1))) }
        if has(3) { add("power", .quantity(.power, .one)) }
        return (cells, names)
    }

    private func setStart(_ layout: inout TableLayout, _ file: PolarHRMSections) {
        guard let day = file["Date"]?.tableMoment() else {
            layout.start = options.start?.timeIntervalSinceReferenceDate
            return
        }
        let local = day.seconds + (file["StartTime"]?.tableClockOfDay ?? 0)
        let offset = options.zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: local))
        layout.offset = Double(offset)
        layout.start = local - layout.offset
        layout.warnings.append(
            RecordingWarning(
                byte: 0, message: "its start has no time zone; \(options.zone.identifier) was assumed"))
    }

    private func device(_ file: PolarHRMSections) -> DeviceDescription {
        let model = file.number("Monitor").flatMap { Self.monitors[Int($0)] }
        return DeviceDescription(
            name: ["Polar", model].compactMap(\.self).joined(separator: " "), manufacturer: "Polar", model: model)
    }

    /// The names of the numbers in `Monitor`.
    private static let monitors: [Int: String] = [
        6: "S520", 8: "S210", 9: "S410", 10: "S510", 11: "S610", 12: "S710", 13: "S810", 15: "E600", 20: "AXN500",
        21: "AXN700", 22: "S625X", 23: "S725", 33: "CS400", 34: "CS600X", 35: "CS600", 36: "RS400", 37: "RS800",
        38: "RS800X",
    ]

    /// Returns the wearer's settings in the monitor. Zeros mean that they were not set.
    private func wearer(_ file: PolarHRMSections) -> WearerProfile? {
        func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
            file.number(key).flatMap { range.contains($0) ? $0 : nil }
        }
        let profile = WearerProfile(
            massInKilograms: number("Weight", 20...300), restingHeartRate: number("RestHR", 25...150),
            maximumHeartRate: number("MaxHR", 80...250), vo2Max: number("VO2max", 10...100))
        return profile == WearerProfile() ? nil : profile
    }
}

/// The sections before the recording.
struct PolarHRMSections {
    private var parameters: [String: String] = [:]
    /// The ends of laps in seconds since the start.
    private(set) var lapEnds: [Double] = []
    /// The line after `[HRData]`.
    private(set) var data: Int?

    init(_ text: TableText) {
        var section = ""
        for line in text.lines.indices {
            let words = text.text(line).trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("["), words.hasSuffix("]") {
                section = words.dropFirst().dropLast().lowercased()
                if section == "hrdata" {
                    data = line + 1
                    return
                }
            } else if section == "params", let equals = words.firstIndex(of: "=") {
                parameters[String(words[..<equals])] = String(words[words.index(after: equals)...])
            } else if section == "inttimes", words.contains(":"), let first = words.split(separator: "\t").first,
                let end = String(first).tableClock, end > lapEnds.last ?? 0
            {
                lapEnds.append(end)
            }
        }
    }

    subscript(_ key: String) -> String? { parameters[key] }

    func number(_ key: String) -> Double? { parameters[key]?.tableNumber }
}
