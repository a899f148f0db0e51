public import Foundation

/// The user's biological sex, as a health store hands it out.
public final class HKBiologicalSexObject: NSObject, NSCopying, NSSecureCoding, Sendable {
    public let biologicalSex: HKBiologicalSex

    package init(biologicalSex: HKBiologicalSex) {
        self.biologicalSex = biologicalSex
    }

    /// `.notSet`: what the store has when the user told nothing.
    public override convenience init() {
        self.init(biologicalSex: .notSet)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Nil when the archive holds no HKBiologicalSex.
    public init?(coder: NSCoder) {
        guard let value = HKBiologicalSex(rawValue: coder.decodeInteger(forKey: "biologicalSex")) else { return nil }
        biologicalSex = value
    }

    public func encode(with coder: NSCoder) {
        coder.encode(biologicalSex.rawValue, forKey: "biologicalSex")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? HKBiologicalSexObject)?.biologicalSex == biologicalSex
    }

    public override var hash: Int { biologicalSex.rawValue }
}
