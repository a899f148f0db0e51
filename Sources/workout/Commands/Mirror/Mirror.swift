import ArgumentParser

/// `workout mirror`: mirrors sessions to a second machine.
struct Mirror: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract: "Show sessions running on another machine, and pair machines.",
        discussion: """
            Pair the machines once: run 'workout mirror pair' on the machine that shows sessions, then 'workout mirror pair \
            HOST' on the machine that records them. From then on, run 'workout mirror listen' on the first and add --mirror \
            HOST to commands on the second.

            Example:
              workout record --mirror SECOND-HOST
            """,
        subcommands: [
            MirrorListen.self, MirrorPair.self, MirrorPeers.self, MirrorRename.self, MirrorForget.self,
        ])
}
