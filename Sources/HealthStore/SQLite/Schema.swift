import GRDB

/// The tables of the store, and the migrations of older stores.
///
/// A row of `run` stands for samples of one kind, or for one other object such as a workout or a correlation. The
/// values are in `content`, so that reading many rows reads no values. Shared data (types, sources, devices, units,
/// metadata) is stored once and referenced by number. `sequence` numbers count everything ever added or deleted. Query
/// anchors are such numbers.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("runs") { db in try db.execute(sql: tables) }
        migrator.registerMigration("background delivery") { db in try db.execute(sql: deliveryTables) }
        migrator.registerMigration("effort and attachments") { db in try db.execute(sql: relations) }
        migrator.registerMigration("objects as columns", foreignKeyChecks: .immediate) { db in
            // The time of a deleted sample, which tells whose statistics change. NULL for samples deleted by earlier
            // versions.
            try db.execute(sql: "ALTER TABLE deleted ADD COLUMN start REAL; ALTER TABLE deleted ADD COLUMN end REAL")
            // The code that reads and writes rows expects these.
            try db.execute(sql: growingRuns)
            try StoreWriter(SQLiteStatements(db)).unarchiveObjects()
        }
        // An export may name another version of a source with each record.
        migrator.registerMigration("revisions by content") { db in
            try db.execute(
                sql: """
                    CREATE INDEX revisionByContent ON revision(source, version, productType, major, minor, patch);
                    DROP INDEX revisionBySource;
                    """)
        }
        // Since this version, rows may state how long their last value is held. Earlier versions would not count such
        // rows.
        migrator.registerMigration("ends of holds") { _ in }
        // Earlier versions would not count rows with parts.
        migrator.registerMigration("parts of hours", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: growingRuns)
            try StoreWriter(SQLiteStatements(db)).divideLongRuns()
        }
        migrator.registerMigration("changes of workouts") { db in try db.execute(sql: changes) }
        migrator.registerMigration("growing runs") { db in try db.execute(sql: growingRuns) }
        // Since this version, routes have no archive. Earlier versions would not find them.
        migrator.registerMigration("routes without archives") { _ in }
        // Since this version, rows of workouts may have zones. Earlier versions would not read them.
        migrator.registerMigration("zones of workouts") { _ in }
        return migrator
    }

    /// Migrates a database to this version.
    ///
    /// Another process may do so at the same time. Each step is one transaction, and the second process to run it fails
    /// because the tables exist. So a failure is final only if no other process made progress meanwhile.
    static func migrate(_ database: any DatabaseWriter) throws {
        var applied = try database.read(migrator.appliedIdentifiers)
        while true {
            do {
                return try migrator.migrate(database)
            } catch {
                let appliedNow = try database.read(migrator.appliedIdentifiers)
                guard appliedNow != applied else { throw error }
                applied = appliedNow
            }
        }
    }

    /// Whether a database is empty, or has the tables of any version of this schema.
    static func isEmptyOrOurs(_ db: Database) throws -> Bool {
        if try !migrator.appliedIdentifiers(db).isEmpty { return true }
        return try Int.fetchOne(
            db,
            sql: "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite%' AND name <> 'grdb_migrations'") == 0
    }

    private static let deliveryTables = """
        -- Apps that want to be started for changes, and how: DeliveryApp as JSON.
        CREATE TABLE deliveryApp (bundleIdentifier TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE delivery (
            app TEXT NOT NULL REFERENCES deliveryApp ON DELETE CASCADE,
            type TEXT NOT NULL,
            -- HKUpdateFrequency, as it was asked for.
            frequency INTEGER NOT NULL,
            -- Up to which change the app has said that it has dealt with them.
            answered INTEGER NOT NULL,
            lastStart REAL,
            unanswered INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (app, type)
        ) WITHOUT ROWID;
        """

    /// The effort samples of workouts and of their activities, and the attachments of objects. Both are removed with
    /// their objects. The numbers are never reused, because query anchors are such numbers.
    private static let relations = """
        CREATE TABLE effort (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workout BLOB NOT NULL,
            activity BLOB,
            sample BLOB NOT NULL,
            UNIQUE (sample, workout)
        );
        CREATE INDEX effortByWorkout ON effort(workout);
        CREATE TABLE attachment (
            id INTEGER PRIMARY KEY,
            identifier BLOB NOT NULL UNIQUE,
            object BLOB NOT NULL,
            name TEXT NOT NULL,
            contentType TEXT NOT NULL,
            created REAL NOT NULL,
            metadata BLOB,
            data BLOB NOT NULL
        );
        CREATE INDEX attachmentByObject ON attachment(object);
        CREATE TRIGGER deletedWithItsObject AFTER INSERT ON deleted BEGIN
            DELETE FROM attachment WHERE object = NEW.uuid;
            DELETE FROM effort WHERE sample = NEW.uuid OR workout = NEW.uuid;
        END;
        """

    /// Replaced and deleted workouts with their data, until the change is undone or purged. The list of the workouts
    /// that replaced them is kept for good, because an imported file is recognized by the UUID of its first workout.
    private static let changes = """
        CREATE TABLE change (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            date REAL NOT NULL,
            name TEXT NOT NULL,
            -- Whether the new workout took over all samples as they were.
            takesOver INTEGER NOT NULL,
            -- Between these is all that the change deleted.
            firstSequence INTEGER NOT NULL, lastSequence INTEGER NOT NULL
        );
        -- The sequence numbers of what the change added; of what came back when a later change was undone, the new ones.
        CREATE TABLE madeRange (
            change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
            firstSequence INTEGER NOT NULL, lastSequence INTEGER NOT NULL
        );
        CREATE TABLE successor (
            old BLOB NOT NULL, new BLOB NOT NULL, change INTEGER NOT NULL,
            PRIMARY KEY (old, new)
        ) WITHOUT ROWID;
        CREATE INDEX successorByChange ON successor(change);
        -- As in `run` and `content`.
        CREATE TABLE keptRun (
            id INTEGER PRIMARY KEY,
            change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
            -- The workout that it is or belongs to.
            workout BLOB NOT NULL,
            kind INTEGER NOT NULL, type INTEGER NOT NULL,
            source INTEGER NOT NULL, revision INTEGER NOT NULL, device INTEGER, metadata INTEGER, unit INTEGER,
            firstSequence INTEGER NOT NULL,
            start REAL NOT NULL, end REAL NOT NULL, minimum REAL NOT NULL, maximum REAL NOT NULL,
            summary BLOB, base BLOB, firstOrdinal INTEGER, syncIdentifier TEXT, syncVersion REAL,
            columns BLOB, archive BLOB
        );
        CREATE INDEX keptRunByChange ON keptRun(change);
        -- Samples of the workout that stayed in the store.
        CREATE TABLE keptMember (
            change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
            workout BLOB NOT NULL, sample BLOB NOT NULL
        );
        CREATE TABLE keptEffort (
            change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
            workout BLOB NOT NULL, activity BLOB, sample BLOB NOT NULL
        );
        CREATE TABLE keptAttachment (
            change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
            identifier BLOB NOT NULL, object BLOB NOT NULL, name TEXT NOT NULL, contentType TEXT NOT NULL,
            created REAL NOT NULL, metadata BLOB, data BLOB NOT NULL
        );
        """

    /// Runs that grow while a session runs, some every second. A change of `run` and `content` writes six pages: of
    /// both, of their indexes and of `type`. A growing run has no index and holds its own content, so all growing runs
    /// fit into one or two pages. `type` and `sequence` do not change with them; views combine both.
    ///
    /// Every other write moves them into `run` first. So only readers and the collecting writer handle them.
    static let growingRuns = """
        CREATE TABLE IF NOT EXISTS growingRun (
            -- Negative, so that no row of `run` has the same number.
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            type INTEGER NOT NULL REFERENCES type,
            source INTEGER NOT NULL REFERENCES source,
            revision INTEGER NOT NULL REFERENCES revision,
            device INTEGER REFERENCES device,
            metadata INTEGER REFERENCES metadata,
            unit INTEGER REFERENCES unit,
            firstSequence INTEGER NOT NULL,
            lastSequence INTEGER NOT NULL,
            count INTEGER NOT NULL,
            start REAL NOT NULL, lastStart REAL NOT NULL, end REAL NOT NULL,
            minimum REAL NOT NULL, maximum REAL NOT NULL,
            summary BLOB,
            base BLOB NOT NULL, firstOrdinal INTEGER NOT NULL, lastOrdinal INTEGER NOT NULL,
            columns BLOB NOT NULL
        );
        CREATE VIEW IF NOT EXISTS anyRun AS
            SELECT id, kind, type, source, revision, device, metadata, unit, firstSequence, lastSequence, count, start, lastStart,
                end, minimum, maximum, summary, base, firstOrdinal, lastOrdinal FROM run
            UNION ALL
            SELECT id, kind, type, source, revision, device, metadata, unit, firstSequence, lastSequence, count, start, lastStart,
                end, minimum, maximum, summary, base, firstOrdinal, lastOrdinal FROM growingRun;
        CREATE VIEW IF NOT EXISTS latestSequence AS
            SELECT max(last, coalesce((SELECT max(lastSequence) FROM growingRun), 0)) AS last FROM sequence;
        CREATE VIEW IF NOT EXISTS latestChange AS
            SELECT id, identifier,
                max(lastChange, coalesce((SELECT max(lastSequence) FROM growingRun WHERE growingRun.type = type.id), 0))
                    AS sequence
            FROM type;
        """

    private static let tables = """
        CREATE TABLE type (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            -- The sequence of the latest addition or deletion: how other processes see that something changed.
            lastChange INTEGER NOT NULL DEFAULT 0
        );
        -- In the order in which they first saved something, which is their priority: later ones win.
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            bundleIdentifier TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL
        );
        CREATE TABLE revision (
            id INTEGER PRIMARY KEY,
            source INTEGER NOT NULL REFERENCES source,
            version TEXT, productType TEXT,
            major INTEGER NOT NULL, minor INTEGER NOT NULL, patch INTEGER NOT NULL
        );
        CREATE INDEX revisionBySource ON revision(source);
        CREATE TABLE device (id INTEGER PRIMARY KEY, properties BLOB NOT NULL UNIQUE);
        CREATE TABLE unit (id INTEGER PRIMARY KEY, string TEXT NOT NULL UNIQUE);
        CREATE TABLE metadata (id INTEGER PRIMARY KEY, content BLOB NOT NULL UNIQUE);
        CREATE TABLE run (
            id INTEGER PRIMARY KEY,
            kind INTEGER NOT NULL,
            type INTEGER NOT NULL REFERENCES type,
            source INTEGER NOT NULL REFERENCES source,
            revision INTEGER NOT NULL REFERENCES revision,
            device INTEGER REFERENCES device,
            metadata INTEGER REFERENCES metadata,
            unit INTEGER REFERENCES unit,
            firstSequence INTEGER NOT NULL,
            lastSequence INTEGER NOT NULL,
            count INTEGER NOT NULL,
            start REAL NOT NULL, lastStart REAL NOT NULL, end REAL NOT NULL,
            -- In the type's recording unit; a category's or an activity's number.
            minimum REAL NOT NULL, maximum REAL NOT NULL,
            -- What statistics need beyond that; NULL for a lone sample.
            summary BLOB,
            -- What the UUIDs of the samples have in common, and from where to where the rest goes; NULL when they have
            -- nothing in common and stand in `foreignID`.
            base BLOB, firstOrdinal INTEGER, lastOrdinal INTEGER,
            syncIdentifier TEXT, syncVersion REAL
        );
        CREATE INDEX runByStart ON run(type, start);
        CREATE INDEX runByEnd ON run(type, end);
        CREATE INDEX runBySequence ON run(type, lastSequence);
        CREATE INDEX runByBase ON run(base) WHERE base IS NOT NULL;
        CREATE INDEX runBySync ON run(syncIdentifier) WHERE syncIdentifier IS NOT NULL;
        CREATE TABLE content (
            run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
            columns BLOB,
            archive BLOB
        );
        CREATE TABLE foreignID (
            fingerprint INTEGER NOT NULL,
            run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
            PRIMARY KEY (fingerprint, run)
        ) WITHOUT ROWID;
        CREATE INDEX foreignIDByRun ON foreignID(run);
        -- Which runs belong to a workout or a correlation. A run belongs as a whole, or is split.
        CREATE TABLE member (
            parent INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
            run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
            PRIMARY KEY (parent, run)
        ) WITHOUT ROWID;
        CREATE INDEX memberByRun ON member(run);
        CREATE TABLE deleted (
            sequence INTEGER PRIMARY KEY,
            type INTEGER NOT NULL REFERENCES type,
            source INTEGER NOT NULL REFERENCES source,
            uuid BLOB NOT NULL,
            syncIdentifier TEXT, syncVersion REAL
        );
        CREATE INDEX deletedByType ON deleted(type, sequence);
        CREATE TABLE setting (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE sequence (last INTEGER NOT NULL);
        INSERT INTO sequence VALUES (0);
        """
}
