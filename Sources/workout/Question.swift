import Foundation
import Synchronization

/// A question to the person at the terminal.
enum Question {
    /// Whether somebody is there to answer.
    static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// How often a thread that waits for an answer looks whether it is still wanted, in milliseconds.
    private static let patience: Int32 = 50

    /// Asks on standard error, and reads a line. Nil where the input ends, or the task is cancelled: then the question is
    /// over, and what is typed next answers the next one. What was typed before a question is no answer to it.
    static func ask(_ question: String) async -> String? {
        let isOver = Flag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Not on a thread that tasks run on: a person takes their time.
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
        ["y", "yes"].contains(await ask(question)?.trimmingCharacters(in: .whitespaces).lowercased())
    }

    private static func line(unless isOver: Flag) -> String? {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while !isOver.value.load(ordering: .relaxed) {
            // A terminal is readable once a line is whole.
            if poll(&input, 1, patience) > 0 { return readLine() }
        }
        CommandOutput.error.print("")
        return nil
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }
}
