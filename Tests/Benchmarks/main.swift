import Foundation

// `Benchmarks store [SAMPLES]`
if CommandLine.arguments.count > 1, CommandLine.arguments[1] == "store" {
    try benchmarkStore(
        samples: CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 10_000_000 : 10_000_000)
    try await benchmarkStoreSaving()
} else {
    print("no benchmark yet")
}
