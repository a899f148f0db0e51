public import Foundation
public import SessionLog

/// An electrocardiogram with one lead, as the Health app exports it: a table in the folder `electrocardiograms` that
/// the XML does not mention.
public struct HealthElectrocardiogram: Sendable, Equatable {
    /// The watch's classification of the rhythm.
    public enum Rhythm: Sendable, Equatable {
        /// The results of Apple's app, in any language that this package recognises.
        case sinusRhythm, atrialFibrillation, lowHeartRate, highHeartRate, poorRecording, inconclusive
        /// A text that this package does not recognise.
        case unrecognized(String)
    }

    /// The start of the recording.
    public var startDate: Date
    /// The rhythm. Nil if the file states none.
    public var rhythm: Rhythm?
    /// The symptoms in the words of the file. Empty if there are none.
    public var symptoms: String
    /// The source, with the device name that the file states.
    public var source: HealthSource
    /// The sampling frequency, above zero.
    public var samplingFrequencyInHertz: Double
    /// The lead in the words of the file, such as `Lead I`.
    public var lead: String
    /// The voltages, one per sample at ``samplingFrequencyInHertz``.
    public var voltagesInMicrovolts: [Double]

    /// Creates an electrocardiogram without checks: a frequency of zero gives a duration that is not a number.
    public init(
        startDate: Date, rhythm: Rhythm?, symptoms: String = "", source: HealthSource,
        samplingFrequencyInHertz: Double, lead: String, voltagesInMicrovolts: [Double]
    ) {
        self.startDate = startDate
        self.rhythm = rhythm
        self.symptoms = symptoms
        self.source = source
        self.samplingFrequencyInHertz = samplingFrequencyInHertz
        self.lead = lead
        self.voltagesInMicrovolts = voltagesInMicrovolts
    }

    /// The number of voltages divided by the sampling frequency.
    public var durationInSeconds: Double { Double(voltagesInMicrovolts.count) / samplingFrequencyInHertz }

    /// Identifies the content: equal for the same electrocardiogram in another export.
    public var fingerprint: HealthFingerprint {
        var print = HealthFingerprint()
        print.combine("Electrocardiogram")
        print.combine(startDate)
        print.combine(samplingFrequencyInHertz.bitPattern)
        for voltage in voltagesInMicrovolts { print.combine(voltage.bitPattern) }
        return print
    }
}

/// Reads these tables. Their words depend on the phone's language and region, so a row is recognised by its place and
/// its form. The rhythm, symptoms, version and device follow the date. The rate is in hertz. The row with a unit of
/// voltage is the last before the voltages, and the one before it names the lead.
enum HealthElectrocardiogramFile {
    /// Half a minute at 512 Hz has 15 thousand voltages.
    private static let voltageLimit = 1 << 20
    private static let headerLimit = 100

