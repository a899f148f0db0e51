// Measures what this project claims. Run all, or name some:
// swift run -c release Benchmarks spine live bluetooth mirror fit write tracks csv analytics command report web
// memory store export import
// `check FILE` compares some figures with the thresholds in a file, and fails if one is too high: see `make
// bench-check`.
// `postgres` (followed by a number of samples), `postgres-import` (megabytes) and `postgres-people` (seconds,
// processes) need a server, and the trait PostgreSQL.
// `brokers` (seconds) needs nats-server and mosquitto, and the trait Brokers.
// A number after `memory` means hours, after `store` samples, after `fit`, `tracks` or `csv` megabytes; a path after
// `import` is that of an export.xml. `peers` compares other stores with `store`.

import Foundation

let chosen = CommandLine.arguments.dropFirst()

// Some benchmarks start this program again, as a separate process.
if try await runMirrorBenchmarkPart(Array(chosen)) { exit(0) }

#if PostgreSQL
if try runPostgreSQLBenchmarkPart(Array(chosen)) { exit(0) }
#endif

if chosen.first == "check", let thresholds = chosen.last, chosen.count == 2 {
    do {
        try await checkBenchmarks(URL(fileURLWithPath: thresholds))
        exit(0)
    } catch {
        FileHandle.standardError.write(Data("Benchmarks: \(error.localizedDescription)\n".utf8))
        exit(1)
    }
}

func isChosen(_ name: String) -> Bool { chosen.isEmpty || chosen.contains(name) }

do {
    if isChosen("spine") { await benchmarkSpine() }
    if isChosen("live") { try await benchmarkLive() }
    if isChosen("mirror") || chosen.first == "mirror-listener" { try await benchmarkMirrorTransport() }
    if isChosen("mirror") || isChosen("mirror-session") { try await benchmarkMirror() }
    if isChosen("command") { try benchmarkCommand() }
    if isChosen("report") { try benchmarkReports() }
    if isChosen("web") { try await benchmarkWeb() }
    if isChosen("memory") { try benchmarkMemory(hours: chosen.compactMap { Int($0) }.first ?? 24) }
    if isChosen("bluetooth") { try await benchmarkBluetooth() }
    if isChosen("fit") { try benchmarkFIT(megabytes: chosen.compactMap { Int($0) }.first ?? 31) }
    if isChosen("write") { try benchmarkWriting() }
    if isChosen("tracks") { try benchmarkTracks(megabytes: chosen.compactMap { Int($0) }.first ?? 100) }
    if isChosen("csv") { try benchmarkTables(megabytes: chosen.compactMap { Int($0) }.first ?? 100) }
    if isChosen("analytics") { benchmarkAnalytics() }
    if isChosen("export") { try benchmarkAppleHealth() }
    if isChosen("import") {
        try benchmarkImport(file: chosen.first { $0.hasSuffix(".xml") }.map { URL(fileURLWithPath: $0) })
    }
    let samples = chosen.compactMap { Int($0) }.first ?? 10_000_000
    if isChosen("store") {
        try benchmarkStore(samples: samples)
        try benchmarkStore(samples: samples, isUneven: true)
    }
    #if PostgreSQL
    if chosen.contains("postgres") { try benchmarkPostgreSQLNumbers(samples: samples) }
    if chosen.contains("postgres-import") {
        for beats in [10, 200] {
            try benchmarkPostgreSQLImport(megabytes: chosen.compactMap { Int($0) }.first ?? 400, beats: beats)
        }
    }
    if chosen.contains("postgres-people") {
        let numbers = chosen.compactMap { Int($0) }
        let seconds = numbers.first ?? 600
        for processes in numbers.count > 1 ? Array(numbers.dropFirst()) : [1, 4] {
            try benchmarkPostgreSQLPeople(people: 1_000, processes: processes, seconds: seconds)
        }
        if numbers.count < 2 {
            try benchmarkPostgreSQLPeople(people: 1_000, processes: 4, seconds: seconds, notifies: true)
        }
    }
    #endif
    #if Brokers
    if chosen.contains("brokers") { try await benchmarkBrokers(seconds: chosen.compactMap { Int($0) }.first ?? 60) }
    #endif
    if isChosen("peers") { try benchmarkPeers(samples: samples) }
} catch {
    FileHandle.standardError.write(Data("Benchmarks: \(error.localizedDescription)\n".utf8))
    exit(1)
}
