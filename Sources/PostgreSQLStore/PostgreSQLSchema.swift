#if PostgreSQL
import Foundation
import HealthStore

/// The tables of a store on PostgreSQL, and the migrations of older ones.
///
/// They are those of SQLite (`Schema` in HealthStore), with the person as the first column of each table and each key.
/// So rows can be distributed by person, here over partitions. Row-level security limits a transaction to the rows of
/// its person, whom its login must be allowed to be, so the statements of the store need not name the person.
enum PostgreSQLSchema {
    /// The newest version that this program knows.
    static let version = Int64(steps.count)
    /// The first version of PostgreSQL with views that apply the rights of their reader.
    static let leastServerVersion = 150_000

    /// The migrations between versions. A later version adds its statements, and states in `leastClient` the oldest
    /// client that can still use the store.
    private static let steps: [(name: String, leastClient: Int64, sql: String)] = [
        ("tables", 1, tables), ("notes of writers", 1, writers),
        // Rows of workouts may have zones. Earlier clients would not read them.
        ("zones of workouts", 3, "SELECT 1"),
    ]

    /// Begins a transaction of a person.
    static func begin(_ mode: String, as person: Int64, role: String?) -> String {
        """
        BEGIN \(mode); SET LOCAL search_path = healthkit, pg_catalog; SET LOCAL healthkit.person = '\(person)'\
        \(role.map { "; SET LOCAL ROLE \($0)" } ?? "")
        """
    }

    /// Migrates a database to this version, if that is needed and allowed.
    /// - Throws: ``HKError/Code/errorHealthDataUnavailable`` for a store that only newer versions can use.
    static func prepare(_ connection: PostgreSQLConnection, _ location: StoreLocation) throws {
        guard connection.serverVersion >= leastServerVersion else {
            throw HKError.make(
                .errorHealthDataUnavailable,
                "\(location.title) is on PostgreSQL \(connection.serverVersion / 10_000). It needs PostgreSQL 15 or later."
            )
        }
        let found = try installed(connection)
        guard (found?.version ?? 0) < version || found?.lacksRights == true else {
            guard (found?.leastClient ?? 0) <= version else {
                throw HKError.make(
                    .errorHealthDataUnavailable,
                    "\(location.title) was changed by a newer version of OpenHealthKit. Update this program.")
            }
            return
        }
        try connection.run("BEGIN")
        do {
            // Clients that connect at the same time wait for the first.
            try connection.run("SELECT pg_advisory_xact_lock(7234017283807667300)")
            let installed = try installed(connection)?.version ?? 0
            if installed < version {
                for step in steps[Int(installed)...] { try connection.run(step.sql) }
                try connection.run(
                    "UPDATE healthkit.schemaVersion SET version = \(version), leastClient = \(steps[Int(version) - 1].leastClient)"
                )
            }
            try connection.run(rights)
            try connection.run("COMMIT")
        } catch {
            _ = try? connection.run("ROLLBACK")
            if (error as? PostgreSQLError)?.sqlState == "42501" {
                throw HKError.make(
                    .errorHealthDataUnavailable,
                    "\(location.title) \(found == nil ? "has no tables yet" : "has an older schema"), and this user may not change "
                        + "that. Have the owner of the database run: workout store migrate", cause: error)
            }
            throw error
        }
        let lacksRoles = "SELECT to_regrole('healthkit_app') IS NULL OR to_regrole('healthkit_study') IS NULL"
        if try connection.query(lacksRoles)[0].integer(0) != 0 {
            Notice.post(
                "\(location.title) can only be used by this user: the roles healthkit_app and healthkit_study do not exist, and this "
                    + "user may not create them. To let others use it, have an administrator run 'CREATE ROLE healthkit_app; "
                    + "CREATE ROLE healthkit_study', and then run 'workout store migrate'.")
        }
    }

    /// The state of the tables. Changes nothing.
    static func state(_ connection: PostgreSQLConnection) throws -> StoreSchemaState {
        let installed = try installed(connection)
        let found = Int(installed?.version ?? 0)
        var pending = found < steps.count ? steps[found...].map(\.name) : []
        if installed?.lacksRights == true { pending.append("rights of healthkit_app and healthkit_study") }
        return StoreSchemaState(version: found, newest: steps.count, pending: pending)
    }

