import Foundation

// Runs both sides of a mirrored session against each other: MirrorModel [SEEDS [FIRST [TROUBLES]]].
// Prints each seed that fails; it fails again in the same way. For a single seed, it also prints the steps before.
let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) }
guard arguments.allSatisfy({ $0 != nil }), arguments.count <= 3 else {
    print("MirrorModel [SEEDS [FIRST [TROUBLES]]]")
    exit(2)
}
let seeds = arguments.count > 0 ? arguments[0]! : 2_000
let first = arguments.count > 1 ? arguments[1]! : 1
let troubles = arguments.count > 2 ? Int(arguments[2]!) : 1_000
let start = DispatchTime.now().uptimeNanoseconds
var steps = 0
var failures = 0
for seed in first..<(first + seeds) {
    let world = ModelWorld(seed: seed, tellsStory: seeds == 1)
    let failure = world.play(troubles)
    steps += world.steps
    guard let failure else { continue }
    for line in world.story { print(line) }
    print("seed \(seed), \(troubles) troubles: \(failure)")
    failures += 1
    if failures == 20 { break }
}
let passed = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
print("\(seeds) seeds from \(first): \(steps) steps in \((passed * 10).rounded() / 10) s, \(failures) failures")
exit(failures == 0 ? 0 : 1)
