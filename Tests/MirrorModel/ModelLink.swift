import Mirroring

/// One TCP connection between two machines: frames arrive in order or not at all. If it is cut, everything from some
/// frame on is lost, each side notices at its own time, and earlier frames may still be read when there is a newer
/// connection.
final class ModelConnection {
    let primary: ModelLink
    let companion: ModelLink
    private(set) var isCut = false

    init(at companion: Int, number: Int) {
        self.companion = ModelLink(isDialed: false, companion: companion, number: number)
        primary = ModelLink(isDialed: true, companion: companion, number: number)
        primary.connection = self
        self.companion.connection = self
    }

    func other(_ link: ModelLink) -> ModelLink { link === primary ? companion : primary }

    /// `keeping` decides how many of the frames on their way arrive.
    func cut(keeping: (Int) -> Int) {
        isCut = true
        for link in [primary, companion] { link.inbox.removeLast(link.inbox.count - keeping(link.inbox.count)) }
    }

    /// One side has ended, and its messages are still on their way.
    func closed() { isCut = true }

    var isOver: Bool { primary.isOver && companion.isOver }
}

/// One machine's side of a connection.
final class ModelLink {
    let isDialed: Bool
    let companion: Int
    /// A later connection has a higher number.
    let number: Int
    weak var connection: ModelConnection?
    /// Frames on their way to this side.
    var inbox: [Frame] = []
    var isOver = false
    var end: ModelEnd?
    /// The greeting, and whether the other side has it.
    var said: Hello?
    var isUp = false
    var next: UInt64 = 1
    var sentFinished = false
    var owesAcknowledgement = false

    init(isDialed: Bool, companion: Int, number: Int) {
        self.isDialed = isDialed
        self.companion = companion
        self.number = number
    }

    func say(_ frame: Frame) {
        guard !isOver, let connection, !connection.isCut else { return }
        connection.other(self).inbox.append(frame)
    }

    /// Sends its reason and closes.
    func leave(_ bye: Frame.Bye, _ text: String) {
        say(.bye(bye, text))
        lose(text)
    }

    func lose(_ reason: String) {
        guard !isOver else { return }
        isOver = true
        connection?.closed()
        end?.lost(self, reason)
    }

    /// The other side has ended, and all its messages were read.
    var isAtEnd: Bool { !isOver && inbox.isEmpty && connection?.isCut != false }
}
