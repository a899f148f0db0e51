extension RecordingFile {
    /// The formats of recordings, in the order in which they are asked: those that are sure of themselves first.
    public static let formats = formats(TableOptions())

    /// The same, with what whoever reads them knows of what they leave open.
    public static func formats(_ tables: TableOptions) -> [any RecordingFormat] {
        [
            FITFormat(), PolarFlowFormat(tables), FitbitFormat(), GoldenCheetahFormat(activity: tables.activity),
            SuuntoFormat(tables), StravaStreamsFormat(tables), SessionLogFormat(),
            TCXFormat(activity: tables.activity), GPXFormat(activity: tables.activity),
            PWXFormat(activity: tables.activity), CaptureFormat.btsnoop,
            CaptureFormat.pcapng, CaptureFormat.pcap, PolarHRMFormat(tables), RRIntervalFormat(tables),
            CSVFormat(tables), CSVFormat(tables, delimiter: .tab),
        ]
    }

    /// The formats that workouts can be written in, the usual ones first.
    public static let writableFormats = formats.filter { $0.writer() != nil }

    /// The format that a file's name asks for by its ending, in capitals or not; nil for one that names none.
    public static func format(ofName name: String) -> (any RecordingFormat)? {
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased()
        return ending.flatMap { ending in writableFormats.first { $0.endings.contains(ending) } }
    }
}
