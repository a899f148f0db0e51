import Foundation

/// A format string of `os_log`: as that of `printf`, with `%@` for objects and words on privacy in braces (`%{public}@`).
struct LogFormat {
    private enum Part {
        case literal(String)
        case value(options: [String], specification: String, conversion: Character)
    }

    private var parts: [Part] = []

    init(_ format: String) {
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            parts.append(.literal(String(rest[..<percent])))
            rest = rest[percent...].dropFirst()
            if rest.first == "%" {
                parts.append(.literal("%"))
                rest = rest.dropFirst()
                continue
            }
            var options: [String] = []
            if rest.first == "{" {
                guard let end = rest.firstIndex(of: "}") else {
                    parts.append(.literal("%"))
                    break
                }
                options = rest[..<end].dropFirst().split(separator: ",").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                rest = rest[end...].dropFirst()
            }
            let specification = rest.prefix { "0123456789.+-# '".contains($0) }
            rest = rest.dropFirst(specification.count)
            // The size of a number is known from its type.
            rest = rest.drop { "hlqjztL".contains($0) }
            guard let conversion = rest.popFirst() else {
                parts.append(.literal("%\(specification)"))
                break
            }
            parts.append(.value(options: options, specification: String(specification), conversion: conversion))
        }
        parts.append(.literal(String(rest)))
    }

    /// Returns the text with its arguments. A value without an argument appears as `<no argument>`.
    func text(_ arguments: [Any?], showsPrivate: Bool) -> String {
        var arguments = arguments[...]
        return parts.map { part in
            switch part {
            case .literal(let text): return text
            case .value(let options, let specification, let conversion):
                if conversion == "m" { return String(cString: strerror(errno)) }
                guard let argument = arguments.popFirst() else { return "<no argument>" }
                let text = Self.text(of: argument, specification, conversion)
                let isObject = "@sS".contains(conversion)
                return Self.privacy(options).replacement(
                    for: text, isPublicByItself: !isObject, showsPrivate: showsPrivate) ?? text
            }
        }.joined()
    }

    private static func privacy(_ options: [String]) -> OSLogPrivacy {
        let mask: OSLogPrivacy.Mask = options.contains("mask.hash") ? .hash : .none
        if options.contains("public") { return .public }
        if options.contains("sensitive") { return .sensitive(mask: mask) }
        return options.contains("private") ? .private(mask: mask) : .auto(mask: mask)
    }

    private static func text(of argument: Any?, _ specification: String, _ conversion: Character) -> String {
        guard let argument = unwrapped(argument) else { return "(null)" }
        switch conversion {
        case "d", "D", "i", "u", "U", "x", "X", "o", "O", "c":
            guard let bits = bits(of: argument) else { return String(describing: argument) }
            if conversion == "c" {
                return Unicode.Scalar(UInt32(truncatingIfNeeded: bits.unsigned)).map(String.init) ?? ""
            }
            return switch conversion {
            case "d", "D", "i": String(format: "%\(specification)lld", bits.signed)
            case "U": String(format: "%\(specification)llu", bits.unsigned)
            case "O": String(format: "%\(specification)llo", bits.unsigned)
            default: String(format: "%\(specification)ll\(conversion)", bits.unsigned)
            }
        case "f", "F", "e", "E", "g", "G", "a", "A":
            guard let number = double(argument) else { return String(describing: argument) }
            return String(format: "%\(specification)\(conversion)", number)
        default: return String(describing: argument)
        }
    }

    /// Returns the value inside an optional in `Any`.
    private static func unwrapped(_ value: Any?) -> Any? {
        guard let value else { return nil }
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    /// Returns a whole number, both signed and by its bits, in its own width.
    private static func bits(of value: Any) -> (signed: Int64, unsigned: UInt64)? {
        func bits(_ number: some BinaryInteger) -> (Int64, UInt64) {
            let width = number.bitWidth
            let all = UInt64(truncatingIfNeeded: number)
            return (Int64(truncatingIfNeeded: number), width < 64 ? all & (1 << UInt64(width) - 1) : all)
        }
        if let flag = value as? Bool { return flag ? (1, 1) : (0, 0) }
        if let number = value as? any BinaryInteger { return bits(number) }
        return (value as? NSNumber).map { ($0.int64Value, $0.uint64Value) }
    }

    private static func double(_ value: Any) -> Double? {
        if let number = value as? any BinaryFloatingPoint { return Double(number) }
        if let number = value as? any BinaryInteger { return Double(number) }
        return (value as? NSNumber)?.doubleValue
    }
}
