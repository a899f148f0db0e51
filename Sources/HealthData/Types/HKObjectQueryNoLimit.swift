/// The limit of a query that shall have none.
public let HKObjectQueryNoLimit = 0

/// The integer anchor of a query that begins at the beginning.
@available(*, deprecated, message: "Use HKQueryAnchor")
public let HKAnchoredObjectQueryNoAnchor = 0
