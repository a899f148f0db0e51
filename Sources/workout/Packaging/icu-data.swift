// icu-data ALL SOME: writes the part of ICU's data (ALL) that the command needs to SOME.
//
// Foundation brings ICU with the words, alphabets and sort orders of all languages, 34 MB. The command speaks English,
// and uses ICU for calendars, time zones, preferred units and the like, which no language changes. ICU's
// source/common/ucmndata.h describes such a package: a header, the number of items, where each one's name and data
// begin, the names, the data.

import Foundation

struct Malformed: Error, CustomStringConvertible { var description: String }

struct Package {
    /// The bytes up to and including the copyright.
    var header: Data
    var items: [(name: String, data: Data)]

    init(_ bytes: Data) throws {
        func number<Integer: FixedWidthInteger>(_ offset: Int, _: Integer.Type) throws -> Int {
            guard offset + Integer.bitWidth / 8 <= bytes.count else {
                throw Malformed(description: "it ends too early")
            }
            var number: Integer = 0
            withUnsafeMutableBytes(of: &number) { _ = bytes.copyBytes(to: $0, from: offset..<offset + $0.count) }
            return Int(Integer(littleEndian: number))
        }
        guard bytes.count > 16, bytes[2..<4] == Data([0xDA, 0x27]), bytes[12..<16] == Data("CmnD".utf8) else {
            throw Malformed(description: "it is not a package of ICU's data")
        }
        let start = try number(0, UInt16.self)
        let count = try number(start, UInt32.self)
        let offsets = try (0..<count).map { item in
            (
                name: start + (try number(start + 4 + 8 * item, UInt32.self)),
                data: start + (try number(start + 8 + 8 * item, UInt32.self))
            )
        }
        header = bytes[..<start]
        items = try offsets.indices.map { item in
            let end = item + 1 < count ? offsets[item + 1].data : bytes.count
            guard offsets[item].data <= end, end <= bytes.count, offsets[item].name < bytes.count else {
                throw Malformed(description: "its item \(item) lies outside it")
            }
            let name = bytes[offsets[item].name...].prefix { $0 != 0 }
            return (String(decoding: name, as: UTF8.self), bytes[offsets[item].data..<end])
        }
    }

    /// The package. Each item begins at a multiple of 16, as in the output of ICU's own tool.
    var bytes: Data {
        var table = Data()
        var names = Data()
        var contents = Data()
        let namesAt = 4 + 8 * items.count
        let namesEnd = namesAt + items.reduce(0) { $0 + $1.name.utf8.count + 1 }
        let contentsAt = (namesEnd + 15) / 16 * 16
        func append(_ number: Int) { withUnsafeBytes(of: UInt32(number).littleEndian) { table.append(contentsOf: $0) } }
        append(items.count)
        for item in items {
            append(namesAt + names.count)
            append(contentsAt + contents.count)
            names += Data(item.name.utf8) + [0]
            contents += item.data
            contents += Data(count: (16 - contents.count % 16) % 16)
        }
        return header + table + names + Data(count: contentsAt - namesEnd) + contents
    }
}

/// Returns whether the command needs an item (`icudt76l/zone/de_AT.res`).
func isNeeded(_ name: String) -> Bool {
    let parts = name.split(separator: "/").dropFirst()
    guard let file = parts.last, let dot = file.lastIndex(of: ".") else { return true }
    let stem = file[..<dot]
    // Names of languages and of countries, transliteration, numbers in words.
    let unused = ["lang", "region", "translit", "rbnf"]
    switch file[dot...] {
    // Encodings other than Unicode, names in old protocols, confusable letters, words of languages without spaces.
    case ".cnv", ".spp", ".cfu", ".dict": return false
    case ".icu": return stem != "unames"
    // The command does not break lines.
    case ".brk": return !stem.hasPrefix("line")
    case ".res":
        guard parts.count == 1 || !unused.contains(String(parts.first ?? "")) else { return false }
        // A name that begins with a language, `de` or `fil`, belongs to it. Other names are longer.
        let language = stem.prefix { $0 != "_" }
        return !(2...3).contains(language.count) || language == "en"
    default: return true
    }
}

do {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { throw Malformed(description: "usage: icu-data ALL SOME") }
    var package = try Package(Data(contentsOf: URL(filePath: arguments[1])))
    package.items.removeAll { !isNeeded($0.name) }
    try package.bytes.write(to: URL(filePath: arguments[2]))
} catch {
    try? FileHandle.standardError.write(contentsOf: Data("icu-data: \(error)\n".utf8))
    exit(65)
}
