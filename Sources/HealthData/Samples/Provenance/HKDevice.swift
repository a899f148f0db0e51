public import Foundation
package import SessionLog

/// A device that measures. Two devices are equal if all their properties are.
public final class HKDevice: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The device as described in logs and files.
    package let properties: DeviceDescription

    package init(_ properties: DeviceDescription) {
        self.properties = properties
    }

    /// Creates a device. Each property may be nil.
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

    /// Returns the machine that the app runs on. `HKDevice+Linux.swift` describes its properties.
    public static func local() -> HKDevice { thisMachine }

    /// The name from its user or maker: `Polar H10 12345678`.
    public var name: String? { properties.name }
    /// The manufacturer.
    public var manufacturer: String? { properties.manufacturer }
    /// The model name.
    public var model: String? { properties.model }
    /// The version of the hardware, as the device reports it.
    public var hardwareVersion: String? { properties.hardwareVersion }
    /// The version of the firmware, as the device reports it.
    public var firmwareVersion: String? { properties.firmwareVersion }
    /// The version of the device's software, as the device reports it.
    public var softwareVersion: String? { properties.softwareVersion }
    /// An identifier of the device on this machine only, such as its Bluetooth address.
    public var localIdentifier: String? { properties.localIdentifier }
    /// The device identifier of the FDA's unique device identification.
    public var udiDeviceIdentifier: String? { properties.udiDeviceIdentifier }

    /// Returns the object itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether all properties are equal, also those that are nil.
    public override func isEqual(_ object: Any?) -> Bool { (object as? HKDevice)?.properties == properties }

    /// The hash of all properties.
    public override var hash: Int { properties.hashValue }

    /// The manufacturer, and the name or else the model. Empty if none is known.
    public override var description: String {
        [manufacturer, name ?? model].compactMap { $0 }.joined(separator: " ")
    }

    // MARK: NSSecureCoding

    /// Always true. Read archives with `unarchivedObject(ofClass:from:)`.
    public static var supportsSecureCoding: Bool { true }

    /// Reads a device. Properties that are not in the archive are nil.
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

    /// Writes the values that `init(coder:)` reads, under this library's own keys.
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

// The keys of device properties in predicates.

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
