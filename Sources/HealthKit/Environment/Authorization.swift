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
        }
    }

    package mutating func answer(_ request: Request, with answer: AuthorizationAnswer) {
        for type in request.share { share[type.identifier] = answer.allowsSharing(type) }
        for type in request.read { read[type.identifier] = answer.allowsReading(type) }
    }

    /// Returns both combined. The other's answers take precedence.
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

/// The source of answers to permission requests: `HEALTHKIT_AUTHORIZATION`.
package enum AuthorizationAnswer: Sendable, Equatable {
    case allow
    case deny
    /// Answers by type identifier or Swift name, from a JSON object such as `{"heartRate": {"share": true, "read": true}}`. Other types
    /// are denied.
    case types([String: Rights])
    /// The user at the terminal. Denied without a terminal.
    case ask

    package struct Rights: Sendable, Equatable, Decodable {
        var share: Bool?
        var read: Bool?

        package init(share: Bool?, read: Bool?) {
            self.share = share
            self.read = read
        }
    }

    /// - Throws: ``HKError/Code/errorInvalidArgument`` for an unreadable file.
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

/// Asks on the terminal, like Apple's sheet on a phone: all or nothing.
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
        let answer = readLine(strippingNewline: true)?.lowercased() ?? ""
        return answer == "y" || answer == "yes" ? .allow : .deny
    }
}
