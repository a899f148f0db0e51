import Mirroring

extension MirrorClosure {
    /// For people.
    var sentence: String {
        switch self {
        case .closedByPeer: "the other machine closed it"
        case .declined: "the other machine declined it"
        case .replaced: "a newer connection has taken its place"
        case .incompatible(let reason): "the other machine speaks another version (\(reason))"
        case .entryTooLarge(let bytes): "an entry of \(bytes) bytes is too large to be sent"
        case .forgotten: "one of the two machines has forgotten the other"
        }
    }
}
