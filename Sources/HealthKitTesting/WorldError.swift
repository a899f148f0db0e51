public import Foundation

/// Why a world can't do what a test needs, and what to do.
public struct WorldError: Error, LocalizedError, CustomStringConvertible, Sendable {
    /// What failed, why, and what to do.
    public let description: String

    /// The same text.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}
