import ArgumentParser
import Foundation
import HealthKit

/// A failure of a command: one line that says what to do, and the exit status that goes with it.
struct CommandFailure: Error, CustomStringConvertible {
    var exitCode: ExitCode
    var message: String

    var description: String { message }

    /// Runs `body`, which reads a file or a value that the user named. A failure to write the store is not bad input.
    static func badInput<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as HKError where error.code == .errorDatabaseInaccessible {
            throw CommandFailure(exitCode: .serviceMissing, message: describe(error))
        } catch {
            throw CommandFailure(exitCode: .badInput, message: describe(error))
        }
    }

    /// Runs `body`, which runs a session or reads the store: its failures are not the user's input. A store that cannot
    /// be opened counts as a missing service. An activity that its workout rejects can only come from a recording.
    static func ownFault<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let failure as CommandFailure {
            throw failure
        } catch let exit as ExitCode {
            throw exit
        } catch let error as HKError where error.isOfStore {
            throw CommandFailure(exitCode: .serviceMissing, message: describe(error))
        } catch let error as HKError where error.code == .errorWorkoutActivityNotAllowed {
            throw CommandFailure(exitCode: .badInput, message: describe(error))
        } catch {
            throw CommandFailure(exitCode: .ownFault, message: describe(error))
        }
    }

    /// Returns the error in one line, with its cause if that adds something. The cause of a store error is for
    /// developers.
    static func describe(_ error: any Error) -> String {
        let whole = error as NSError
        let cause = whole.userInfo[NSUnderlyingErrorKey] as? any Error
        var parts: [String] = []
        if let own = words(of: whole, error, hasCause: cause != nil) { parts.append(own) }
        if let cause, (cause as NSError).domain != HKError.storeCauseDomain {
            let words = describe(cause)
            if !parts.contains(where: { $0.contains(words) }) { parts.append(words) }
        }
        return parts.joined(separator: " ").replacingOccurrences(of: "\n", with: " ")
    }

    /// Returns the error's own description. Foundation's errors describe themselves as a dump, so their cause is used.
    private static func words(of whole: NSError, _ error: any Error, hasCause: Bool) -> String? {
        let description = whole.userInfo[NSLocalizedDescriptionKey] as? String
        switch whole.domain {
        case NSPOSIXErrorDomain:
            return description ?? String(cString: strerror(Int32(truncatingIfNeeded: whole.code))) + "."
        case NSCocoaErrorDomain:
            if hasCause { return nil }
            return description.flatMap { $0.contains("Domain=") ? nil : $0 } ?? "Foundation error \(whole.code)."
        default: return description ?? String(describing: error)
        }
    }

    /// Prints the line on standard error.
    func report() {
        CommandOutput.standard.flush()
        // A failure that does not end the command with an error status is a notice.
        CommandOutput.error.print((exitCode == .success ? "notice: " : "error: ") + message)
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
    /// The exit status if printed output did not arrive (EX_IOERR of sysexits.h).
    static let outputFault = ExitCode(74)
    static let interrupted = ExitCode(130)
}
