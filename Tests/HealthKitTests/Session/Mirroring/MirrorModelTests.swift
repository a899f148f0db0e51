import Foundation
import MirrorModel
import Testing

/// Both sides of mirroring against each other. `make test-model` runs more seeds.
@Suite struct MirrorModelTests {
    /// MIRROR_MODEL_SEEDS=100000 sets the number of seeds, MIRROR_MODEL_FIRST the first one.
    private static func number(_ name: String, _ otherwise: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? otherwise
    }

    @Test func `both halves agree after any sequence of network faults and restarts`() {
        let first = Self.number("MIRROR_MODEL_FIRST", 1)
        for seed in first..<(first + Self.number("MIRROR_MODEL_SEEDS", 500)) {
            if let failure = ModelWorld(seed: seed).play(400) {
                Issue.record("MIRROR_MODEL_FIRST=\(seed) MIRROR_MODEL_SEEDS=1: \(failure)")
                return
            }
        }
    }
}
