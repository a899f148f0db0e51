import Foundation
import GATT
import SessionLog

/// The devices named in a file, as sensors of a session log.
struct FITDevices {
    /// The watch, bike computer or app that made the recording.
    static let recorder = "recorder"
    /// The heart rate strap, if the file names it separately.
    static let strap = "strap"

    private struct Device {
        var manufacturer: UInt16?
        var product: UInt16?
        var productName: String?
        var serialNumber: UInt32?
        var softwareVersion: Double?
        var hardwareVersion: UInt8?
        var batteryPercent: Int?
    }

    private var creator = Device()
    private var heartRateStrap: Device?

    /// ANT+ device type of heart rate straps.
    private static let heartRateType: UInt8 = 120
    /// Device type of Bluetooth straps (`ble_device_type`), and the `source_type` of Bluetooth devices.
    private static let bluetoothHeartRateType: UInt8 = 1
    private static let bluetooth: UInt8 = 3
    /// `source_type` of sensors built into the recorder.
    private static let local: UInt8 = 5

    var serialNumber: UInt32? { creator.serialNumber }

    /// The metadata key for FIT's product number, if the product also has a name.
    static let productKey = "FITProduct"

    /// The product number of the recorder, if its name does not identify it.
    var metadata: [String: MetadataValue] {
        guard creator.manufacturer != FITManufacturer.development, let product = creator.product, product != 0,
            product != .max, let name = creator.productName
        else {
            return [:]
        }
        let maker = creator.manufacturer.map(FITManufacturer.name)
        let known = FITManufacturer.numbers(manufacturer: maker, model: name)
        return known == nil || known?.product == product ? [:] : [Self.productKey: .number(Double(product))]
    }

    /// Returns the product number in the metadata.
    static func product(in metadata: [String: MetadataValue]) -> UInt16? {
        if case .number(let number)? = metadata[productKey] { UInt16(exactly: number) } else { nil }
    }

    /// Names for devices that a file does not name.
    static let unnamedRecorder = "FIT recorder"
    static let unnamedStrap = "heart rate strap"
    /// The ID of the sensor that measured heart rates and RR intervals.
    var heartRateSensor: String { heartRateStrap == nil ? Self.recorder : Self.strap }

    mutating func readFileID(_ message: FITMessage) {
        typealias Field = FITProfile.FileID
        // Files chained to the first may come from other devices.
        guard creator.manufacturer == nil else { return }
        creator.manufacturer = message.exactly(Field.manufacturer)
        creator.product = message.exactly(Field.product)
        creator.productName = message.string(Field.productName)
        creator.serialNumber = message.exactly(Field.serialNumber)
    }

    mutating func readDeviceInfo(_ message: FITMessage) {
        typealias Field = FITProfile.DeviceInfo
        let isCreator = message[Field.deviceIndex] == 0
        let type: UInt8? = message.exactly(Field.deviceType)
        let source: UInt8? = message.exactly(Field.sourceType)
        let isStrap =
            !isCreator
            && (type == Self.heartRateType && source != Self.local
                || type == Self.bluetoothHeartRateType && source == Self.bluetooth)
        guard isCreator || isStrap else { return }
        var device = isCreator ? creator : heartRateStrap ?? Device()
        let manufacturer: UInt16? = message.exactly(Field.manufacturer)
        // The first message of a file names the device that made it; the list of devices only adds details.
        if isCreator, let manufacturer, let known = device.manufacturer, manufacturer != known {
            guard known == FITManufacturer.development else { return }
            device.product = nil
        }
        func stated<Value>(_ old: Value?, _ new: Value?) -> Value? { isCreator ? old ?? new : new ?? old }
        device.manufacturer = manufacturer ?? device.manufacturer
        let product: UInt16? = message.exactly(Field.product)
        device.product = device.product == 0 ? product ?? 0 : stated(device.product, product)
        device.productName = stated(device.productName, message.string(Field.productName))
        device.serialNumber = stated(device.serialNumber, message.exactly(Field.serialNumber))
        device.softwareVersion =
            message[Field.softwareVersion].map(Field.softwareVersion.value) ?? device.softwareVersion
        device.hardwareVersion = message.exactly(Field.hardwareVersion) ?? device.hardwareVersion
        device.batteryPercent = message.exactly(Field.batteryLevel) ?? device.batteryPercent
        if isCreator { creator = device } else { heartRateStrap = device }
    }

    /// Adds the devices of the next file in the chain.
    mutating func append(_ later: FITDevices) {
        if creator.manufacturer == nil { creator = later.creator }
        heartRateStrap = later.heartRateStrap ?? heartRateStrap
    }

    /// The sensors, with the recorder first.
    var sensors: [SensorStatus] {
        [status(Self.recorder, creator, Self.unnamedRecorder)]
            + (heartRateStrap.map { [status(Self.strap, $0, Self.unnamedStrap)] } ?? [])
    }

