import CRelease

/// The licences of everything linked into the command. A release contains them (`Packaging/licenses`), so that they go
/// wherever the one file goes.
enum Licenses {
    static func print() throws {
        let text = String(cString: openhealthkit_licenses())
        guard !text.isEmpty else {
            throw CommandFailure(
                exitCode: .serviceMissing,
                message: "this build contains no licences, because it is not a release; 'make build' builds one")
        }
        CommandOutput.standard.write(text.utf8)
    }
}