    /// `lacksRights`: whether the roles were created after the tables, and this user, the owner of the tables, has not
    /// granted them rights yet.
    private static func installed(
        _ connection: PostgreSQLConnection
    ) throws -> (version: Int64, leastClient: Int64, lacksRights: Bool)? {
        let exists = try connection.query("SELECT to_regclass('healthkit.schemaVersion') IS NOT NULL")
        guard exists[0].integer(0) != 0 else { return nil }
        let row = try connection.query(
            """
            SELECT version, leastClient,
                CASE WHEN to_regrole('healthkit_app') IS NULL OR to_regrole('healthkit_study') IS NULL THEN false
                ELSE pg_has_role(nspowner, 'USAGE') AND NOT has_sequence_privilege('healthkit_study', 'healthkit.rowNumber', 'SELECT')
                END
            FROM healthkit.schemaVersion, pg_namespace WHERE nspname = 'healthkit'
            """)
        return row.count > 0 ? (row[0].integer(0), row[0].integer(1), row[0].integer(2) != 0) : nil
    }

    /// The committed transactions of each connection. Earlier clients do not use it.
    private static let writers = """
        SET LOCAL search_path = healthkit, pg_catalog;
        CREATE TABLE writer (
            person BIGINT NOT NULL DEFAULT chosenPerson(), client BYTEA NOT NULL, attempt BIGINT NOT NULL,
            date TIMESTAMPTZ NOT NULL DEFAULT now(), PRIMARY KEY (person, client)
        );
        ALTER TABLE writer ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
        CREATE POLICY chosen ON writer USING (person = (SELECT healthkit.chosenPerson()));
        """

