import Analytics

/// Where in a file the messages of one activity are.
struct FITExtent: Sendable {
    /// Where the header of its first file begins, of those that are chained in one.
    var byte: Int
    /// How many messages come before that.
    var messages: UInt32
    /// How many files of the chain are its own.
    var files = 1
    /// Whether the file was found to be without any fault.
    var isSound = false
    /// Which of the activities in these files; nil where it is the only one.
    var part: Part?

    /// One activity of several, told apart by the time.
    struct Part: Sendable {
        /// Of all of them.
        var clock: FITClock
        /// When each but the first begins.
        var limits: [Double]
        var index = 0

        /// What has no usable time is of the first one.
        func index(of time: UInt32?) -> Int {
            guard let seconds = time.flatMap(clock.seconds) else { return 0 }
            return limits.partitioningIndex { seconds < $0 }
        }
    }
}
