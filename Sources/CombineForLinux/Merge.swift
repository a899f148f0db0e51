#if Combine
public import OpenCombine

// OpenCombine has no merging. Here it is a flat map over the publishers to be merged: it asks each of them for as much as it has, and ends
// when all have ended or one has failed, as Combine's does (<https://developer.apple.com/documentation/combine/publishers/merge>).

extension Publishers {
    /// Publishes what several publishers of one kind publish, as it comes.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// The publishers whose values come together.
        public let publishers: [Upstream]

        /// Merges publishers.
        public init(_ upstream: Upstream...) { publishers = upstream }

        /// Merges publishers.
        public init(_ upstream: some Swift.Sequence<Upstream>) { publishers = Array(upstream) }

        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            publishers.publisher.setFailureType(to: Failure.self).flatMap { $0 }.receive(subscriber: subscriber)
        }
    }

    /// Publishes what two publishers publish, as it comes.
    public struct Merge<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
        public typealias Output = A.Output
        public typealias Failure = A.Failure

        public let a: A
        public let b: B

        /// Merges two publishers.
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Output, Downstream.Failure == Failure {
            MergeMany(a.eraseToAnyPublisher(), b.eraseToAnyPublisher()).receive(subscriber: subscriber)
        }
    }

    /// Publishes what three publishers publish, as it comes.
    public typealias Merge3<A, B, C> = Merge<Merge<A, B>, C>
    where
        A: Publisher, B: Publisher, C: Publisher, A.Output == B.Output, A.Failure == B.Failure,
        B.Output == C.Output, B.Failure == C.Failure

    /// Publishes what four publishers publish, as it comes.
    public typealias Merge4<A, B, C, D> = Merge<Merge3<A, B, C>, D>
    where
        A: Publisher, B: Publisher, C: Publisher, D: Publisher, A.Output == B.Output, A.Failure == B.Failure,
        B.Output == C.Output, B.Failure == C.Failure, C.Output == D.Output, C.Failure == D.Failure
}

extension Publisher {
    /// Publishes what this publisher and another one publish, as it comes.
    public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
    where P.Output == Output, P.Failure == Failure { Publishers.Merge(self, other) }

    /// Publishes what this publisher and two others publish, as it comes.
    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
        merge(with: b).merge(with: c)
    }

    /// Publishes what this publisher and three others publish, as it comes.
    public func merge<B: Publisher, C: Publisher, D: Publisher>(
        with b: B, _ c: C, _ d: D
    ) -> Publishers.Merge4<Self, B, C, D>
    where
        B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure,
        D.Output == Output, D.Failure == Failure
    {
        merge(with: b, c).merge(with: d)
    }

    /// Publishes what this publisher and another one of its kind publish, as it comes.
    public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany(self, other) }
}
#endif
