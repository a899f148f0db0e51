import ArgumentParser
import Foundation
import HealthKit

/// A failure of a command: one line that says what to do, and the exit status that goes with it.
struct CommandFailure: Error, CustomStringConvertible {
    var exitCode: ExitCode
    var message: String

    var description: String { message }

    /// Reading a file or a value that the user named. A store that cannot be written is none of these.
    static func badInput<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as HKError where error.code == .errorDatabaseInaccessible {
            throw CommandFailure(exitCode: .serviceMissing, message: describe(error))
        } catch {
            throw CommandFailure(exitCode: .badInput, message: describe(error))
        }
    }

    /// Running a session, reading the store: what fails there is not the user's input. A store that cannot be opened is a
    /// missing service. An activity that its workout does not take comes from a recording: nobody else begins one.
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

    /// The error in one line, with its cause where that adds something: what the store's cause says is for developers.
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

    /// What an error says itself. Foundation's own describe themselves as a dump; what happened is in their cause.
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
        // What does not end the command is no error.
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
    /// What was printed did not arrive (EX_IOERR of sysexits.h).
    static let outputFault = ExitCode(74)
    static let interrupted = ExitCode(130)
}
