/// A step of pairing, as it is sent.
package struct PairingStep: Equatable {
    static let maximumBytes = 512

    package enum Kind: UInt8 {
        /// The dialing side's name. Opens the exchange.
        case name = 1
        /// The listening side's commitment to a number, and its name.
        case commitment
        /// The dialing side's number.
        case number
        /// The number to which the listening side had committed.
        case opening
        case confirmed, refused
    }

    package var kind: Kind
    package var bytes: [UInt8]
}
