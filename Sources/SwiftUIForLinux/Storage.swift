public import Foundation

/// Reads and writes a value that lives elsewhere.
/// Source: <https://developer.apple.com/documentation/swiftui/binding>.
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    /// A binding of two closures.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }

    /// A binding of a value that never changes.
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }

    /// The value.
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// A binding of a part of the value.
    public subscript<Part>(dynamicMember keyPath: WritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(get: { wrappedValue[keyPath: keyPath] }, set: { wrappedValue[keyPath: keyPath] = $0 })
    }
}

/// A value in the user's defaults.
/// Source: <https://developer.apple.com/documentation/swiftui/appstorage>.
@propertyWrapper
public struct AppStorage<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    /// The value, or the one given first if the defaults have none.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// Reads and writes the value.
    public var projectedValue: Binding<Value> { Binding(get: read, set: write) }

    private init(plain key: String, _ store: UserDefaults?, or value: Value) {
        let defaults = store ?? .standard
        read = { defaults.object(forKey: key) as? Value ?? value }
        write = { defaults.set($0, forKey: key) }
    }

    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Bool {
        self.init(plain: key, store, or: wrappedValue)
    }
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Int {
        self.init(plain: key, store, or: wrappedValue)
    }
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Double {
        self.init(plain: key, store, or: wrappedValue)
    }
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == String {
        self.init(plain: key, store, or: wrappedValue)
    }
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Data {
        self.init(plain: key, store, or: wrappedValue)
    }
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == Date {
        self.init(plain: key, store, or: wrappedValue)
    }
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) where Value == URL {
        let defaults = store ?? .standard
        read = { defaults.url(forKey: key) ?? wrappedValue }
        write = { defaults.set($0, forKey: key) }
    }
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == String {
        let defaults = store ?? .standard
        read = { defaults.string(forKey: key).flatMap(Value.init) ?? wrappedValue }
        write = { defaults.set($0.rawValue, forKey: key) }
    }
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil)
    where Value: RawRepresentable, Value.RawValue == Int {
        let defaults = store ?? .standard
        read = { (defaults.object(forKey: key) as? Int).flatMap(Value.init) ?? wrappedValue }
        write = { defaults.set($0.rawValue, forKey: key) }
    }
    /// An optional value, which the defaults lack until it is set. Setting nil removes it.
    public init<Wrapped>(_ key: String, store: UserDefaults? = nil) where Value == Wrapped? {
        let defaults = store ?? .standard
        read = { defaults.object(forKey: key) as? Wrapped }
        write = { value in
            if let value { defaults.set(value, forKey: key) } else { defaults.removeObject(forKey: key) }
        }
    }
}

/// Names a value that views find in their surroundings.
/// Source: <https://developer.apple.com/documentation/swiftui/environmentkey>.
public protocol EnvironmentKey {
    associatedtype Value
    /// The value if nobody has set one.
    static var defaultValue: Value { get }
}

/// The values that views find in their surroundings.
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// No value but the defaults.
    public init() {}

    /// The value of a key.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// Whether colors are dark on light or light on dark.
public enum ColorScheme: CaseIterable, Sendable { case light, dark }

/// Whether an app is in front.
public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

/// Text that an app translates. On Linux it is the key.
public struct LocalizedStringKey: Hashable, ExpressibleByStringInterpolation, Sendable {
    /// The key.
    let key: String
    /// A key.
    public init(_ value: String) { key = value }
    public init(stringLiteral value: String) { key = value }
}

/// The screens that an app has gone through, one on the other.
/// Source: <https://developer.apple.com/documentation/swiftui/navigationpath>.
public struct NavigationPath: Equatable {
    private var elements: [AnyHashable] = []

    /// No screen.
    public init() {}
    /// Some screens.
    public init<Elements: Sequence>(_ elements: Elements) where Elements.Element: Hashable {
        self.elements = elements.map { AnyHashable($0) }
    }
    /// How many screens there are.
    public var count: Int { elements.count }
    /// Whether it is empty.
    public var isEmpty: Bool { elements.isEmpty }
    /// Adds a screen.
    public mutating func append(_ value: some Hashable) { elements.append(AnyHashable(value)) }
    /// Removes the last screens.
    public mutating func removeLast(_ k: Int = 1) { elements.removeLast(k) }
}

#if Combine
public import CombineForLinux

/// Holds an object that publishes its changes. Nothing on Linux redraws.
@propertyWrapper @dynamicMemberLookup
public struct ObservedObject<ObjectType: ObservableObject> {
    /// The object.
    public var wrappedValue: ObjectType

    /// Holds an object.
    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }

    /// Makes bindings of the object's properties.
    public var projectedValue: Self { self }

    /// A binding of a property of the object.
    public subscript<Part>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Part>) -> Binding<Part> {
        let object = wrappedValue
        return Binding(get: { object[keyPath: keyPath] }, set: { object[keyPath: keyPath] = $0 })
    }
}

/// Holds an object that publishes its changes, as `ObservedObject` does.
public typealias StateObject = ObservedObject
#endif
