import Foundation
import Reports
import Synchronization

/// A question to the user at the terminal.
enum Question {
    /// Whether somebody can answer.
    static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// How often, in milliseconds, a waiting thread checks whether the answer is still needed.
    private static let patience: Int32 = 50

    /// Asks on standard error and reads a line. Returns nil if the input ends or the task is cancelled. After a
    /// cancellation, the next line typed answers the next question. Text typed before a question does not answer it.
    static func ask(_ question: String) async -> String? {
        let isOver = Flag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Not on a thread of the task pool, since a person takes their time.
                Thread.detachNewThread {
                    tcflush(STDIN_FILENO, TCIFLUSH)
                    CommandOutput.error.print(prompt: question)
                    continuation.resume(returning: line(unless: isOver))
                }
            }
        } onCancel: {
            isOver.value.store(true, ordering: .relaxed)
        }
    }

    static func isConfirmed(_ question: String) async -> Bool {
        let yes = localized("yes").lowercased()
        let answer = await ask(question)?.trimmingCharacters(in: .whitespaces).lowercased()
        return ["y", "yes", yes, String(yes.prefix(1))].contains(answer)
    }

    private static func line(unless isOver: Flag) -> String? {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while !isOver.value.load(ordering: .relaxed) {
            // A terminal is readable once a line is complete.
            if poll(&input, 1, patience) > 0 { return readLine() }
        }
        CommandOutput.error.print("")
        return nil
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }
}
