import CCommit

/// What this program calls itself.
enum Version {
    /// One number for all that is promised (CONTRIBUTING.md, "The version"). CHANGELOG.md has it as a heading.
    static let number = "0.1.0"

    /// `workout 0.1.0 (df651de0a1b2)`; without the commit where a build was not told it: only one that is sure is shown.
    static let line = line(commit: String(cString: openhealthkit_commit()))

    static func line(commit: String) -> String { "workout \(number)" + (commit.isEmpty ? "" : " (\(commit))") }
}
