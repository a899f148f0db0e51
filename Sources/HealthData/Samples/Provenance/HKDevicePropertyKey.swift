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
