/// What is known at sight, and is no recording.
public enum ForeignContent: String, Sendable, Equatable, CaseIterable {
    /// The `export.xml` of Apple Health.
    case appleHealth
    /// XML of a kind that is no recording.
    case xml
    /// An archive without a recording.
    case zip
    /// Something packed twice, or an archive or an export that is packed.
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
        } else if isXML {
            self = .xml
        } else {
            return nil
        }
    }

    /// What it is, and what to do about it.
    var advice: String {
        switch self {
        case .appleHealth:
            "an Apple Health export, not a single recording; import it: workout import FILE"
        case .xml: "an XML file of an unknown kind"
        case .zip: "a zip archive without a recording; if it contains an archive, unpack it"
        case .gzip:
            "a gzip file, but not of a recording (an archive or an export?); unpack it with gunzip first"
        }
    }
}
