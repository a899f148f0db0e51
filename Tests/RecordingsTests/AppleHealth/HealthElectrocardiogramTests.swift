import Foundation
import Recordings
import Testing

@testable import Recordings
@testable import SessionLog

/// Tables in the form of exports, as public parsers describe it: row names in the phone's language, empty rows, one
/// voltage per line.
@Suite struct HealthElectrocardiogramTests {
    private static let english = """
        Name,Kim Doe
        Date of Birth,"May 20, 1990"
        Recorded Date,2024-03-02 08:15:30 +0100
        Classification,Sinus Rhythm
        Symptoms,
        Software Version,1.90
        Device,"Watch6,1"
        Sample Rate,512.414 hertz
        ,

        Lead,Lead I
        Unit,µV

        -10.25
        12
        -180.596
        """

    /// The micro sign is the Greek letter, spaces are non-breaking, and decimals have commas.
    private static let german = """
        \u{FEFF}Name,"Doe, Kim"
        Geburtstag,20.05.1990
        Aufzeichnungsdatum,2024-03-02 08:15:30 +0100
        Klassifizierung,Uneindeutig
        Symptome,"Herzrasen, Schwindel"
        Softwareversion,2.0
        Gerät,Apple Watch
        Messrate,"511,422\u{A0}hertz"


        Ableitung,Ableitung I
        Einheit,μV

        -10,25
        "12,5"
        """

    private func read(_ text: String) throws -> HealthElectrocardiogram {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ecg-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "electrocardiograms"), withIntermediateDirectories: true)
        try Data("<?xml version=\"1.0\"?>\n<HealthData locale=\"en_US\"></HealthData>".utf8)
            .write(to: folder.appending(path: "export.xml"))
        try Data(text.utf8).write(to: folder.appending(path: "electrocardiograms/ecg_2024-03-02.csv"))
        let export = try HealthExport(folder.appending(path: "export.xml"))
        return try export.electrocardiogram(in: #require(export.electrocardiogramFiles.first))
    }

    @Test func `a table has its date, classification, frequency and voltages`() throws {
        let ecg = try read(Self.english)
        #expect(ecg.startDate == Date(timeIntervalSince1970: 1_709_363_730))
        #expect(ecg.rhythm == .sinusRhythm && ecg.symptoms.isEmpty && ecg.lead == "Lead I")
        #expect(ecg.source.name == "Watch6,1" && ecg.source.version == "1.90")
        #expect(ecg.samplingFrequencyInHertz == 512.414)
        #expect(ecg.voltagesInMicrovolts == [-10.25, 12, -180.596])
    }

    @Test func `neither the language nor the region of the phone matters`() throws {
        let ecg = try read(Self.german)
        #expect(ecg.startDate == Date(timeIntervalSince1970: 1_709_363_730))
        #expect(ecg.rhythm == .inconclusive && ecg.symptoms == "Herzrasen, Schwindel")
        #expect(ecg.source.name == "Apple Watch" && ecg.lead == "Ableitung I")
        #expect(ecg.samplingFrequencyInHertz == 511.422)
        #expect(ecg.voltagesInMicrovolts == [-10.25, 12.5])
        let lines = Self.english.replacing("\n", with: "\r\n").replacing("µV", with: "mV")
        #expect(try read(lines).voltagesInMicrovolts.prefix(2) == [-10250, 12000])
        let paired = Self.english.replacing("\n-10.25\n12\n-180.596", with: "\nLead,Voltage\nLead I,-1\nLead I,2.5")
        #expect(try read(paired).voltagesInMicrovolts == [-1, 2.5])
    }

    @Test(arguments: [
        ("Atrial Fibrillation", HealthElectrocardiogram.Rhythm.atrialFibrillation),
        ("Heart Rate Under 50", .lowHeartRate),
        ("Low Heart Rate", .lowHeartRate), ("Heart Rate Over 150", .highHeartRate), ("High Heart Rate", .highHeartRate),
        ("Poor Recording", .poorRecording), ("Inconclusive", .inconclusive), ("Sinusrhythmus", .sinusRhythm),
        ("High Heart Rate — No Atrial Fibrillation Detected", .highHeartRate),
        ("Atrial Fibrillation — High Heart Rate", .atrialFibrillation), ("洞性心律", .unrecognized("洞性心律")),
    ])
    func `classifications are recognized by their words`(words: String, rhythm: HealthElectrocardiogram.Rhythm) throws {
        #expect(try read(Self.english.replacing("Sinus Rhythm", with: words)).rhythm == rhythm)
        #expect(try read(Self.english.replacing("Sinus Rhythm", with: "")).rhythm == nil)
    }

    @Test(arguments: [
        ("µV", "furlong", "no voltages"), ("2024-03-02 08:15:30 +0100", "yesterday", "it has no date"),
        ("512.414 hertz", "fast", "no sampling rate"), ("512.414 hertz", "0 hertz", "no sampling rate"),
        ("-180.596", "oops", "line 16 is not a voltage"), ("-180.596", "nan", "line 16 is not a voltage"),
    ])
    func `an invalid electrocardiogram is rejected with the reason`(old: String, new: String, words: String) {
        let error = #expect(throws: HealthExportError.self) { try read(Self.english.replacing(old, with: new)) }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("ecg_2024-03-02.csv") == true)
    }

    @Test func `equal recordings have equal fingerprints, and others differ`() throws {
        let ecg = try read(Self.english)
        #expect(try read(Self.english).fingerprint == ecg.fingerprint)
        #expect(try read(Self.english.replacing("\n12\n", with: "\n13\n")).fingerprint != ecg.fingerprint)
        #expect(try read(Self.english.replacing("08:15:30", with: "08:15:31")).fingerprint != ecg.fingerprint)
    }

    @Test func `truncated and corrupted tables are read or rejected`() {
        let bytes = Array(Self.english.utf8)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            _ = try? read(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
    }
}
