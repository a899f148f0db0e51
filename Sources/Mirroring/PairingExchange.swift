/// A step of pairing as it crosses the wire.
struct PairingStep: Equatable {
    static let maximumBytes = 512

    enum Kind: UInt8 {
        case offer = 1
        case commitment, number, opening, confirmed, refused
    }

    var kind: Kind
    var bytes: [UInt8]
}
