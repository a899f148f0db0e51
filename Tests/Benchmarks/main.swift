// Measures what this project claims. Run all, or name some: swift run -c release Benchmarks spine fit command store export

let chosen = CommandLine.arguments.dropFirst()

func isChosen(_ name: String) -> Bool { chosen.isEmpty || chosen.contains(name) }

if isChosen("spine") { await benchmarkSpine() }
if isChosen("command") { try benchmarkCommand() }
if isChosen("fit") { try benchmarkFIT() }
if isChosen("export") { try benchmarkAppleHealth() }
if isChosen("store") { try benchmarkStore(samples: chosen.compactMap { Int($0) }.first ?? 10_000_000) }