    static func read(_ bytes: [UInt8], path: String) throws(HealthExportError) -> HealthElectrocardiogram {
        var header: [(key: String, value: String)] = []
        var microvolts: Double?
        var voltages: [Double] = []
        let text = String(decoding: bytes, as: UTF8.self)
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let fields = fields(of: line)
            guard fields.contains(where: { !$0.isEmpty }) else { continue }
            if let microvolts {
                // A file with two columns has the lead before each voltage, and a header above them.
                guard let voltage = fields.last.flatMap(decimal) else {
                    if voltages.isEmpty, fields.count > 1 { continue }
                    throw .notAnElectrocardiogram(path: path, reason: "line \(number + 1) is not a voltage")
                }
                guard voltages.count < voltageLimit else {
                    throw .notAnElectrocardiogram(path: path, reason: "it has more than \(voltageLimit) voltages")
                }
                voltages.append(voltage * microvolts)
            } else if header.count < headerLimit {
                let row = (fields[0], fields.dropFirst().joined(separator: ",").trimmingCharacters(in: .whitespaces))
                header.append(row)
                microvolts = microvoltsPerUnit(row.1)
            }
        }
        return try electrocardiogram(header, voltages, path)
    }

    private static func electrocardiogram(
        _ header: [(key: String, value: String)], _ voltages: [Double], _ path: String
    ) throws(HealthExportError) -> HealthElectrocardiogram {
        func fault(_ reason: String) -> HealthExportError { .notAnElectrocardiogram(path: path, reason: reason) }
        guard !voltages.isEmpty else { throw fault("it has no voltages in µV or mV") }
        let dated = header.enumerated().compactMap { index, row in date(row.value).map { (index, $0) } }
        guard let (place, start) = dated.first else { throw fault("it has no date") }
        guard let rate = header.lazy.compactMap({ hertz($0.value) }).first else {
            throw fault("it has no sampling rate in hertz")
        }
        func after(_ count: Int) -> String {
            guard place + count < header.count, hertz(header[place + count].value) == nil else { return "" }
            return header[place + count].value
        }
        let name = after(4).isEmpty ? "ECG" : after(4)
        let version = after(3).isEmpty ? nil : after(3)
        return HealthElectrocardiogram(
            startDate: start, rhythm: rhythm(after(1)), symptoms: after(2),
            source: HealthSource(
                name: name, version: version,
                device: after(4).isEmpty ? nil : DeviceDescription(name: name, softwareVersion: version)),
            samplingFrequencyInHertz: rate, lead: header.dropLast().last?.value ?? "", voltagesInMicrovolts: voltages)
    }

    // MARK: Fields

    /// Splits a single line as in RFC 4180: quotes protect commas.
    private static func fields(of line: Substring) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in line where character != "\u{FEFF}" {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        // In a language with a decimal comma, this is one number without quotes.
        if fields.count == 2, decimal(line) != nil { fields = [String(line)] }
        while fields.count > 1, fields.last?.isEmpty == true { fields.removeLast() }
        return fields.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Reads a number with a point or a comma before its decimals, and at most one of them, because no file groups its
    /// digits.
    private static func decimal(_ text: some StringProtocol) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.count(where: { $0 == "," || $0 == "." }) <= 1, !text.hasSuffix(",") else { return nil }
        guard let value = Double(text.replacing(",", with: ".")), value.isFinite else { return nil }
        return value
    }

    private static func date(_ text: String) -> Date? {
        var text = text
        var dates = HealthExportDate()
        return text.withUTF8 { dates.date($0) }
    }

    /// Reads `511.422 hertz` or `512 Hz`.
    private static func hertz(_ text: String) -> Double? {
        let lower = text.lowercased()
        guard let suffix = ["hertz", "hz"].first(where: lower.hasSuffix) else { return nil }
        let rate = decimal(lower.dropLast(suffix.count).trimmingCharacters(in: .whitespacesAndNewlines))
        return rate.flatMap { $0 > 0 && $0 <= 100_000 ? $0 : nil }
    }

    /// Returns the microvolts in the unit. The micro sign and the Greek letter are two characters.
    private static func microvoltsPerUnit(_ text: String) -> Double? {
        switch text.lowercased() {
        case "\u{B5}v", "\u{3BC}v", "uv", "mcv", "microvolt", "microvolts": 1
        case "mv", "millivolt", "millivolts": 1000
        case "v", "volt", "volts": 1_000_000
        default: nil
        }
    }

    // MARK: Rhythms

    /// Returns the rhythm for a result in Apple's instructions for the ECG app, in English and, as far as known,
    /// German. The rates in them depend on the version of the app.
    private static func rhythm(_ text: String) -> HealthElectrocardiogram.Rhythm? {
        let words = text.lowercased().split { !$0.isLetter }.joined(separator: " ")
        if words.isEmpty { return nil }
        if words.contains("no atrial fibrillation") || words.contains("high heart rate"), !words.hasPrefix("atrial") {
            return .highHeartRate
        }
        if words.contains("atrial fibrillation") || words.contains("vorhofflimmern") { return .atrialFibrillation }
        if words == "sinus rhythm" || words == "sinusrhythmus" { return .sinusRhythm }
        if words.contains("heart rate over") || words.contains("heart rate above") { return .highHeartRate }
        if ["heart rate under", "heart rate below", "low heart rate"].contains(where: words.contains) {
            return .lowHeartRate
        }
        if words.contains("poor recording") || words.contains("poor reading") { return .poorRecording }
        if words == "inconclusive" || words == "uneindeutig" { return .inconclusive }
        return .unrecognized(text)
    }
}
