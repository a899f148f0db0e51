public import Foundation

/// A color as a value. Nothing draws it.
/// Source: <https://developer.apple.com/documentation/swiftui/color>.
public struct Color: Hashable, CustomStringConvertible, Sendable {
    /// The meaning of a color's numbers.
    public enum RGBColorSpace: Hashable, Sendable { case sRGB, sRGBLinear, displayP3 }

    private enum Origin: Hashable, Sendable {
        case named(String)
        case numbers(RGBColorSpace, red: Double, green: Double, blue: Double)
    }

    private let origin: Origin
    private var opacity = 1.0

    private init(_ origin: Origin) { self.origin = origin }

    /// A color of the app's catalog, by its name.
    public init(_ name: String, bundle: Bundle? = nil) { self.init(.named(name)) }

    /// A color of parts from 0 to 1.
    public init(
        _ colorSpace: RGBColorSpace = .sRGB, red: Double, green: Double, blue: Double, opacity: Double = 1
    ) {
        self.init(.numbers(colorSpace, red: red, green: green, blue: blue))
        self.opacity = opacity
    }

    /// A gray from 0 (black) to 1.
    public init(_ colorSpace: RGBColorSpace = .sRGB, white: Double, opacity: Double = 1) {
        self.init(colorSpace, red: white, green: white, blue: white, opacity: opacity)
    }

    /// A color of hue, saturation and brightness from 0 to 1.
    public init(hue: Double, saturation: Double, brightness: Double, opacity: Double = 1) {
        func part(_ offset: Double) -> Double {
            let k = (offset + hue * 6).truncatingRemainder(dividingBy: 6)
            return brightness - brightness * saturation * max(0, min(k, 4 - k, 1))
        }
        self.init(red: part(5), green: part(3), blue: part(1), opacity: opacity)
    }

    /// The same color, its opacity multiplied by a factor from 0 (invisible) to 1.
    public func opacity(_ opacity: Double) -> Color {
        var color = self
        color.opacity *= opacity
        return color
    }

    /// The name of the color, or its parts as `#RRGGBBAA`.
    public var description: String {
        switch origin {
        case .named(let name): return opacity == 1 ? name : "\(Int(opacity * 100))% \(name)"
        case .numbers(_, let red, let green, let blue):
            return "#"
                + [red, green, blue, opacity].map { part in
                    let byte = UInt8(min(max(0, part.isNaN ? 0 : part), 1) * 255 + 0.5)
                    return (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                }.joined()
        }
    }

    public static let red = Color("red")
    public static let orange = Color("orange")
    public static let yellow = Color("yellow")
    public static let green = Color("green")
    public static let mint = Color("mint")
    public static let teal = Color("teal")
    public static let cyan = Color("cyan")
    public static let blue = Color("blue")
    public static let indigo = Color("indigo")
    public static let purple = Color("purple")
    public static let pink = Color("pink")
    public static let brown = Color("brown")
    public static let white = Color("white")
    public static let gray = Color("gray")
    public static let black = Color("black")
    public static let clear = Color("clear")
    public static let primary = Color("primary")
    public static let secondary = Color("secondary")
    public static let accentColor = Color("accentColor")
}

/// A picture by its name. Nothing draws it.
/// Source: <https://developer.apple.com/documentation/swiftui/image>.
public struct Image: Equatable, Sendable {
    private let name: String
    private let isSystem: Bool

    /// A symbol of the system.
    public init(systemName: String) { (name, isSystem) = (systemName, true) }
    /// A picture of the app.
    public init(_ name: String, bundle: Bundle? = nil) { (self.name, isSystem) = (name, false) }
}
