public import Foundation

/// A record that its issuer signed, such as a vaccination or a test result. Read-only for apps.
public final class HKVerifiableClinicalRecord: HKSample, @unchecked Sendable {
    /// The types of the record, such as `https://smarthealth.cards#immunization`.
    public let recordTypes: [String]
    /// The issuer that signed the record, as an address.
    public let issuerIdentifier: String
    /// The person that the record is about.
    public let subject: HKVerifiableClinicalRecordSubject
    /// The date when the record was signed.
    public let issuedDate: Date
    /// The date of the event in the record, such as the day of a vaccination.
    public let relevantDate: Date
    /// The date when the record expires. Nil if it has none.
    public let expirationDate: Date?
    /// The names of the vaccines or tests, for people.
    public let itemNames: [String]
    /// The format of the signed record. Nil if the archive does not say.
    public let sourceType: HKVerifiableClinicalRecordSourceType?
    /// The signed record itself.
    public let dataRepresentation: Data

    /// The same as ``dataRepresentation``.
    @available(iOS, deprecated: 15.4, message: "Use dataRepresentation")
    public var jwsRepresentation: Data { dataRepresentation }

    private init(_ record: HKVerifiableClinicalRecord, _ identity: ObjectIdentity, _ start: Date, _ end: Date) {
        recordTypes = record.recordTypes
        issuerIdentifier = record.issuerIdentifier
        subject = record.subject
        issuedDate = record.issuedDate
        relevantDate = record.relevantDate
        expirationDate = record.expirationDate
        itemNames = record.itemNames
        sourceType = record.sourceType
        dataRepresentation = record.dataRepresentation
        super.init(identity, sampleType: record.sampleType, start: start, end: end)
    }

    package override func copy(
        identity: ObjectIdentity, start: Date, end: Date, inner: (Date) -> Date
    ) -> HKVerifiableClinicalRecord {
        HKVerifiableClinicalRecord(self, identity, start, end)
    }

    // MARK: NSSecureCoding

    /// Reads an archive, the only way to create one: no app can, and nothing on Linux issues them.
    public required init?(coder: NSCoder) {
        guard let types = coder.decodeList(of: NSString.self, forKey: "recordTypes"),
            let issuer = coder.decodeString(forKey: "issuer"),
            let subject = coder.decodeValue(of: HKVerifiableClinicalRecordSubject.self, forKey: "subject"),
            let issued = coder.decodeDate(forKey: "issued"), let relevant = coder.decodeDate(forKey: "relevant"),
            let names = coder.decodeList(of: NSString.self, forKey: "itemNames"),
            let data = coder.decodeValue(of: NSData.self, forKey: "data")
        else { return nil }
        recordTypes = types.map { $0 as String }
        issuerIdentifier = issuer
        self.subject = subject
        issuedDate = issued
        relevantDate = relevant
        expirationDate = coder.decodeDate(forKey: "expiration")
        itemNames = names.map { $0 as String }
        sourceType = coder.decodeString(forKey: "sourceType").map(HKVerifiableClinicalRecordSourceType.init)
        dataRepresentation = data as Data
        super.init(coder: coder)
    }

    /// Writes the values that `init(coder:)` reads, in addition to those of the superclass.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(list: recordTypes.map { $0 as NSString }, forKey: "recordTypes")
        coder.encode(issuerIdentifier as NSString, forKey: "issuer")
        coder.encode(subject, forKey: "subject")
        coder.encode(date: issuedDate, forKey: "issued")
        coder.encode(date: relevantDate, forKey: "relevant")
        if let expirationDate { coder.encode(date: expirationDate, forKey: "expiration") }
        coder.encode(list: itemNames.map { $0 as NSString }, forKey: "itemNames")
        coder.encodeIfPresent(string: sourceType?.rawValue, forKey: "sourceType")
        coder.encode(dataRepresentation as NSData, forKey: "data")
    }
}

/// The type of a record.
public struct HKVerifiableClinicalRecordCredentialType: RawRepresentable, Hashable, Sendable {
    /// The type as an address.
    public let rawValue: String

    /// Creates a credential from any name, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Anything about COVID-19.
    public static let covid19 = Self(rawValue: "https://smarthealth.cards#covid19")
    /// A vaccination.
    public static let immunization = Self(rawValue: "https://smarthealth.cards#immunization")
    /// A test result.
    public static let laboratory = Self(rawValue: "https://smarthealth.cards#laboratory")
    /// Recovery from the disease.
    public static let recovery = Self(rawValue: "https://smarthealth.cards#recovery")
}

/// The format of a record.
public struct HKVerifiableClinicalRecordSourceType: RawRepresentable, Hashable, Sendable {
    /// The name of the format.
    public let rawValue: String

    /// Creates a format from any name, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A SMART health card: a signed JSON web token.
    public static let smartHealthCard = Self(rawValue: "SMARTHealthCard")
    /// The European Union's digital COVID certificate.
    public static let euDigitalCOVIDCertificate = Self(rawValue: "EUDigitalCOVIDCertificate")
}
