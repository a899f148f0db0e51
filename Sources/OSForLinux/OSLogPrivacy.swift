/// Whether a value appears in a log.
///
/// The rules are Apple's: text and objects are private, numbers and Booleans are public, unless the message says otherwise. A private
/// value appears as `<private>`. With the word `private` in `HEALTHKIT_OSLOG` the log shows private values, but no sensitive ones.
/// Sources: <https://developer.apple.com/documentation/os/oslogprivacy> and Apple's engineer in
/// <https://developer.apple.com/forums/thread/678184>.
public struct OSLogPrivacy: Equatable, Sendable {
    /// The placeholder of a hidden value.
    public enum Mask: Equatable, Hashable, Sendable {
        /// A hash of the value. Equal values have equal hashes within one process, and other ones in the next.
        case hash
        /// `<private>`.
        case none
    }

    enum Level: Equatable, Sendable { case auto, `public`, `private`, sensitive }

    let level: Level
    let mask: Mask

    /// Text and objects are private; numbers and Booleans are public.
    public static let auto = OSLogPrivacy(level: .auto, mask: .none)
    /// The log shows the value.
    public static let `public` = OSLogPrivacy(level: .public, mask: .none)
    /// The log hides the value.
    public static let `private` = OSLogPrivacy(level: .private, mask: .none)
    /// The log hides the value, even if it shows private ones.
    public static let sensitive = OSLogPrivacy(level: .sensitive, mask: .none)

    /// As ``auto``, with something else in place of a hidden value.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(level: .auto, mask: mask) }
    /// As ``private``, with something else in place of the value.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(level: .private, mask: mask) }
    /// As ``sensitive``, with something else in place of the value.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(level: .sensitive, mask: mask) }

    /// What appears in place of a value, or nil if the value itself does.
    func replacement(for text: @autoclosure () -> String, isPublicByItself: Bool, showsPrivate: Bool) -> String? {
        switch level {
        case .public: return nil
        case .auto where isPublicByItself: return nil
        case .auto, .private: if showsPrivate { return nil }
        case .sensitive: break
        }
        guard mask == .hash else { return "<private>" }
        // Swift seeds its hashes in each process, so that values cannot be looked up in a table of hashes.
        var hasher = Hasher()
        hasher.combine(text())
        return "<mask.hash: \(String(UInt(bitPattern: hasher.finalize()), radix: 16))>"
    }
}
