#if !Combine
// Without the package trait the compiler names it where an app uses what Combine has.

@available(*, unavailable, message: "Add \"Combine\" to the traits of the package OpenHealthKit")
public protocol ObservableObject: AnyObject {}

@available(*, unavailable, message: "Add \"Combine\" to the traits of the package OpenHealthKit")
@propertyWrapper public struct Published<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@available(*, unavailable, message: "Add \"Combine\" to the traits of the package OpenHealthKit")
public struct AnyCancellable: Hashable {}

@available(*, unavailable, message: "Add \"Combine\" to the traits of the package OpenHealthKit")
public struct AnyPublisher<Output, Failure: Error> {}

@available(*, unavailable, message: "Add \"Combine\" to the traits of the package OpenHealthKit")
public final class PassthroughSubject<Output, Failure: Error> {}

@available(*, unavailable, message: "Add \"Combine\" to the traits of the package OpenHealthKit")
public final class CurrentValueSubject<Output, Failure: Error> {}
#endif
