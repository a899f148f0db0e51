/// An app's permissions for each type, and the rules of Apple's documentation for changing them.
///
/// Sharing and reading are separate. A type that the app never requested is undetermined. Types with an answer are not
/// requested again.
package struct Authorization: Sendable, Equatable, Codable {
    /// The answers by type identifier.
    package private(set) var share: [String: Bool] = [:]
    package private(set) var read: [String: Bool] = [:]
    /// For types with per-object authorization: the objects that may be read although the type may not (UUIDs, or names
    /// of medications). Nil in data of earlier versions.
    package private(set) var objects: [String: Set<String>]?
    /// For types of which only the latest history may be read: the earliest end of a sample. Nil in data of earlier versions.
    package private(set) var earliest: [String: Date]?

    package init() {}

    package func status(forSharing type: HKObjectType) -> HKAuthorizationStatus {
        switch share[type.identifier] {
        case nil: .notDetermined
        case true?: .sharingAuthorized
        case false?: .sharingDenied
        }
    }

    /// Returns nil if the app never requested the type.
    package func mayRead(_ type: HKObjectType) -> Bool? { read[type.identifier] }

    /// Returns the earliest end of a sample that may be read. Nil without a limit.
    package func earliestEnd(of type: HKObjectType) -> Date? { earliest?[type.identifier] }

    /// Returns nil if no object was allowed.
    package func readableObjects(of type: HKObjectType) -> Set<String>? { objects?[type.identifier] }

    package mutating func allow(_ picked: Set<String>, of type: HKObjectType) {
        objects = objects ?? [:]
        objects?[type.identifier, default: []].formUnion(picked)
        // The request did not cover the whole type.
        if read[type.identifier] == false { read[type.identifier] = nil }
    }

    /// Returns the part of a request that is not answered yet.
    package func open(_ request: Request) -> Request {
        Request(
            share: request.share.filter { share[$0.identifier] == nil },
            read: request.read.filter { read[$0.identifier] == nil })
    }

    /// Sets the answers that the user changed. Nil makes them undetermined again.
    package mutating func set(share allowed: Bool?, _ types: some Sequence<HKObjectType>) {
        for type in types { share[type.identifier] = allowed }
    }

    package mutating func set(read allowed: Bool?, _ types: some Sequence<HKObjectType>) {
        for type in types {
            read[type.identifier] = allowed
            objects?[type.identifier] = nil
            earliest?[type.identifier] = nil
        }
        if earliest?.isEmpty == true { earliest = nil }
    }

    /// Allows reading of samples that end at or after a date. Types without a history are allowed completely.
    package mutating func set(readingFrom date: Date, _ types: some Sequence<HKObjectType>) {
        set(read: true, types)
        for type in types where type.hasHistory {
            earliest = earliest ?? [:]
            earliest?[type.identifier] = date
        }
    }

    /// Allows reading of this many days before now, and of future data.
    package mutating func set(readingPast days: Int, before now: Date, _ types: some Sequence<HKObjectType>) {
        set(readingFrom: now - TimeInterval(days) * 86400, types)
    }

    /// - Parameter now: The time of the answer, to which limits in days refer.
    package mutating func answer(_ request: Request, with answer: AuthorizationAnswer, at now: Date) {
        for type in request.share { share[type.identifier] = answer.allowsSharing(type) }
        for type in request.read {
            if let days = answer.readableDays(of: type) {
                set(readingPast: days, before: now, [type])
            } else {
                read[type.identifier] = answer.allowsReading(type)
            }
        }
    }

    /// Returns both combined. The other's answers take precedence.
    package func merging(_ other: Authorization) -> Authorization {
        var result = self
        result.share.merge(other.share) { $1 }
        result.read.merge(other.read) { $1 }
        for type in other.read.keys { result.earliest?[type] = nil }
        if let earliest = other.earliest { result.earliest = (result.earliest ?? [:]).merging(earliest) { $1 } }
        if let objects = other.objects { result.objects = (result.objects ?? [:]).merging(objects) { $0.union($1) } }
        return result
    }

    package struct Request: Sendable, Equatable {
        package var share: Set<HKSampleType>
        package var read: Set<HKObjectType>

        package var isEmpty: Bool { share.isEmpty && read.isEmpty }
    }
}

