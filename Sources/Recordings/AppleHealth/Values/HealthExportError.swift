public import SessionLog

/// The reason why an export could not be read, or not to its end.
public enum HealthExportError: Error, Sendable, Equatable {
    /// The system refused to open or read the file.
    case unreadable(FileFault)
    /// The path is a folder, a pipe or a device.
    case notAFile(path: String)
    /// The file is neither an archive nor XML of Apple Health.
    case notAnExport(path: String)
    /// The archive is intact but contains no export.
    case noExportInArchive(path: String)
    /// The archive is damaged. `byte` is the place in the archive that shows it.
    case damagedArchive(path: String, byte: Int, reason: String)
    /// The archive uses a feature that this package cannot read.
    case unsupportedArchive(path: String, reason: String)
    /// The archive claims to hold more than a real export does.
    case tooLarge(path: String, reason: String)
    /// The reader cancelled.
    case cancelled(path: String)
    /// The export names a route that does not exist.
    case noRoute(path: String)
    /// The file is not a route.
    case notARoute(path: String)
    /// The export names a file that does not exist.
    case noDocument(path: String)
    /// The file is not what the export states.
    case notADocument(path: String, reason: String)
    /// The table is not an electrocardiogram.
    case notAnElectrocardiogram(path: String, reason: String)
}

extension HealthExportError {
    init(_ fault: ByteStreamFault) {
        self =
            switch fault {
            case .unreadable(let fault): .unreadable(fault)
            case .directory(let path), .notRegular(let path): .notAFile(path: path)
            case .damaged(let path, let byte, let reason): .damagedArchive(path: path, byte: byte, reason: reason)
            case .unsupported(let path, let reason): .unsupportedArchive(path: path, reason: reason)
            case .tooLarge(let path, let reason): .tooLarge(path: path, reason: reason)
            case .cancelled(let path): .cancelled(path: path)
            }
    }
}

extension HealthExportError: CustomStringConvertible {
    /// What failed, on which file, and what to do now.
    public var description: String {
        switch self {
        case .unreadable(let fault):
            fault.description
        case .notAFile(let path):
            "cannot read \(path): it is not a file; use export.zip, or the XML file in it"
        case .notAnExport(let path):
            "cannot read \(path): it is not an Apple Health export; use export.zip, or the XML file in it"
        case .noExportInArchive(let path):
            "cannot read \(path): no file in this archive is an Apple Health export; "
                + "use the archive that the Health app wrote"
        case .damagedArchive(let path, let byte, let reason):
            "cannot read \(path) from byte \(byte) on: \(reason); copy the archive again from its source"
        case .unsupportedArchive(let path, let reason):
            "cannot read \(path): \(reason); unpack the archive and use the XML file in it"
        case .tooLarge(let path, let reason):
            "cannot read \(path): \(reason); if you trust its source, unpack it and use the XML file in it"
        case .cancelled(let path):
            "\(path) was not read to its end: interrupted"
        case .noRoute(let path):
            "the route \(path) is missing from this export; unpack the whole archive"
        case .notARoute(let path):
            "cannot read \(path) as a route: it has no track points"
        case .noDocument(let path):
            "the file \(path) is missing from this export; unpack the whole archive"
        case .notADocument(let path, let reason):
            "cannot read \(path): \(reason)"
        case .notAnElectrocardiogram(let path, let reason):
            "cannot read \(path) as an electrocardiogram: \(reason)"
        }
    }
}
