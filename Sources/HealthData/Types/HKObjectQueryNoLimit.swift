/// The limit of a query without a limit.
public let HKObjectQueryNoLimit = 0

/// The integer anchor of a query that starts from the beginning.
@available(*, deprecated, message: "Use HKQueryAnchor")
public let HKAnchoredObjectQueryNoAnchor = 0
