import Synchronization

/// What the library has to say to whoever runs a program, where no call is there to fail: one line on standard error.
package enum Notice {
    private static let said = Mutex<Set<String>>([])

    /// Says a sentence, once a process.
    package static func say(_ sentence: String) {
        guard said.withLock({ $0.insert(sentence).inserted }) else { return }
        StandardError.notify(sentence)
    }
}
