/// Which version the tables of a store have.
package struct StoreSchemaState: Sendable, Equatable {
    /// 0 if there are none yet.
    package var version: Int
    /// The one that this program makes.
    package var newest: Int
    /// The steps from one to the other, by their names.
    package var pending: [String]

    package init(version: Int, newest: Int, pending: [String]) {
        (self.version, self.newest, self.pending) = (version, newest, pending)
    }
}

extension SQLHealthDatabase {
    /// Brings the tables to the newest version, as the first use of the store does.
    /// - Returns: What has been done.
    package func migrate() throws -> StoreSchemaState {
        let before = try schema()
        try withReader { _ in }
        return before
    }
}
