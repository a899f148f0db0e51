public import Foundation

/// Why a world is not what a test needs of it, and what to do.
public struct WorldError: Error, LocalizedError, CustomStringConvertible, Sendable {
    public let description: String

    public var errorDescription: String? { description }

    init(_ description: String) { self.description = description }
}