    private func status(_ id: String, _ device: Device, _ fallback: String) -> SensorStatus {
        // Makers without a number of their own use that of “development”.
        let manufacturer = device.manufacturer.flatMap {
            $0 == FITManufacturer.development ? nil : FITManufacturer.name($0)
        }
        let model =
            device.productName
            ?? device.product.flatMap { $0 == 0 ? nil : FITManufacturer.model($0, of: device.manufacturer) }
        let saysManufacturer = model.map { model in manufacturer.map(model.hasPrefix) ?? true } ?? false
        let name = [saysManufacturer ? nil : manufacturer, model].compactMap { $0 }.joined(separator: " ")
        return SensorStatus(
            id: id, kind: .replay, presence: .present,
            device: DeviceDescription(
                name: name.isEmpty ? fallback : name, manufacturer: manufacturer, model: model,
                hardwareVersion: device.hardwareVersion.map { "\($0)" },
                softwareVersion: device.softwareVersion.map { "\($0)" },
                localIdentifier: device.serialNumber.map { "\($0)" }),
            batteryPercent: device.batteryPercent.flatMap { (0...100).contains($0) ? $0 : nil })
    }
}

/// The names of FIT's manufacturer numbers and Garmin's product numbers: the common ones.
enum FITManufacturer {
    static let development: UInt16 = 255

    private static let names = ANTManufacturer.names

    private static let garminModels: [UInt16: String] = [
        2: "HRM", 5: "HRM2-SS", 717: "Forerunner 405", 988: "Forerunner 60", 1018: "Forerunner 310XT",
        1036: "Edge 500", 1124: "Forerunner 110", 1325: "Edge 200", 1328: "Forerunner 910XT", 1345: "Forerunner 610",
        1436: "FR70", 1482: "Forerunner 10", 1499: "Swim", 1567: "Edge 810", 1623: "Forerunner 620",
        1632: "Forerunner 220", 1743: "HRM-Tri", 1752: "HRM-Run", 1765: "Forerunner 920XT", 1836: "Edge 1000",
        1903: "Forerunner 15", 1967: "fenix 2", 2050: "fenix 3", 2067: "Edge 520", 2158: "Forerunner 735XT",
        2337: "vivoactive HR", 2431: "Forerunner 235", 2544: "fenix 5S", 2604: "fenix 5X", 2691: "Forerunner 935",
        2697: "fenix 5", 2700: "vivoactive 3", 2713: "Edge 1030", 2886: "Forerunner 645", 3076: "Forerunner 245",
        3113: "Forerunner 945", 3121: "Edge 530", 3122: "Edge 830", 3226: "Venu", 3282: "Forerunner 45",
        3290: "fenix 6", 3299: "HRM-Dual", 3300: "HRM-Pro", 3405: "Swim 2", 3703: "Venu 2", 3843: "Edge 1040",
        3869: "Forerunner 55", 3906: "fenix 7", 3907: "fenix 7X", 3943: "epix", 3992: "Forerunner 255",
        4024: "Forerunner 955", 4061: "Edge 540", 4062: "Edge 840", 4130: "HRM-Pro Plus", 4260: "Venu 3",
        4315: "Forerunner 965", 4426: "vivoactive 5", 4432: "Forerunner 165", 4440: "Edge 1050", 4446: "HRM-Fit",
        4536: "fenix 8",
    ]

    /// Makers that use another name in front of their devices than FIT's profile does.
    private static let otherNames = ["Wahoo": "Wahoo Fitness"]
    /// Programs and services whose names begin like the devices of a maker.
    private static let programs = ["garmin connect", "polar flow", "elite hrv"]

    /// Returns the maker and model of a device from its name in files (`Garmin Edge 500`), or from Garmin's product
    /// number if that product has the same name. Nil if neither is known.
    static func maker(of name: String, product: UInt16?) -> (manufacturer: String, model: String?)? {
        let lower = name.lowercased()
        guard !programs.contains(where: lower.hasPrefix) else { return nil }
        let prefixes = names.values.map { ($0, $0) } + otherNames.map { ($0.key, $0.value) }
        let found = prefixes.filter { lower == $0.0.lowercased() || lower.hasPrefix($0.0.lowercased() + " ") }
        if let (prefix, manufacturer) = found.max(by: { $0.0.count < $1.0.count }) {
            let model = name.dropFirst(prefix.count).drop { $0 == " " }
            return (manufacturer, model.isEmpty ? nil : String(model))
        }
        func letters(_ text: String) -> String {
            String(
                String.UnicodeScalarView(
                    text.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars.filter {
                        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
                    }))
        }
        guard let model = product.flatMap({ garminModels[$0] }), letters(name).hasPrefix(letters(model)) else {
            return nil
        }
        return ("Garmin", model)
    }

    /// Returns FIT's numbers for these names, or nil for a maker without one. Every name of a maker has exactly one
    /// number.
    static func numbers(manufacturer: String?, model: String?) -> (manufacturer: UInt16, product: UInt16)? {
        guard let manufacturer else { return nil }
        let number =
            names.filter { $0.value == manufacturer }.keys.min()
            ?? manufacturer.wholeMatch(of: #/manufacturer (\d{1,5})/#).flatMap { UInt16($0.1) }
        guard let number, number != UInt16.max else { return nil }
        let product =
            (number == 1 ? garminModels.filter { $0.value == model }.keys.min() : nil)
            ?? model?.wholeMatch(of: #/product (\d{1,5})/#).flatMap { UInt16($0.1) } ?? 0
        return (number, product == .max ? 0 : product)
    }

    static func name(_ number: UInt16) -> String { names[number] ?? "manufacturer \(number)" }

    static func model(_ product: UInt16, of manufacturer: UInt16?) -> String {
        let isGarmin = manufacturer == 1 || manufacturer == 13 || manufacturer == 15
        return (isGarmin ? garminModels[product] : nil) ?? "product \(product)"
    }
}
