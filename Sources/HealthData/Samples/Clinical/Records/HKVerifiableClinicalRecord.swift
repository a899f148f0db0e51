public import Foundation

/// A record that its issuer signed: a vaccination, a test result. Read only for apps.
public final class HKVerifiableClinicalRecord: HKSample, @unchecked Sendable {
    /// What the record is of, such as `https://smarthealth.cards#immunization`.
    public let recordTypes: [String]
    /// Who signed the record, as an address.
    public let issuerIdentifier: String
    /// Whom the record is about.
    public let subject: HKVerifiableClinicalRecordSubject
    /// When the record was signed.
    public let issuedDate: Date
    /// When what it is of was: the day of a vaccination.
    public let relevantDate: Date
    /// When the record is no longer valid; nil when it says nothing of it.
    public let expirationDate: Date?
    /// What was given or tested, for people.
    public let itemNames: [String]
    /// The format of the signed record; nil when the archive does not say.
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

    /// The only way to make one: no app can, and nothing on Linux issues them.
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

    /// Writes what `init(coder:)` reads, beside what the superclass writes.
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

/// What a record is of.
public struct HKVerifiableClinicalRecordCredentialType: RawRepresentable, Hashable, Sendable {
    /// The type as an address.
    public let rawValue: String

    /// Of any credential, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// About COVID-19, whatever it is.
    public static let covid19 = Self(rawValue: "https://smarthealth.cards#covid19")
    /// A vaccination.
    public static let immunization = Self(rawValue: "https://smarthealth.cards#immunization")
    /// A test result.
    public static let laboratory = Self(rawValue: "https://smarthealth.cards#laboratory")
    /// Having had the disease.
    public static let recovery = Self(rawValue: "https://smarthealth.cards#recovery")
}

/// The format of a record.
public struct HKVerifiableClinicalRecordSourceType: RawRepresentable, Hashable, Sendable {
    /// The name of the format.
    public let rawValue: String

    /// Of any format, also one without a constant here.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A SMART health card: a signed JSON web token.
    public static let smartHealthCard = Self(rawValue: "SMARTHealthCard")
    /// The European Union's digital COVID certificate.
    public static let euDigitalCOVIDCertificate = Self(rawValue: "EUDigitalCOVIDCertificate")
}
