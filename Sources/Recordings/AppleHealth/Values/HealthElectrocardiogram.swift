public import Foundation
public import SessionLog

/// An electrocardiogram of one lead, as the Health app exports it: a table of its own in the folder `electrocardiograms`, of
/// which the XML does not speak.
public struct HealthElectrocardiogram: Sendable, Equatable {
    /// What the watch made of the rhythm.
    public enum Rhythm: Sendable, Equatable {
        /// What Apple's app can make of a recording, whatever the words of the file's language.
        case sinusRhythm, atrialFibrillation, lowHeartRate, highHeartRate, poorRecording, inconclusive
        /// In words that this package does not know.
        case unrecognized(String)
    }

    /// When the recording begins.
    public var startDate: Date
    /// Nil where the file says none.
    public var rhythm: Rhythm?
    /// In the words of the file; empty for none.
    public var symptoms: String
    /// Who recorded it: the name that the file gives to the device.
    public var source: HealthSource
    /// Above zero.
    public var samplingFrequencyInHertz: Double
    /// In the words of the file, such as `Lead I`.
    public var lead: String
    /// One for each step of ``samplingFrequencyInHertz``.
    public var voltagesInMicrovolts: [Double]

    /// Nothing is checked: a frequency of zero makes a duration that is no number.
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

    /// The number of voltages by the sampling frequency.
    public var durationInSeconds: Double { Double(voltagesInMicrovolts.count) / samplingFrequencyInHertz }

    /// Names the content: equal for the same electrocardiogram in another export.
    public var fingerprint: HealthFingerprint {
        var print = HealthFingerprint()
        print.combine("Electrocardiogram")
        print.combine(startDate)
        print.combine(samplingFrequencyInHertz.bitPattern)
        for voltage in voltagesInMicrovolts { print.combine(voltage.bitPattern) }
        return print
    }
}

/// Reads those tables. The words in them are those of the phone's language and region, so a row is told by its place and by
/// what it looks like: after the date come the rhythm, the symptoms, the version and the device; the rate is in hertz; the
/// row with a unit of voltage is the last before the voltages, and the one before it says the lead.
enum HealthElectrocardiogramFile {
    /// Half a minute at 512 Hz has 15 thousand.
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
                // Two columns have the lead before each voltage, and names above them.
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

    /// RFC 4180, as far as one line goes: quotes keep a comma inside.
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
        // A number in a language with a decimal comma, without quotes around it.
        if fields.count == 2, decimal(line) != nil { fields = [String(line)] }
        while fields.count > 1, fields.last?.isEmpty == true { fields.removeLast() }
        return fields.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// With a point or a comma before the decimals, and at most one of them: no file groups its digits.
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

    /// `511.422 hertz`, `512 Hz`.
    private static func hertz(_ text: String) -> Double? {
        let lower = text.lowercased()
        guard let suffix = ["hertz", "hz"].first(where: lower.hasSuffix) else { return nil }
        let rate = decimal(lower.dropLast(suffix.count).trimmingCharacters(in: .whitespacesAndNewlines))
        return rate.flatMap { $0 > 0 && $0 <= 100_000 ? $0 : nil }
    }

    /// The micro sign and the Greek letter are two characters.
    private static func microvoltsPerUnit(_ text: String) -> Double? {
        switch text.lowercased() {
        case "\u{B5}v", "\u{3BC}v", "uv", "mcv", "microvolt", "microvolts": 1
        case "mv", "millivolt", "millivolts": 1000
        case "v", "volt", "volts": 1_000_000
        default: nil
        }
    }

    // MARK: Rhythms

    /// The results of Apple's instructions for the ECG app, in English and, as far as they have been seen, German. Rates in
    /// them differ by the version of the app.
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
