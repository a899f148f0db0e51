/// Somebody whose data are in a store that holds several people's.
package struct StoredPerson: Sendable, Equatable {
    package var name: String
    /// The database role whose members may be this person. Nil for every role that may use the store.
    package var login: String?

    package init(name: String, login: String? = nil) {
        self.name = name
        self.login = login
    }
}
