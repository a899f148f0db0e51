public import Foundation

/// A message for the log: a string literal whose values keep their privacy and format.
///
/// A value is read when the message is written, and not at all if its level is left out.
/// Source: <https://developer.apple.com/documentation/os/oslogmessage>.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    let interpolation: OSLogInterpolation

    /// A message with values.
    public init(stringInterpolation: OSLogInterpolation) { interpolation = stringInterpolation }

    /// A message without values.
    public init(stringLiteral value: String) {
        interpolation = OSLogInterpolation(pieces: [.literal(value)])
    }

    /// A message whose text is public.
    init(verbatim text: String) { self.init(stringLiteral: text) }

    func text(showsPrivate: Bool) -> String {
        interpolation.pieces.map { $0.text(showsPrivate: showsPrivate) }.joined()
    }
}

/// The pieces of a message for the log. The compiler makes it of a string literal.
public struct OSLogInterpolation: StringInterpolationProtocol {
    enum Piece {
        case literal(String)
        case value(() -> String, OSLogStringAlignment, OSLogPrivacy, isPublicByItself: Bool)

        func text(showsPrivate: Bool) -> String {
            switch self {
            case .literal(let text): return text
            case .value(let render, let alignment, let privacy, let isPublicByItself):
                let replacement = privacy.replacement(
                    for: render(), isPublicByItself: isPublicByItself, showsPrivate: showsPrivate)
                return alignment.place(replacement ?? render())
            }
        }
    }

    private(set) var pieces: [Piece] = []

    init(pieces: [Piece]) { self.pieces = pieces }

    /// Room for as many pieces.
    public init(literalCapacity: Int, interpolationCount: Int) {
        pieces.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Text that is always public.
    public mutating func appendLiteral(_ literal: String) { pieces.append(.literal(literal)) }

    mutating func append(
        _ render: @escaping () -> String, _ align: OSLogStringAlignment = .none, _ privacy: OSLogPrivacy,
        isPublicByItself: Bool = false
    ) {
        pieces.append(.value(render, align, privacy, isPublicByItself: isPublicByItself))
    }

    /// Text, which is private unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append(argumentString, align, privacy)
    }

    /// A value by its description, which is private unless `privacy` says otherwise.
    @_disfavoredOverload
    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure @escaping () -> T, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        append({ value().description }, align, privacy)
    }

    /// A type by its name, which is public.
    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> any Any.Type, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append({ String(describing: value()) }, align, privacy, isPublicByItself: true)
    }

    /// An object by its description, which is private unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ argumentObject: @autoclosure @escaping () -> NSObject, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append({ argumentObject().description }, .none, privacy)
    }

    /// An object by its description; `(null)` if there is none. It is private unless `privacy` says otherwise.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ argumentObject: @autoclosure @escaping () -> NSObject?, privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        append({ argumentObject()?.description ?? "(null)" }, .none, privacy)
    }

    /// An error by its description, which is private unless `privacy` says otherwise.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ error: @autoclosure @escaping () -> any Error, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append({ String(describing: error()) }, .none, privacy)
    }

    /// An error by its description; `(null)` if there is none. It is private unless `privacy` says otherwise.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ error: @autoclosure @escaping () -> (any Error)?, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append({ error().map { String(describing: $0) } ?? "(null)" }, .none, privacy)
    }

    /// A whole number, which is public unless `privacy` says otherwise.
    public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ number: @autoclosure @escaping () -> T, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append({ format.text(number()) }, align, privacy, isPublicByItself: true)
    }

    /// A fractional number, which is public unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append({ format.text(number()) }, align, privacy, isPublicByItself: true)
    }

    /// A fractional number, which is public unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> Float, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append({ format.text(Double(number())) }, align, privacy, isPublicByItself: true)
    }

    /// A fractional number, which is public unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> CGFloat, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        append({ format.text(Double(number())) }, align, privacy, isPublicByItself: true)
    }

    /// A Boolean, which is public unless `privacy` says otherwise.
    public mutating func appendInterpolation(
        _ boolean: @autoclosure @escaping () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        append({ format.text(boolean()) }, .none, privacy, isPublicByItself: true)
    }

    /// A pointer: its address, which is public, or its target, which is private, unless `privacy` states otherwise.
    public mutating func appendInterpolation(
        _ pointer: @autoclosure @escaping () -> UnsafeRawPointer, format: OSLogPointerFormat = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        switch format {
        case .none: append({ "\(pointer())" }, .none, privacy, isPublicByItself: true)
        case .uuid: append({ UUID(uuid: pointer().loadUnaligned(as: uuid_t.self)).uuidString }, .none, privacy)
        }
    }
}
