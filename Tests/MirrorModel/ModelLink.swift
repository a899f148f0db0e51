import Mirroring

/// One connection between two machines, as TCP is: frames come in order or not at all. Cut, what is on its way is lost from
/// some frame on, each side notices later than the other, and what came before may still be read when a newer one is there.
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

    /// How many of the frames on their way come is for `keeping` to say.
    func cut(keeping: (Int) -> Int) {
        isCut = true
        for link in [primary, companion] { link.inbox.removeLast(link.inbox.count - keeping(link.inbox.count)) }
    }

    /// One side is gone, and its messages are still in transit.
    func closed() { isCut = true }

    var isOver: Bool { primary.isOver && companion.isOver }
}

/// One machine's side of a connection.
final class ModelLink {
    let isDialed: Bool
    let companion: Int
    /// The later one has the higher number.
    let number: Int
    weak var connection: ModelConnection?
    /// What is on its way to this side.
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

    /// Says why, and goes.
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

    /// The other side is gone, and all its messages were read.
    var isAtEnd: Bool { !isOver && inbox.isEmpty && connection?.isCut != false }
}
