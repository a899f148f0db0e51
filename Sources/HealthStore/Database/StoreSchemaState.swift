/// The version of a store's tables.
package struct StoreSchemaState: Sendable, Equatable {
    /// 0 without tables.
    package var version: Int
    /// The version of this program.
    package var newest: Int
    /// The names of the migrations from one to the other.
    package var pending: [String]

    package init(version: Int, newest: Int, pending: [String]) {
        (self.version, self.newest, self.pending) = (version, newest, pending)
    }
}

extension SQLHealthDatabase {
    /// Migrates the tables to the newest version, as the first use of the store does.
    /// - Returns: The names of the migrations that ran.
    package func migrate() throws -> StoreSchemaState {
        let before = try schema()
        try withReader { _ in }
        return before
    }
}
