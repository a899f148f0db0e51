/// Checks that every promise is kept. Records the first one that is not and, on request, what happened before.
final class ModelWitness {
    private(set) var failure: String?
    private(set) var story: [String] = []
    private let isTelling: Bool

    init(isTelling: Bool) { self.isTelling = isTelling }

    func check(_ holds: Bool, _ what: @autoclosure () -> String) {
        guard !holds, failure == nil else { return }
        failure = what()
        note("FAILURE \(what())")
    }

    /// Records a step.
    func note(_ what: @autoclosure () -> String) {
        guard isTelling else { return }
        story.append(String(what().prefix(240)))
        if story.count > 4_000 { story.removeFirst(2_000) }
    }
}
