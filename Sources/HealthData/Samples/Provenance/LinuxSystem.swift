import Foundation

/// What may be said of this machine in every sample: the distribution and the processor, nothing that tells one machine
/// or its owner from others (no host name, no serial number, no machine id).
package enum LinuxSystem {
    /// The processor architecture, as `uname -m` prints it: `x86_64`, `aarch64`.
    package static let machine: String = {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: names.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }()

    /// The distribution, from the file that os-release(5) describes; empty where that is missing.
    package static let distribution: OSRelease = {
        for path in ["/etc/os-release", "/usr/lib/os-release"] {
            if let text = try? String(contentsOfFile: path, encoding: .utf8) { return OSRelease(text) }
        }
        return OSRelease("")
    }()
}

/// The name and the version of a distribution.
package struct OSRelease: Sendable, Equatable {
    /// `NAME`, such as `Debian GNU/Linux`.
    package let name: String?
    /// `VERSION_ID`, such as `12`; rolling distributions have none.
    package let version: String?

    /// Reads the shell-like assignments of os-release(5); other lines are passed over.
    package init(_ text: String) {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            values[String(parts[0])] = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"' \t"))
        }
        name = values["NAME"]
        version = values["VERSION_ID"]
    }
}
