import Analytics

/// The place of the messages of one activity in a file.
struct FITExtent: Sendable {
    /// Offset of the header of the first file of the activity, among those that are chained.
    var byte: Int
    /// The number of messages before that.
    var messages: UInt32
    /// The number of files of the chain that belong to the activity.
    var files = 1
    /// Whether the file had no faults.
    var isSound = false
    /// The place among several activities in these files; nil if there is only one.
    var part: Part?

    /// One activity of several, separated by time.
    struct Part: Sendable {
        /// The clock that all of them share.
        var clock: FITClock
        /// The start of each activity except the first.
        var limits: [Double]
        var index = 0

        /// Returns the index of the activity at this time. Without a usable time it is the first one.
        func index(of time: UInt32?) -> Int {
            guard let seconds = time.flatMap(clock.seconds) else { return 0 }
            return limits.partitioningIndex { seconds < $0 }
        }
    }
}
