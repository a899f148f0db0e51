/// What an app may do with each type: a value, and the rules that Apple's documentation gives for changing it.
///
/// Sharing and reading are apart. A type that was never asked for is undetermined; what was once answered is not asked
/// again.
package struct Authorization: Sendable, Equatable, Codable {
    /// Type identifiers, and what was answered.
    package private(set) var share: [String: Bool] = [:]
    package private(set) var read: [String: Bool] = [:]
    /// Of types whose objects are picked one by one, those that may be read although the type as a whole may not: UUIDs, or
    /// names of medications. Nil in what earlier versions kept.
    package private(set) var objects: [String: Set<String>]?

    package init() {}

    package func status(forSharing type: HKObjectType) -> HKAuthorizationStatus {
        switch share[type.identifier] {
        case nil: .notDetermined
        case true?: .sharingAuthorized
        case false?: .sharingDenied
        }
    }

    /// Nil while it was never asked.
    package func mayRead(_ type: HKObjectType) -> Bool? { read[type.identifier] }

    /// Nil where none was picked.
    package func readableObjects(of type: HKObjectType) -> Set<String>? { objects?[type.identifier] }

    package mutating func allow(_ picked: Set<String>, of type: HKObjectType) {
        objects = objects ?? [:]
        objects?[type.identifier, default: []].formUnion(picked)
        // The type as a whole was not asked about.
        if read[type.identifier] == false { read[type.identifier] = nil }
    }

    /// What of a request has not been answered yet.
    package func open(_ request: Request) -> Request {
        Request(
            share: request.share.filter { share[$0.identifier] == nil },
            read: request.read.filter { read[$0.identifier] == nil })
    }

    /// Sets what the user changed; nil makes it undetermined again.
    package mutating func set(share allowed: Bool?, _ types: some Sequence<HKObjectType>) {
        for type in types { share[type.identifier] = allowed }
    }

    package mutating func set(read allowed: Bool?, _ types: some Sequence<HKObjectType>) {
        for type in types {
            read[type.identifier] = allowed
            objects?[type.identifier] = nil
        }
    }

    package mutating func answer(_ request: Request, with answer: AuthorizationAnswer) {
        for type in request.share { share[type.identifier] = answer.allowsSharing(type) }
        for type in request.read { read[type.identifier] = answer.allowsReading(type) }
    }

    /// Both, the other's answers first.
    package func merging(_ other: Authorization) -> Authorization {
        var result = self
        result.share.merge(other.share) { $1 }
        result.read.merge(other.read) { $1 }
        if let objects = other.objects { result.objects = (result.objects ?? [:]).merging(objects) { $0.union($1) } }
        return result
    }

    package struct Request: Sendable, Equatable {
        package var share: Set<HKSampleType>
        package var read: Set<HKObjectType>

        package var isEmpty: Bool { share.isEmpty && read.isEmpty }
    }
}

/// Who answers permission requests: `HEALTHKIT_AUTHORIZATION`.
package enum AuthorizationAnswer: Sendable, Equatable {
    case allow
    case deny
    /// By type identifier or Swift name: a JSON object such as `{"heartRate": {"share": true, "read": true}}`. Types that
    /// are not in it are refused.
    case types([String: Rights])
    /// The person at the terminal; refused where there is none.
    case ask

    package struct Rights: Sendable, Equatable, Decodable {
        var share: Bool?
        var read: Bool?

        package init(share: Bool?, read: Bool?) {
            self.share = share
            self.read = read
        }
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for a file that cannot be read.
    package init(parsing text: String?) throws {
        switch text {
        case nil, "": self = .ask
        case "allow"?: self = .allow
        case "deny"?: self = .deny
        case let path?:
            do {
                let data = try Data(contentsOf: URL(fileURLWithPath: path))
                self = .types(try JSONDecoder().decode([String: Rights].self, from: data))
            } catch {
                throw HKError.make(
                    .errorInvalidArgument,
                    "HEALTHKIT_AUTHORIZATION must be allow, deny or a readable JSON file, not '\(path)'.",
                    cause: error)
            }
        }
    }

    func allowsSharing(_ type: HKObjectType) -> Bool {
        switch self {
        case .allow: true
        case .deny, .ask: false
        case .types(let rights): (rights[type.identifier] ?? rights[type.swiftName])?.share ?? false
        }
    }

    func allowsReading(_ type: HKObjectType) -> Bool {
        switch self {
        case .allow: true
        case .deny, .ask: false
        case .types(let rights): (rights[type.identifier] ?? rights[type.swiftName])?.read ?? false
        }
    }
}

/// Asks on the terminal, as Apple's sheet does on a phone: all, or nothing of it.
package enum AuthorizationPrompt {
    /// The person's answer; nil where standard input is no terminal.
    @Sendable package static func ask(_ request: Authorization.Request, for app: String) -> AuthorizationAnswer? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        func names(_ types: some Sequence<HKObjectType>) -> String {
            types.map(\.swiftName).sorted().joined(separator: ", ")
        }
        var text = "\n\(PrintableText.of(app)) would like to access health data.\n"
        if !request.share.isEmpty { text += "  write: \(names(request.share))\n" }
        if !request.read.isEmpty { text += "  read:  \(names(request.read))\n" }
        StandardError.write(text + "Allow? [y/N] ")
        let answer = readLine(strippingNewline: true)?.lowercased() ?? ""
        return answer == "y" || answer == "yes" ? .allow : .deny
    }
}
