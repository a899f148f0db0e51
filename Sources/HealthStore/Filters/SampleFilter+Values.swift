extension SampleFilter.Value {
    /// Nil for a value that metadata cannot have.
    package init?(_ value: Any) {
        switch value {
        case let quantity as HKQuantity: self = .quantity(quantity)
        case let date as Date: self = .date(date)
        case let text as String: self = .string(text)
        case let number as NSNumber: self = .number(number.doubleValue)
        case let enumeration as any RawRepresentable: self.init(enumeration.rawValue)
        default: return nil
        }
    }
}

extension SampleFilter.SourceRevisionPattern {
    package init(_ revision: HKSourceRevision) {
        let system = revision.operatingSystemVersion
        let numbers = [system.majorVersion, system.minorVersion, system.patchVersion]
        let any = HKSourceRevisionAnyOperatingSystem
        self.init(
            bundleIdentifier: revision.source.bundleIdentifier, version: revision.version,
            matchesAnyVersion: revision.version == HKSourceRevisionAnyVersion, productType: revision.productType,
            matchesAnyProductType: revision.productType == HKSourceRevisionAnyProductType,
            operatingSystem: numbers == [any.majorVersion, any.minorVersion, any.patchVersion]
                ? nil : numbers.map(String.init).joined(separator: "."))
    }
}
