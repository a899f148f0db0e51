import Foundation
import SessionLog

/// The elements of a file of tracks, by their names alone, whatever their prefixes, and the steps that were found in them and
/// wait to be handed out.
struct TrackElements: ~Copyable {
    var scanner: XMLScanner
    /// The root has begun, and not ended.
    var isOpen = false
    /// The point whose element is open.
    var point: TrackPoint?
    private var steps: [TrackStep] = []
    private var handedOut = 0
    private var isOver = false

    init(_ stream: any ByteStream, byte: Int, names: [String], attributes: [String]) {
        scanner = XMLScanner(
            stream, elements: names, attributes: attributes, keepsText: true, ignoresPrefixes: true,
            capacity: TrackScan.capacity)
        scanner.base = byte
    }

    mutating func append(_ step: TrackStep) { steps.append(step) }

    /// The point is whole: nothing comes before its step.
    mutating func takePoint() -> TrackStep? {
        defer { point = nil }
        return point.map { .point($0) }
    }

    /// The point that was not closed ends, where something begins that cannot be in it.
    mutating func endPoint() {
        if let step = takePoint() { append(step) }
    }

    /// The text as seconds since 2001; nil with a warning for what is no date.
    mutating func date() -> Double? {
        TrackScan.date(scanner.text, byte: scanner.tokenByte, &scanner.warnings)
    }

    /// The text as a number; nil with a warning for what is none.
    mutating func number() -> Double? {
        TrackScan.number(scanner.text, byte: scanner.tokenByte, &scanner.warnings)
    }

    /// The text as a person wrote it; nil for nothing but white space.
    func words() -> String? {
        let words = scanner.lines.trimmingCharacters(in: .whitespacesAndNewlines)
        return words.isEmpty ? nil : words
    }

    /// Nil where none waits.
    mutating func nextStep() -> TrackStep? {
        if handedOut < steps.count {
            handedOut += 1
            return steps[handedOut - 1]
        }
        if !steps.isEmpty {
            steps.removeAll(keepingCapacity: true)
            handedOut = 0
        }
        return nil
    }

    /// Nil behind `finished`.
    mutating func nextToken() throws(ByteStreamFault) -> XMLScanner.Token? {
        if isOver { return nil }
        let token = try scanner.next()
        if token == .finished {
            isOver = true
            if isOpen {
                scanner.warnings.add(byte: scanner.tokenByte, "the file ends within an element: it was cut off")
            }
        }
        return token
    }
}
