#if Bluetooth
import Glibc

/// The kernel's switches for radios (Linux, Documentation/driver-api/rfkill.rst).
enum RadioSwitch {
    static let directory = "/sys/class/rfkill"

    /// Whether a switch keeps this adapter off; false if the kernel doesn't report it.
    static func isBlocked(adapter: String, in directory: String = directory) -> Bool {
        guard let entries = opendir(directory) else { return false }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = directory + "/" + name
            guard name.hasPrefix("rfkill"), content(path + "/type") == "bluetooth",
                content(path + "/name") == adapter
            else { continue }
            if content(path + "/soft") == "1" || content(path + "/hard") == "1" { return true }
        }
        return false
    }

    private static func content(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
#endif