    private static let tables = """
        CREATE SCHEMA healthkit;
        SET LOCAL search_path = healthkit, pg_catalog;
        CREATE TABLE schemaVersion (version BIGINT NOT NULL, leastClient BIGINT NOT NULL);
        INSERT INTO schemaVersion VALUES (0, 0);
        CREATE TABLE person (
            id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            -- The role whose members may be this person; NULL for all roles that may use the store.
            login TEXT
        );
        -- The person that the transaction has chosen, if its login may be that person.
        CREATE FUNCTION chosenPerson() RETURNS BIGINT LANGUAGE sql STABLE SECURITY DEFINER
            SET search_path = pg_catalog, pg_temp AS $$
            SELECT id FROM healthkit.person
            WHERE id = nullif(current_setting('healthkit.person', true), '')::bigint
                AND (login IS NULL OR pg_has_role(session_user, login::name, 'MEMBER'))
            $$;
        CREATE SEQUENCE rowNumber;

        CREATE TABLE sequence (person BIGINT PRIMARY KEY REFERENCES person ON DELETE CASCADE, last BIGINT NOT NULL DEFAULT 0);
        CREATE TABLE type (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            identifier TEXT NOT NULL, lastChange BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (person, id), UNIQUE (person, identifier)
        );
        CREATE TABLE source (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            bundleIdentifier TEXT NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY (person, id), UNIQUE (person, bundleIdentifier)
        );
        CREATE TABLE revision (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            source BIGINT NOT NULL, version TEXT, productType TEXT,
            major BIGINT NOT NULL, minor BIGINT NOT NULL, patch BIGINT NOT NULL,
            PRIMARY KEY (person, id)
        );
        CREATE INDEX revisionByContent ON revision (person, source, version, productType, major, minor, patch);
        -- A value may be longer than an ordered index takes. That there is one of each is the work of the lock on the person.
        CREATE TABLE device (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            properties BYTEA NOT NULL, PRIMARY KEY (person, id)
        );
        CREATE INDEX deviceByProperties ON device USING hash (properties);
        CREATE TABLE unit (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            string TEXT NOT NULL, PRIMARY KEY (person, id), UNIQUE (person, string)
        );
        CREATE TABLE metadata (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            content BYTEA NOT NULL, PRIMARY KEY (person, id)
        );
        CREATE INDEX metadataByContent ON metadata USING hash (content);
        CREATE TABLE run (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            kind BIGINT NOT NULL, type BIGINT NOT NULL, source BIGINT NOT NULL, revision BIGINT NOT NULL,
            device BIGINT, metadata BIGINT, unit BIGINT,
            firstSequence BIGINT NOT NULL, lastSequence BIGINT NOT NULL, count BIGINT NOT NULL,
            start DOUBLE PRECISION NOT NULL, lastStart DOUBLE PRECISION NOT NULL, "end" DOUBLE PRECISION NOT NULL,
            minimum DOUBLE PRECISION NOT NULL, maximum DOUBLE PRECISION NOT NULL,
            summary BYTEA, base BYTEA, firstOrdinal BIGINT, lastOrdinal BIGINT,
            syncIdentifier TEXT, syncVersion DOUBLE PRECISION,
            PRIMARY KEY (person, id)
        ) PARTITION BY HASH (person);
        CREATE INDEX runByStart ON run (person, type, start);
        CREATE INDEX runByEnd ON run (person, type, "end");
        CREATE INDEX runBySequence ON run (person, type, lastSequence);
        CREATE INDEX runByBase ON run (person, base) WHERE base IS NOT NULL;
        CREATE INDEX runBySync ON run (person, syncIdentifier) WHERE syncIdentifier IS NOT NULL;
        CREATE TABLE content (
            person BIGINT NOT NULL DEFAULT chosenPerson(), run BIGINT NOT NULL, columns BYTEA, archive BYTEA,
            PRIMARY KEY (person, run), FOREIGN KEY (person, run) REFERENCES run ON DELETE CASCADE
        ) PARTITION BY HASH (person);
        -- Packed already; and parts of a long one can be read by themselves.
        ALTER TABLE content ALTER COLUMN columns SET STORAGE EXTERNAL;
        CREATE TABLE foreignID (
            person BIGINT NOT NULL DEFAULT chosenPerson(), fingerprint BIGINT NOT NULL, run BIGINT NOT NULL,
            PRIMARY KEY (person, fingerprint, run), FOREIGN KEY (person, run) REFERENCES run ON DELETE CASCADE
        ) PARTITION BY HASH (person);
        CREATE INDEX foreignIDByRun ON foreignID (person, run);
        CREATE TABLE member (
            person BIGINT NOT NULL DEFAULT chosenPerson(), parent BIGINT NOT NULL, run BIGINT NOT NULL,
            PRIMARY KEY (person, parent, run),
            FOREIGN KEY (person, parent) REFERENCES run ON DELETE CASCADE,
            FOREIGN KEY (person, run) REFERENCES run ON DELETE CASCADE
        ) PARTITION BY HASH (person);
        CREATE INDEX memberByRun ON member (person, run);
        CREATE TABLE deleted (
            person BIGINT NOT NULL DEFAULT chosenPerson(), sequence BIGINT NOT NULL,
            type BIGINT NOT NULL, source BIGINT NOT NULL, uuid BYTEA NOT NULL,
            syncIdentifier TEXT, syncVersion DOUBLE PRECISION, start DOUBLE PRECISION, "end" DOUBLE PRECISION,
            PRIMARY KEY (person, sequence)
        ) PARTITION BY HASH (person);
        CREATE INDEX deletedByType ON deleted (person, type, sequence);
        CREATE TABLE growingRun (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL,
            kind BIGINT NOT NULL, type BIGINT NOT NULL, source BIGINT NOT NULL, revision BIGINT NOT NULL,
            device BIGINT, metadata BIGINT, unit BIGINT,
            firstSequence BIGINT NOT NULL, lastSequence BIGINT NOT NULL, count BIGINT NOT NULL,
            start DOUBLE PRECISION NOT NULL, lastStart DOUBLE PRECISION NOT NULL, "end" DOUBLE PRECISION NOT NULL,
            minimum DOUBLE PRECISION NOT NULL, maximum DOUBLE PRECISION NOT NULL,
            summary BYTEA, base BYTEA NOT NULL, firstOrdinal BIGINT NOT NULL, lastOrdinal BIGINT NOT NULL,
            columns BYTEA NOT NULL,
            PRIMARY KEY (person, id)
        );
        CREATE TABLE setting (
            person BIGINT NOT NULL DEFAULT chosenPerson(), name TEXT NOT NULL, value BYTEA NOT NULL,
            PRIMARY KEY (person, name)
        );
        CREATE TABLE deliveryApp (
            person BIGINT NOT NULL DEFAULT chosenPerson(), bundleIdentifier TEXT NOT NULL, content BYTEA NOT NULL,
            PRIMARY KEY (person, bundleIdentifier)
        );
        CREATE TABLE delivery (
            person BIGINT NOT NULL DEFAULT chosenPerson(), app TEXT NOT NULL, type TEXT NOT NULL,
            frequency BIGINT NOT NULL, answered BIGINT NOT NULL, lastStart DOUBLE PRECISION,
            unanswered BIGINT NOT NULL DEFAULT 0,
            PRIMARY KEY (person, app, type), FOREIGN KEY (person, app) REFERENCES deliveryApp ON DELETE CASCADE
        );
        CREATE TABLE effort (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            workout BYTEA NOT NULL, activity BYTEA, sample BYTEA NOT NULL,
            PRIMARY KEY (person, id), UNIQUE (person, sample, workout)
        );
        CREATE INDEX effortByWorkout ON effort (person, workout);
        CREATE TABLE attachment (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            identifier BYTEA NOT NULL, object BYTEA NOT NULL, name TEXT NOT NULL, contentType TEXT NOT NULL,
            created DOUBLE PRECISION NOT NULL, metadata BYTEA, data BYTEA NOT NULL,
            PRIMARY KEY (person, id), UNIQUE (person, identifier)
        );
        CREATE INDEX attachmentByObject ON attachment (person, object);
        CREATE TABLE change (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            date DOUBLE PRECISION NOT NULL, name TEXT NOT NULL, takesOver BIGINT NOT NULL,
            firstSequence BIGINT NOT NULL, lastSequence BIGINT NOT NULL,
            PRIMARY KEY (person, id)
        );
        CREATE TABLE madeRange (
            person BIGINT NOT NULL DEFAULT chosenPerson(), change BIGINT NOT NULL,
            firstSequence BIGINT NOT NULL, lastSequence BIGINT NOT NULL,
            FOREIGN KEY (person, change) REFERENCES change ON DELETE CASCADE
        );
        CREATE INDEX madeRangeByChange ON madeRange (person, change);
        CREATE TABLE successor (
            person BIGINT NOT NULL DEFAULT chosenPerson(), old BYTEA NOT NULL, new BYTEA NOT NULL, change BIGINT NOT NULL,
            PRIMARY KEY (person, old, new)
        );
        CREATE INDEX successorByChange ON successor (person, change);
        CREATE TABLE keptRun (
            person BIGINT NOT NULL DEFAULT chosenPerson(), id BIGINT NOT NULL DEFAULT nextval('rowNumber'),
            change BIGINT NOT NULL, workout BYTEA NOT NULL,
            kind BIGINT NOT NULL, type BIGINT NOT NULL, source BIGINT NOT NULL, revision BIGINT NOT NULL,
            device BIGINT, metadata BIGINT, unit BIGINT, firstSequence BIGINT NOT NULL,
            start DOUBLE PRECISION NOT NULL, "end" DOUBLE PRECISION NOT NULL,
            minimum DOUBLE PRECISION NOT NULL, maximum DOUBLE PRECISION NOT NULL,
            summary BYTEA, base BYTEA, firstOrdinal BIGINT, syncIdentifier TEXT, syncVersion DOUBLE PRECISION,
            columns BYTEA, archive BYTEA,
            PRIMARY KEY (person, id), FOREIGN KEY (person, change) REFERENCES change ON DELETE CASCADE
        );
        CREATE INDEX keptRunByChange ON keptRun (person, change);
        CREATE TABLE keptMember (
            person BIGINT NOT NULL DEFAULT chosenPerson(), change BIGINT NOT NULL, workout BYTEA NOT NULL, sample BYTEA NOT NULL,
            FOREIGN KEY (person, change) REFERENCES change ON DELETE CASCADE
        );
        CREATE INDEX keptMemberByChange ON keptMember (person, change);
        CREATE TABLE keptEffort (
            person BIGINT NOT NULL DEFAULT chosenPerson(), change BIGINT NOT NULL, workout BYTEA NOT NULL, activity BYTEA,
            sample BYTEA NOT NULL,
            FOREIGN KEY (person, change) REFERENCES change ON DELETE CASCADE
        );
        CREATE INDEX keptEffortByChange ON keptEffort (person, change);
        CREATE TABLE keptAttachment (
            person BIGINT NOT NULL DEFAULT chosenPerson(), change BIGINT NOT NULL, identifier BYTEA NOT NULL,
            object BYTEA NOT NULL, name TEXT NOT NULL, contentType TEXT NOT NULL,
            created DOUBLE PRECISION NOT NULL, metadata BYTEA, data BYTEA NOT NULL,
            FOREIGN KEY (person, change) REFERENCES change ON DELETE CASCADE
        );
        CREATE INDEX keptAttachmentByChange ON keptAttachment (person, change);

        CREATE VIEW anyRun WITH (security_invoker = true) AS
            SELECT id, kind, type, source, revision, device, metadata, unit, firstSequence, lastSequence, count, start, lastStart,
                "end", minimum, maximum, summary, base, firstOrdinal, lastOrdinal FROM run
            UNION ALL
            SELECT id, kind, type, source, revision, device, metadata, unit, firstSequence, lastSequence, count, start, lastStart,
                "end", minimum, maximum, summary, base, firstOrdinal, lastOrdinal FROM growingRun;
        CREATE VIEW latestSequence WITH (security_invoker = true) AS
            SELECT greatest(last, (SELECT max(lastSequence) FROM growingRun)) AS last FROM sequence;
        CREATE VIEW latestChange WITH (security_invoker = true) AS
            SELECT id, identifier,
                greatest(lastChange, (SELECT max(lastSequence) FROM growingRun WHERE growingRun.type = type.id)) AS sequence
            FROM type;

        CREATE FUNCTION forgetRelations() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            DELETE FROM healthkit.attachment WHERE person = NEW.person AND object = NEW.uuid;
            DELETE FROM healthkit.effort WHERE person = NEW.person AND (sample = NEW.uuid OR workout = NEW.uuid);
            RETURN NULL;
        END $$;
        CREATE TRIGGER deletedWithItsObject AFTER INSERT ON deleted FOR EACH ROW EXECUTE FUNCTION forgetRelations();

        -- Partitions, and one person's rows at a time. No app has a right to a partition by itself.
        DO $$ DECLARE one RECORD; BEGIN
            FOR one IN SELECT relname FROM pg_class WHERE relnamespace = 'healthkit'::regnamespace AND relkind = 'p' LOOP
                FOR part IN 0..7 LOOP
                    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
                        one.relname || part, one.relname, part);
                END LOOP;
            END LOOP;
            FOR one IN SELECT relname FROM pg_class WHERE relnamespace = 'healthkit'::regnamespace AND relkind IN ('r', 'p')
                AND NOT relispartition AND relname NOT IN ('schemaversion', 'person') LOOP
                EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', one.relname);
                EXECUTE format('CREATE POLICY chosen ON %I USING (person = (SELECT healthkit.chosenPerson()))', one.relname);
            END LOOP;
        END $$;
        """

