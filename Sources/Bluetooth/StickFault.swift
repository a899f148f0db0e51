/// Why an ANT+ stick cannot be used.
public enum StickFault: Error, Sendable, Equatable {
    /// No stick is plugged in.
    case absent
    /// This user may not open it.
    case notPermitted
    /// Another program uses it: a stick serves one at a time.
    case busy
    /// It answers nothing, also after it was reset.
    case silent
    /// All of its channels are in use.
    case full
    /// This build or machine does not support ANT+; the text is what it lacks.
    case unavailable(String)
    /// Anything else; the text is the reason.
    case failed(String)
}

extension StickFault: CustomStringConvertible {
    /// What failed, and what to do.
    public var description: String {
        switch self {
        case .absent: "No ANT+ stick is plugged in; plug in an ANT USB 2 or ANT USB-m stick."
        case .notPermitted:
            "This user may not use the ANT+ stick; 'workout doctor' shows the rule for udev that allows it."
        case .busy:
            "Another program is using the ANT+ stick, which serves one at a time; close that program."
        case .silent:
            "The ANT+ stick does not answer, even after a reset; unplug it, wait a moment, and plug it in again."
        case .full:
            "The ANT+ stick has no channel left for another sensor; record some of the sensors on another machine."
        case .unavailable(let reason): "ANT+ sensors cannot be reached: \(reason)."
        case .failed(let reason): "The ANT+ stick failed: \(reason); unplug it, and plug it in again."
        }
    }

    /// A few words for a line of a live view.
    public var reason: String {
        switch self {
        case .absent: "no ANT+ stick is plugged in"
        case .notPermitted: "no permission to use the ANT+ stick"
        case .busy: "another program is using the ANT+ stick"
        case .silent: "the ANT+ stick does not answer: unplug it, and plug it in again"
        case .full: "the ANT+ stick has no channel left"
        case .unavailable: "this machine has no ANT+"
        case .failed: "the ANT+ stick failed"
        }
    }
}
