import Foundation

/// What only the start of the program needed of its files.
///
/// A start touches some 20 MB of code and tables: of the dynamic linker, of the runtime that looks through conformances, of
/// libraries that set themselves up. All of it stays mapped, though a monitor goes on with a fifth. What is given back is
/// read again from the file if it is needed after all: from the kernel's cache, as long as that has room.
enum StartupPages {
    /// Nothing can be lost: what is given back cannot be written, and never was.
    static func giveBack() {
        guard let file = fopen("/proc/self/smaps", "re") else { return }
        defer { fclose(file) }
        for range in unwritten(mappings: text(of: file)) {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// All that a file holds. One in /proc says that it is empty and gives a piece with each read, so that whoever asks once, or
    /// for its size, has the beginning only.
    static func text(of file: UnsafeMutablePointer<FILE>) -> String {
        var bytes: [UInt8] = []
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 14) { piece in
            while case let count = fread(piece.baseAddress, 1, piece.count, file), count > 0 {
                bytes.append(contentsOf: piece[..<count])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Where files are mapped that cannot be written, as they are in the file: without a page that the dynamic linker has
    /// relocated before it closed the mapping to writing.
    /// - Parameter mappings: What /proc/self/smaps says (proc_pid_smaps(5)).
    static func unwritten(mappings: String) -> [Range<UInt>] {
        var ranges: [Range<UInt>] = []
        var candidate: Range<UInt>?
        for line in mappings.split(separator: "\n") {
            if line.hasPrefix("Anonymous:") {
                if line.split(separator: " ").dropFirst().first == "0", let candidate { ranges.append(candidate) }
                candidate = nil
                continue
            }
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard let bounds = fields.first.flatMap(range) else { continue }
            let isFile = fields.count == 6 && fields[5].drop { $0 == " " }.hasPrefix("/")
            candidate = isFile && fields[1].hasPrefix("r-") && fields[1].hasSuffix("p") ? bounds : nil
        }
        return ranges
    }

    private static func range(_ text: Substring) -> Range<UInt>? {
        let bounds = text.split(separator: "-").compactMap { UInt($0, radix: 16) }
        return bounds.count == 2 && bounds[0] < bounds[1] ? bounds[0]..<bounds[1] : nil
    }
}
