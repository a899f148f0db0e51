/// What a FIT file holds: how many messages of each kind, and its faults.
public struct FITSurvey: FITMessageReader, Sendable, Equatable {
    /// What is wrong with the file, in the order of its bytes.
    public internal(set) var warnings: [RecordingWarning] = []
    private var counts: [UInt16: Int] = [:]
    /// Kind and number of the messages of each local type that are not yet in `counts`.
    private var numbers = [UInt16](repeating: 0, count: 16)
    private var pending = [Int](repeating: 0, count: 16)

    /// By global message number: 20 for `record`.
    public var messages: [UInt16: Int] {
        var all = counts
        for local in 0..<16 where pending[local] > 0 { all[numbers[local], default: 0] += pending[local] }
        return all
    }

    package mutating func define(local: Int, number: UInt16, developerFields: [FITDeveloperField]) {
        if pending[local] > 0 { counts[numbers[local], default: 0] += pending[local] }
        pending[local] = 0
        numbers[local] = number
    }

    package mutating func read(_ message: FITMessage) {
        pending[message.local] += 1
    }
}
