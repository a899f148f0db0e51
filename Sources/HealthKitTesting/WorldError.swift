public import Foundation

/// Why a world is not what a test needs of it, and what to do.
public struct WorldError: Error, LocalizedError, CustomStringConvertible, Sendable {
    /// What was wanted, what stands in its way, and what to do.
    public let description: String

    /// The same words.
    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}
