import ArgumentParser

/// `workout mirror`: sessions on a second machine.
struct Mirror: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract: "Shows sessions that run on another machine, and pairs machines.",
        discussion: """
            Pair two machines once: 'workout mirror pair' on the one that is to show sessions, 'workout mirror pair HOST' \
            on the one where they run. Then 'workout mirror listen' on the first, and --mirror HOST on the second.
            """,
        subcommands: [
            MirrorListen.self, MirrorPair.self, MirrorPeers.self, MirrorRename.self, MirrorForget.self,
        ])
}