/// The source of answers to permission requests: `HEALTHKIT_AUTHORIZATION`.
package enum AuthorizationAnswer: Sendable, Equatable {
    case allow
    /// Allows everything, but reading only of this many past days and of future data.
    case allowPast(days: Int)
    case deny
    /// Answers by type identifier or Swift name, from a JSON object such as
    /// `{"heartRate": {"share": true, "read": true, "pastDays": 30}}`. Other types are denied.
    case types([String: Rights])
    /// The user at the terminal. Denied without a terminal.
    case ask

    package struct Rights: Sendable, Equatable, Decodable {
        var share: Bool?
        var read: Bool?
        /// Nil for all recorded data.
        var pastDays: Int?

        package init(share: Bool?, read: Bool?, pastDays: Int? = nil) {
            self.share = share
            self.read = read
            self.pastDays = pastDays
        }
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an unreadable file.
    package init(parsing text: String?) throws {
        switch text {
        case nil, "": self = .ask
        case "allow"?: self = .allow
        case "deny"?: self = .deny
        case let text?:
            if let days = text.wholeMatch(of: /past-([0-9]{1,5})-days/).flatMap({ Int($0.1) }) {
                self = .allowPast(days: days)
                return
            }
            do {
                let data = try Data(contentsOf: URL(fileURLWithPath: text))
                self = .types(try JSONDecoder().decode([String: Rights].self, from: data))
            } catch {
                throw HKError.make(
                    .errorInvalidArgument,
                    "HEALTHKIT_AUTHORIZATION must be allow, deny, past-30-days or a readable JSON file, not '\(text)'.",
                    cause: error)
            }
        }
    }

    func allowsSharing(_ type: HKObjectType) -> Bool { rights(to: type).share ?? false }

    func allowsReading(_ type: HKObjectType) -> Bool { rights(to: type).read ?? false }

    /// Nil for all recorded data, and if the type may not be read.
    func readableDays(of type: HKObjectType) -> Int? {
        allowsReading(type) ? rights(to: type).pastDays.map { max(0, $0) } : nil
    }

    private func rights(to type: HKObjectType) -> Rights {
        switch self {
        case .allow: Rights(share: true, read: true)
        case .allowPast(let days): Rights(share: true, read: true, pastDays: days)
        case .deny, .ask: Rights(share: false, read: false)
        case .types(let rights): rights[type.identifier] ?? rights[type.swiftName] ?? Rights(share: nil, read: nil)
        }
    }
}

extension HKObjectType {
    /// Whether reading can be limited to the latest history: samples that are not picked one by one, and activity summaries.
    fileprivate var hasHistory: Bool {
        (self is HKSampleType || self is HKActivitySummaryType) && !requiresPerObjectAuthorization()
    }
}

/// Asks on the terminal, like Apple's sheet on a phone: everything, nothing, or only the past 30 days of what is read.
package enum AuthorizationPrompt {
    /// Returns the user's answer, or nil if standard input is not a terminal.
    @Sendable package static func ask(_ request: Authorization.Request, for app: String) -> AuthorizationAnswer? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        func names(_ types: some Sequence<HKObjectType>) -> String {
            types.map(\.swiftName).sorted().joined(separator: ", ")
        }
        var text = "\n\(PrintableText.of(app)) would like to access health data.\n"
        if !request.share.isEmpty { text += "  write: \(names(request.share))\n" }
        if !request.read.isEmpty { text += "  read:  \(names(request.read))\n" }
        StandardError.write(text + "Allow? [y/N] ")
        func isYes() -> Bool { ["y", "yes"].contains(readLine(strippingNewline: true)?.lowercased()) }
        guard isYes() else { return .deny }
        guard !request.read.isEmpty else { return .allow }
        StandardError.write("Limit reading to the past 30 days and future data? [y/N] ")
        return isYes() ? .allowPast(days: 30) : .allow
    }
}
