/// The fields of records, laps and sessions that no entry of a log can hold.
struct FITUnreadFields {
    private var profile: UInt32 = 0
    private var developer: [String] = []
    private var hasSets = false
    /// Whether records have numeric developer fields.
    private(set) var hasDeveloperValues = false

    private static let numbers = FITProfile.Record.unread.map(\.number)

    /// - Parameter number: The index of the record. Among many, only some are examined.
    @inline(__always)
    mutating func note(_ message: FITMessage, number: Int) {
        if number < 64 || number & 15 == 0 { note(message) }
    }

    private mutating func note(_ message: FITMessage) {
        for (index, field) in Self.numbers.enumerated() where message.values[Int(field)] != FITNumber.none {
            profile |= 1 << UInt32(index)
        }
    }

    mutating func note(_ fields: [FITDeveloperField], of message: UInt16) {
        typealias Number = FITProfile.MessageNumber
        hasSets = hasSets || message == Number.set
        guard [Number.record, Number.lap, Number.session].contains(message) else { return }
        for field in fields where field.application != FITApplication.own {
            if field.isNumberOrText {
                hasDeveloperValues = hasDeveloperValues || message == Number.record && field.isNumber
                continue
            }
            let place = message == Number.record ? "" : " of \(FITProfile.messageName(message))s"
            let name = "the developer field \(field.name)\(place)"
            if developer.count < FITDeveloperFields.limit, !developer.contains(name) { developer.append(name) }
        }
    }

    /// Notes that a text field of records has changed its value.
    mutating func noteChange(of key: String) {
        let name = "earlier values of the developer field \(FITDeveloperMetadata.field(of: key)?.name ?? key)"
        if !developer.contains(name) { developer.append(name) }
    }

    mutating func append(_ later: FITUnreadFields) {
        profile |= later.profile
        hasDeveloperValues = hasDeveloperValues || later.hasDeveloperValues
        hasSets = hasSets || later.hasSets
        for name in later.developer where !developer.contains(name) { developer.append(name) }
    }

    /// The names for a list.
    var words: [String] {
        FITProfile.Record.unread.indices.filter { profile & 1 << UInt32($0) != 0 }.map {
            "\(FITProfile.Record.unread[$0].name)".replacing("_", with: " ")
        } + developer + (hasSets ? ["sets, with their repetitions and weights"] : [])
    }
}
