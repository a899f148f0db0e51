import Foundation
import SessionLog
import XML

/// The elements of a track file, by their names without prefixes, and a queue of the steps found in them.
struct TrackElements: ~Copyable {
    var scanner: XMLScanner
    /// Whether the scanner is inside the root element.
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

    /// Returns the step of the complete point, which comes before all other steps.
    mutating func takePoint() -> TrackStep? {
        defer { point = nil }
        return point.map { .point($0) }
    }

    /// Ends a point that was not closed, because an element begins that cannot be in it.
    mutating func endPoint() {
        if let step = takePoint() { append(step) }
    }

    /// Returns the text as seconds since 2001. Returns nil and warns if it is not a date.
    mutating func date() -> Double? {
        TrackScan.date(scanner.text, byte: scanner.tokenByte, &scanner.warnings)
    }

    /// Returns the text as a number. Returns nil and warns if it is not one.
    mutating func number() -> Double? {
        TrackScan.number(scanner.text, byte: scanner.tokenByte, &scanner.warnings)
    }

    /// Returns the text with its line breaks, or nil if it is only white space.
    func words() -> String? {
        let words = scanner.lines.trimmingCharacters(in: .whitespacesAndNewlines)
        return words.isEmpty ? nil : words
    }

    /// Returns nil if no step is waiting.
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

    /// Returns nil after `finished`.
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
