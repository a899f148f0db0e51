import Synchronization

/// A message to the user of a program if no call can report it: one line on standard error.
package enum Notice {
    private static let posted = Mutex<Set<String>>([])

    /// Prints a sentence, once per process.
    package static func post(_ sentence: String) {
        guard posted.withLock({ $0.insert(sentence).inserted }) else { return }
        StandardError.notify(sentence)
    }
}
