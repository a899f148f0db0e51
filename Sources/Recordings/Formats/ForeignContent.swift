/// Content that is recognised but is not a recording.
public enum ForeignContent: String, Sendable, Equatable, CaseIterable {
    /// The `export.xml` of Apple Health.
    case appleHealth
    /// Google Earth's KML without tracks.
    case kml
    /// The description of an exercise from Polar's AccessLink.
    case polarAccessLink
    /// A log of SportTracks.
    case fitlog
    /// A log of Sigma's programs.
    case sigma
    /// A store of this package. Only its tables show it.
    case healthStore
    /// The heart rates of a day in an export of Fitbit.
    case fitbitHeartRates
    /// Other XML.
    case xml
    /// Other JSON.
    case json
    /// An archive without a recording.
    case zip
    /// A file that was packed twice, or a packed archive or export.
    case gzip

    init?(_ start: FileStart, isPacked: Bool) {
        let isArchive = ZipArchive.isArchive(startingWith: start.bytes)
        let root = start.xmlRoot
        let isXML = root != nil && start.text.starts(with: Array("<?xml".utf8))
        if start.holds(Gunzip.mark) || isPacked && (isArchive || root == "HealthData") {
            self = .gzip
        } else if root == "HealthData" {
            self = .appleHealth
        } else if isArchive {
            self = .zip
        } else if root == "kml" {
            self = .kml
        } else if root == "FitnessWorkbook" {
            self = .fitlog
        } else if root == "Trip" || root == "Activity" && start.withoutSpace.contains("<Computer") {
            self = .sigma
        } else if Self.isAccessLink(start) {
            self = .polarAccessLink
        } else if Self.isFitbitHeartRates(start) {
            self = .fitbitHeartRates
        } else if isXML {
            self = .xml
        } else if [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(start.text.first) {
            self = .json
        } else {
            return nil
        }
    }

    private static func isFitbitHeartRates(_ start: FileStart) -> Bool {
        start.text.first == UInt8(ascii: "[") && start.withoutSpace.contains(#""value":{"bpm":"#)
    }

    /// Returns whether the text has AccessLink's own fields, in one of their two spellings.
    private static func isAccessLink(_ start: FileStart) -> Bool {
        guard start.text.first == UInt8(ascii: "{") else { return false }
        let text = start.withoutSpace
        return ["upload-time", "upload_time"].contains { text.contains("\"\($0)\":") }
            && ["detailed-sport-info", "detailed_sport_info", "polar-user", "polar_user"].contains {
                text.contains("\"\($0)\":")
            }
    }

    /// The kind of content, and what to do about it.
    var advice: String {
        switch self {
        case .appleHealth:
            "an Apple Health export, not a single recording; import it: workout import FILE"
        case .kml:
            "a KML file without a track; export the activity as FIT, TCX or GPX"
        case .polarAccessLink:
            "an exercise of Polar AccessLink; download it as FIT or TCX, or use the export of Polar Flow"
        case .fitlog: "a log of SportTracks; export the activity as FIT, TCX or GPX"
        case .sigma: "a log of a Sigma computer; export the activity as FIT, TCX or GPX"
        case .healthStore:
            "a store of workouts, not a recording; export its workouts and import those: "
                + "HEALTHKIT_STORE=FILE workout export --all --format jsonl -o FOLDER/"
        case .fitbitHeartRates:
            "the heart rates of whole days from Fitbit, not a workout; import the takeout, so that its exercises get them"
        case .xml: "an XML file of an unknown kind; export the activity as FIT, TCX or GPX"
        case .json: "a JSON file of an unknown kind; export the activity as FIT, TCX or GPX"
        case .zip: "a zip archive without a recording; if it contains an archive, unpack it"
        case .gzip:
            "a gzip file, but not of a recording (an archive or an export?); unpack it with gunzip first"
        }
    }
}
