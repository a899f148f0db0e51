import Foundation
import Testing

private let compiler = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
    .map { $0 + "/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }

/// `Sources/workout/Packaging/icu-data.swift`, which `make build` runs, on generated packages.
@Suite(.needsCommand, .enabled(if: compiler != nil, "there is no swiftc on the PATH"))
struct ICUDataTests {
    private let command: BuiltCommand
    private let chooser: URL

    init() async throws {
        command = try BuiltCommand()
        chooser = command.home.appendingPathComponent("icu-data")
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/workout/Packaging/icu-data.swift")
        let built = try await command.shell(
            "'\(try #require(compiler))' '\(source.path)' -o '\(chooser.path)'")
        try #require(built.status == 0, "\(built.all)")
    }

    /// `ucmndata.h`: a header with its size, `0xDA27` and the format; the number of items, the offsets of names and
    /// data, names, data.
    private func package(_ items: [(name: String, text: String)]) -> Data {
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        var header: [UInt8] = [32, 0, 0xDA, 0x27, 20, 0, 0, 0, 0, 0, 2, 0] + Array("CmnD".utf8)
        header += [UInt8](repeating: 0, count: 16)
        var table = number(items.count)
        var names: [UInt8] = []
        var contents: [UInt8] = []
        let namesAt = 4 + 8 * items.count
        let namesSize = items.reduce(0) { $0 + $1.name.utf8.count + 1 }
        for item in items {
            table += number(namesAt + names.count) + number(namesAt + namesSize + contents.count)
            names += Array(item.name.utf8) + [0]
            contents += Array(item.text.utf8)
        }
        return Data(header + table + names + contents)
    }

    private func items(_ package: Data) -> [String: String] {
        let bytes = Array(package)
        func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) } }
        let start = Int(bytes[0])
        let count = number(start)
        var items: [String: String] = [:]
        for item in 0..<count {
            let name = bytes[(start + number(start + 4 + 8 * item))...].prefix { $0 != 0 }
            let end = item + 1 < count ? start + number(start + 16 + 8 * item) : bytes.count
            let contents = bytes[(start + number(start + 8 + 8 * item))..<end]
            #expect(number(start + 8 + 8 * item) % 16 == 0)
            items[String(decoding: name, as: UTF8.self)] = String(decoding: contents, as: UTF8.self)
                .trimmingCharacters(in: ["\0"])
        }
        return items
    }

    private func choose(of all: Data) async throws -> (outcome: BuiltCommand.Outcome, chosen: Data?) {
        let (from, to) = (
            command.home.appendingPathComponent("all.dat"), command.home.appendingPathComponent("some.dat")
        )
        try? FileManager.default.removeItem(at: to)
        try all.write(to: from)
        let outcome = try await command.shell("'\(chooser.path)' '\(from.path)' '\(to.path)'")
        return (outcome, FileManager.default.contents(atPath: to.path))
    }

    @Test func `English and data without a language stay unchanged`() async throws {
        defer { command.remove() }
        let kept = [
            "brkitr/word.brk", "coll/root.res", "coll/ucadata.icu", "curr/en_AU.res", "en.res", "nfc.nrm", "pool.res",
            "root.res", "supplementalData.res", "zone/en.res", "zone/tzdbNames.res", "zoneinfo64.res",
        ]
        let left = [
            "brkitr/line_cj.brk", "brkitr/thaidict.dict", "coll/zh.res", "de.res", "fil_PH.res", "gb18030.cnv",
            "lang/en.res", "region/pool.res", "rbnf/root.res", "rfc3491.spp", "translit/root.res", "unames.icu",
            "zone/de_AT.res",
        ]
        let all = (kept + left).sorted().map { (name: "icudt76l/" + $0, text: "what is in \($0)") }
        let (outcome, chosen) = try await choose(of: package(all))
        #expect(outcome.status == 0, "\(outcome.all)")
        let expected = kept.map { ("icudt76l/" + $0, "what is in \($0)") }
        #expect(items(try #require(chosen)) == Dictionary(uniqueKeysWithValues: expected))
    }

    @Test func `an invalid package is rejected, and nothing is written`() async throws {
        defer { command.remove() }
        let whole = package([("icudt76l/en.res", "English"), ("icudt76l/root.res", "the root")])
        let tableEnd = 32 + 4 + 16
        for broken in [Data(), Data("CmnD".utf8), Data(repeating: 0xFF, count: 64)]
            + stride(from: 0, to: tableEnd, by: 5).map({ whole.prefix($0) })
        {
            let (outcome, chosen) = try await choose(of: broken)
            #expect(outcome.status == 65, "\(broken.count) bytes: \(outcome.all)")
            #expect(outcome.errors.hasPrefix("icu-data: "))
            #expect(chosen == nil)
        }
    }
}
