// The properties of a device, as predicates over devices name them.

public let HKDevicePropertyKeyName = "HKDevicePropertyName"
public let HKDevicePropertyKeyManufacturer = "HKDevicePropertyManufacturer"
public let HKDevicePropertyKeyModel = "HKDevicePropertyModel"
public let HKDevicePropertyKeyHardwareVersion = "HKDevicePropertyHardwareVersion"
public let HKDevicePropertyKeyFirmwareVersion = "HKDevicePropertyFirmwareVersion"
public let HKDevicePropertyKeySoftwareVersion = "HKDevicePropertySoftwareVersion"
public let HKDevicePropertyKeyLocalIdentifier = "HKDevicePropertyLocalIdentifier"
public let HKDevicePropertyKeyUDIDeviceIdentifier = "HKDevicePropertyUDIDeviceIdentifier"
