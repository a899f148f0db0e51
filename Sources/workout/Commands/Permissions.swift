import ArgumentParser
import Foundation
import HealthKit
import StoredWorkouts

/// `workout permissions`: shows and sets which app may write and read which types.
struct Permissions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "permissions",
        abstract: "Show or change which app may read and write what.",
        discussion: """
            APP is a bundle identifier, such as local.MyApp. TYPE is the name of a type, such as heartRate, its identifier, \
            or 'all'. --allow, --deny and --forget apply to both reading and writing unless --share or --read is given. Some \
            types are read-only. For correlations, the types they contain decide. --past-days limits how far back an app may \
            read from now, as a user can choose since iOS 27. Answers that come from HEALTHKIT_AUTHORIZATION are not \
            stored, and not shown here.

            Example:
              workout permissions local.MyApp --allow heartRate --read
              workout permissions local.MyApp --allow all --read --past-days 30
            """
    )

    @Argument(help: "The app. Default: all apps.")
    var app: String?
    @Option(help: "Allow this type.")
    var allow: [String] = []
    @Option(help: "Deny this type.")
    var deny: [String] = []
    @Option(help: "Ask the app's user again about this type.")
    var forget: [String] = []
    @Option(help: "With --allow: limit reading to this many past days and future data.")
    var pastDays: Int?
    @Flag(help: "Change only the permission to write.")
    var share = false
    @Flag(help: "Change only the permission to read.")
    var read = false
    @Flag(help: "Forget all answers; the app's user is asked again.")
    var reset = false
    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if app == nil, reset || !allow.isEmpty || !deny.isEmpty || !forget.isEmpty {
            throw ValidationError("Name the app whose permissions to change, such as local.MyApp.")
        }
        if let pastDays {
            guard (0...99_999).contains(pastDays) else {
                throw ValidationError("--past-days must be 0 to 99999, not '\(pastDays)'.")
            }
            guard !allow.isEmpty, read || !share else {
                throw ValidationError("--past-days limits what --allow lets an app read. Add --allow heartRate --read.")
            }
        }
        _ = try changedTypes()
    }

    func run() throws {
        let database = HealthEnvironment.current.database
        if let app { try change(app, in: database) }
        try CommandFailure.storeFault {
            let apps = try app.map { [$0] } ?? database.appsWithPermissions()
            let stored = try apps.compactMap { app in try database.permissions(of: app).map { (app, $0) } }
            if json {
                print(
                    JSONText.object([("apps", .object(stored.map { ($0, Self.json($1)) }))]).text)
            } else {
                for line in Self.lines(stored, of: app) { print(line) }
            }
        }
    }

    private func change(_ app: String, in database: any HealthDatabase) throws {
        let (allowed, denied, forgotten) = try changedTypes()
        guard reset || !allowed.isEmpty || !denied.isEmpty || !forgotten.isEmpty else { return }
        try CommandFailure.storeFault {
            var permissions = try reset ? nil : database.permissions(of: app)
            if !allowed.isEmpty || !denied.isEmpty || (permissions != nil && !forgotten.isEmpty) {
                let name = app.split(separator: ".").last.map(String.init) ?? app
                var changed = permissions ?? StoredPermissions(name: name)
                set(true, allowed, &changed.authorization)
                set(false, denied, &changed.authorization)
                set(nil, forgotten, &changed.authorization)
                permissions = changed.authorization == Authorization() ? nil : changed
            }
            try database.store(permissions, of: app)
        }
    }

    private typealias Types = [HKObjectType]

    private func changedTypes() throws -> (allowed: Types, denied: Types, forgotten: Types) {
        (try allow.flatMap(types), try deny.flatMap(types), try forget.flatMap(types))
    }

    private func set(_ allowed: Bool?, _ types: [HKObjectType], _ authorization: inout Authorization) {
        if share || !read { authorization.set(share: allowed, types.filter { $0.isShareableByApps }) }
        guard read || !share else { return }
        let readable = types.filter { !($0 is HKCorrelationType) }
        if allowed == true, let pastDays {
            authorization.set(readingPast: pastDays, before: Date(), readable)
        } else {
            authorization.set(read: allowed, readable)
        }
    }

    private func types(_ name: String) throws -> [HKObjectType] {
        if name == "all" { return TypeCatalogue.objectTypes }
        let type = try TypeArgument.objectType(name)
        if type is HKCorrelationType {
            throw ValidationError("\(name) has no permission of its own; name the types that it contains.")
        }
        if share, !read, !type.isShareableByApps {
            throw ValidationError("\(name) is read-only for apps.")
        }
        return [type]
    }

    // MARK: Showing

    /// An app's permissions for a type.
    private struct Row {
        var name: String
        var share: Bool?
        var read: Bool?
        /// The earliest end of what may be read. Nil without a limit.
        var earliest: Date?
    }

    private static func rows(_ authorization: Authorization) -> [Row] {
        Set(authorization.share.keys).union(authorization.read.keys).map { identifier in
            let name = TypeCatalogue.objectType(identifier: identifier)?.swiftName ?? identifier
            return Row(
                name: name, share: authorization.share[identifier], read: authorization.read[identifier],
                earliest: authorization.earliest?[identifier])
        }.sorted { $0.name < $1.name }
    }

    private static func json(_ permissions: StoredPermissions) -> JSONText {
        func word(_ allowed: Bool?) -> JSONText? { allowed.map { .string($0 ? "allowed" : "denied") } }
        return .object([
            ("name", .string(permissions.name)),
            (
                "types",
                .object(
                    rows(permissions.authorization).map { row in
                        (
                            row.name,
                            .object([
                                ("share", word(row.share)), ("read", word(row.read)),
                                ("readFrom", row.earliest.flatMap { .date($0) }),
                            ])
                        )
                    })
            ),
        ])
    }

    private static func lines(_ apps: [(String, StoredPermissions)], of app: String?) -> [String] {
        guard !apps.isEmpty else {
            return [app.map { "\($0) has not asked for permissions." } ?? "No app has asked for permissions yet."]
        }
        var lines: [String] = []
        for (app, permissions) in apps {
            if !lines.isEmpty { lines.append("") }
            lines.append("\(permissions.name) (\(app))")
            let rows = rows(permissions.authorization)
            let width = (rows.map(\.name.count).max() ?? 0) + 2
            func word(_ allowed: Bool?, _ verb: String) -> String {
                let text = allowed.map { $0 ? "may \(verb)" : "may not \(verb)" } ?? ""
                return text + String(repeating: " ", count: max(0, 14 - text.count))
            }
            for row in rows {
                let name = "  " + row.name + String(repeating: " ", count: width - row.name.count)
                var line = (name + word(row.share, "write") + word(row.read, "read")).trimmingSpacesAtEnd
                if let date = row.earliest { line += " from \(Page().minute(date, showsZone: true)) on" }
                lines.append(line)
            }
        }
        return lines
    }
}

extension String {
    fileprivate var trimmingSpacesAtEnd: String {
        var result = self
        while result.last == " " { result.removeLast() }
        return result
    }
}
