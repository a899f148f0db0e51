import Synchronization

/// What the library has to say to whoever runs a program, where no call is there to fail: one line on standard error.
package enum Notice {
    private static let posted = Mutex<Set<String>>([])

    /// Prints a sentence, once per process.
    package static func post(_ sentence: String) {
        guard posted.withLock({ $0.insert(sentence).inserted }) else { return }
        StandardError.notify(sentence)
    }
}
