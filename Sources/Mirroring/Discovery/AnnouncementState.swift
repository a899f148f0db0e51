#if Mirroring
/// The life of an announcement at Avahi: the daemon comes and goes, the host's name and ours may be taken. Pure.
struct AnnouncementState {
    enum Event: Sendable, Equatable {
        /// avahi-daemon came to the bus, or left it and took the announcement along.
        case daemon(isThere: Bool)
        case server(Avahi.ServerState)
        case group(Avahi.GroupState)
        /// Another program of this machine announces the same name.
        case nameTaken
        /// Avahi did not take it; the text says why.
        case refused(String)
    }

    enum Action: Equatable {
        case none
        /// Is the server running?
        case askServer
        case publish
        /// The host's name is being chosen anew, so that no service can refer to it.
        case withdraw
        /// Choose another name, and publish.
        case rename
        case notify(String)
    }

    /// Where names are taken again and again, somebody does it on purpose.
    static let renameLimit = 20

    private var isPublished = false
    private var renames = 0

    mutating func next(_ event: Event) -> Action {
        switch event {
        case .daemon(let isThere):
            isPublished = false
            return isThere ? .askServer : .none
        case .server(.running):
            defer { isPublished = true }
            return isPublished ? .none : .publish
        case .server(.registering), .server(.collision):
            defer { isPublished = false }
            return isPublished ? .withdraw : .none
        case .group(.collision), .nameTaken:
            renames += 1
            guard renames <= Self.renameLimit else { return .notify("\(Self.renameLimit) names were taken") }
            return .rename
        case .group(.failure), .server(.failure): return .notify("Avahi failed")
        case .refused(let reason): return .notify(reason)
        case .server(.invalid), .group(.uncommitted), .group(.registering), .group(.established): return .none
        }
    }
}
#endif
