/// Sizes as people read them: `84 kB`. Decimal, as disks are sold (IEC 80000-13).
enum ByteCount {
    static func text(_ bytes: Int) -> String {
        switch bytes {
        case ..<10_000: "\(bytes) bytes"
        case ..<10_000_000: "\(bytes / 1000) kB"
        case ..<10_000_000_000: "\(bytes / 1_000_000) MB"
        case ..<10_000_000_000_000: "\(bytes / 1_000_000_000) GB"
        default: "\(bytes / 1_000_000_000_000) TB"
        }
    }
}
