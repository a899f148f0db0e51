import ArgumentParser
import Foundation
import HealthKit

/// A failure of a command: one line that says what to do, and the exit status that goes with it.
struct CommandFailure: Error, CustomStringConvertible {
    var exitCode: ExitCode
    var message: String

    var description: String { message }

    /// Reading a file or a value that the user named.
    static func badInput<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw CommandFailure(exitCode: .badInput, message: describe(error))
        }
    }

    /// Running a session, reading the store: what fails there is not the user's input. A store that cannot be opened is a
    /// missing service.
    static func ownFault<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let failure as CommandFailure {
            throw failure
        } catch let exit as ExitCode {
            throw exit
        } catch let error as HKError where error.isOfStore {
            throw CommandFailure(exitCode: .serviceMissing, message: describe(error))
        } catch {
            throw CommandFailure(exitCode: .ownFault, message: describe(error))
        }
    }

    /// The error in one line, with its cause where that adds something: what the store's cause says is for developers.
    static func describe(_ error: any Error) -> String {
        let whole = error as NSError
        // Foundation's own errors have their words elsewhere, and describe themselves as a dump.
        let isFoundations = [NSCocoaErrorDomain, NSPOSIXErrorDomain].contains(whole.domain)
        let own =
            (whole.userInfo[NSLocalizedDescriptionKey] as? String)
            ?? (isFoundations ? whole.localizedDescription : String(describing: error))
        let cause = whole.userInfo[NSUnderlyingErrorKey] as? any Error
        var parts = [own]
        if let cause, (cause as NSError).domain != HKError.storeCauseDomain {
            let words = describe(cause)
            if !own.contains(words) { parts.append(words) }
        }
        return parts.joined(separator: " ").replacingOccurrences(of: "\n", with: " ")
    }

    /// Prints the line on standard error.
    func report() {
        FileHandle.standardError.write(Data("workout: \(message)\n".utf8))
    }
}

extension HKError {
    /// Whether the store itself cannot be used.
    var isOfStore: Bool { code == .errorDatabaseInaccessible || code == .errorHealthDataUnavailable }
}

extension ExitCode {
    static let wrongUsage = ExitCode.validationFailure
    static let badInput = ExitCode(65)
    static let serviceMissing = ExitCode(69)
    static let ownFault = ExitCode(70)
    static let interrupted = ExitCode(130)
}
