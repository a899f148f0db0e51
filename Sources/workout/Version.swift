import CCommit

/// The version of this program.
enum Version {
    /// One number for everything that is promised (CONTRIBUTING.md, "The version"). It is a heading of CHANGELOG.md.
    static let number = "0.1.0"

    /// `workout 0.1.0 (df651de0a1b2)`. Without the commit if the build did not know it for certain.
    static let line = line(commit: String(cString: openhealthkit_commit()))

    static func line(commit: String) -> String { "workout \(number)" + (commit.isEmpty ? "" : " (\(commit))") }
}
