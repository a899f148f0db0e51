public import Foundation
package import SessionLog

/// A piece of hardware that measures. Two devices are equal when all their properties are.
public final class HKDevice: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The device as logs and files describe it.
    package let properties: DeviceDescription

    package init(_ properties: DeviceDescription) {
        self.properties = properties
    }

    /// A device of which nothing need be known: each property may be nil.
    public convenience init(
        name: String?, manufacturer: String?, model: String?, hardwareVersion: String?, firmwareVersion: String?,
        softwareVersion: String?, localIdentifier: String?, udiDeviceIdentifier: String?
    ) {
        self.init(
            DeviceDescription(
                name: name, manufacturer: manufacturer, model: model, hardwareVersion: hardwareVersion,
                firmwareVersion: firmwareVersion, softwareVersion: softwareVersion,
                localIdentifier: localIdentifier, udiDeviceIdentifier: udiDeviceIdentifier))
    }

    /// The machine that the app runs on; see `HKDevice+Linux.swift` for what it says of itself.
    public static func local() -> HKDevice { thisMachine }

    /// What its user or maker calls it: `Polar H10 12345678`.
    public var name: String? { properties.name }
    /// Who made it.
    public var manufacturer: String? { properties.manufacturer }
    /// What its maker sells it as.
    public var model: String? { properties.model }
    /// The version of the device itself, as it says it.
    public var hardwareVersion: String? { properties.hardwareVersion }
    /// The version of what runs in it, as it says it.
    public var firmwareVersion: String? { properties.firmwareVersion }
    /// The version of the software that speaks for it, as it says it.
    public var softwareVersion: String? { properties.softwareVersion }
    /// Names the device on this machine only, such as its Bluetooth address.
    public var localIdentifier: String? { properties.localIdentifier }
    /// The device identifier of the FDA's unique device identification.
    public var udiDeviceIdentifier: String? { properties.udiDeviceIdentifier }

    /// Immutable, so the copy is the object itself.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Equal when all properties are, those that are nil too.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKDevice)?.properties == properties }

    /// Of all properties.
    public override var hash: Int { properties.hashValue }

    /// The manufacturer, and the name or else the model; empty when none is known.
    public override var description: String {
        [manufacturer, name ?? model].compactMap { $0 }.joined(separator: " ")
    }

    // MARK: NSSecureCoding

    /// True: archives are read with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Properties that the archive does not have are nil.
    public convenience init?(coder: NSCoder) {
        self.init(
            name: coder.decodeString(forKey: HKDevicePropertyKeyName),
            manufacturer: coder.decodeString(forKey: HKDevicePropertyKeyManufacturer),
            model: coder.decodeString(forKey: HKDevicePropertyKeyModel),
            hardwareVersion: coder.decodeString(forKey: HKDevicePropertyKeyHardwareVersion),
            firmwareVersion: coder.decodeString(forKey: HKDevicePropertyKeyFirmwareVersion),
            softwareVersion: coder.decodeString(forKey: HKDevicePropertyKeySoftwareVersion),
            localIdentifier: coder.decodeString(forKey: HKDevicePropertyKeyLocalIdentifier),
            udiDeviceIdentifier: coder.decodeString(forKey: HKDevicePropertyKeyUDIDeviceIdentifier))
    }

    /// Writes what `init(coder:)` reads, under keys of this library's own.
    public func encode(with coder: NSCoder) {
        coder.encodeIfPresent(string: name, forKey: HKDevicePropertyKeyName)
        coder.encodeIfPresent(string: manufacturer, forKey: HKDevicePropertyKeyManufacturer)
        coder.encodeIfPresent(string: model, forKey: HKDevicePropertyKeyModel)
        coder.encodeIfPresent(string: hardwareVersion, forKey: HKDevicePropertyKeyHardwareVersion)
        coder.encodeIfPresent(string: firmwareVersion, forKey: HKDevicePropertyKeyFirmwareVersion)
        coder.encodeIfPresent(string: softwareVersion, forKey: HKDevicePropertyKeySoftwareVersion)
        coder.encodeIfPresent(string: localIdentifier, forKey: HKDevicePropertyKeyLocalIdentifier)
        coder.encodeIfPresent(string: udiDeviceIdentifier, forKey: HKDevicePropertyKeyUDIDeviceIdentifier)
    }
}

// The properties of a device, as predicates over devices name them.

/// ``HKDevice/name``, for ``HKQuery/predicateForObjects(withDeviceProperty:allowedValues:)``.
public let HKDevicePropertyKeyName = "HKDevicePropertyName"
/// ``HKDevice/manufacturer``, for predicates.
public let HKDevicePropertyKeyManufacturer = "HKDevicePropertyManufacturer"
/// ``HKDevice/model``, for predicates.
public let HKDevicePropertyKeyModel = "HKDevicePropertyModel"
/// ``HKDevice/hardwareVersion``, for predicates.
public let HKDevicePropertyKeyHardwareVersion = "HKDevicePropertyHardwareVersion"
/// ``HKDevice/firmwareVersion``, for predicates.
public let HKDevicePropertyKeyFirmwareVersion = "HKDevicePropertyFirmwareVersion"
/// ``HKDevice/softwareVersion``, for predicates.
public let HKDevicePropertyKeySoftwareVersion = "HKDevicePropertySoftwareVersion"
/// ``HKDevice/localIdentifier``, for predicates: a sensor's Bluetooth address.
public let HKDevicePropertyKeyLocalIdentifier = "HKDevicePropertyLocalIdentifier"
/// ``HKDevice/udiDeviceIdentifier``, for predicates.
public let HKDevicePropertyKeyUDIDeviceIdentifier = "HKDevicePropertyUDIDeviceIdentifier"
