<<<<<<< HEAD
// Measures what this project claims. Run all, or name some: swift run -c release Benchmarks spine fit command

let chosen = CommandLine.arguments.dropFirst()

func isChosen(_ name: String) -> Bool { chosen.isEmpty || chosen.contains(name) }

if isChosen("spine") { await benchmarkSpine() }
if isChosen("command") { try benchmarkCommand() }
if isChosen("fit") { try benchmarkFIT() }
=======
import Foundation

// `Benchmarks store [SAMPLES]`
if CommandLine.arguments.count > 1, CommandLine.arguments[1] == "store" {
    try benchmarkStore(samples: CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 10_000_000 : 10_000_000)
} else {
    print("no benchmark yet")
}
>>>>>>> store