    /// The rights of the roles that exist or can be created. May run again, because an administrator can add the roles
    /// later.
    private static let rights = """
        SET LOCAL search_path = healthkit, pg_catalog;
        DO $$ DECLARE one RECORD; BEGIN
            BEGIN
                PERFORM pg_advisory_xact_lock(7234017283807667301);
                IF to_regrole('healthkit_app') IS NULL THEN CREATE ROLE healthkit_app NOLOGIN; END IF;
                IF to_regrole('healthkit_study') IS NULL THEN CREATE ROLE healthkit_study NOLOGIN; END IF;
            EXCEPTION WHEN insufficient_privilege THEN
                -- The owner alone uses the store, and sees one person as well.
                IF to_regrole('healthkit_app') IS NULL OR to_regrole('healthkit_study') IS NULL THEN RETURN; END IF;
            END;
            GRANT USAGE ON SCHEMA healthkit TO healthkit_app, healthkit_study;
            GRANT SELECT ON schemaVersion, person, anyRun, latestSequence, latestChange TO healthkit_app;
            GRANT USAGE ON SEQUENCE rowNumber TO healthkit_app;
            -- What pg_dump reads, and all of the tables with their partitions.
            GRANT SELECT ON ALL SEQUENCES IN SCHEMA healthkit TO healthkit_study;
            GRANT SELECT ON ALL TABLES IN SCHEMA healthkit TO healthkit_study;
            FOR one IN SELECT oid, relname FROM pg_class WHERE relnamespace = 'healthkit'::regnamespace AND relkind IN ('r', 'p')
                AND NOT relispartition AND relname NOT IN ('schemaversion', 'person') LOOP
                EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO healthkit_app', one.relname);
                CONTINUE WHEN EXISTS (SELECT FROM pg_policy WHERE polrelid = one.oid AND polname = 'study');
                -- Outside of this program nobody is chosen: then all people's rows are visible.
                EXECUTE format('CREATE POLICY study ON %I FOR SELECT TO healthkit_study '
                    'USING (coalesce(current_setting(''healthkit.person'', true), '''') = '''')', one.relname);
            END LOOP;
        END $$;
        """
}
#endif
