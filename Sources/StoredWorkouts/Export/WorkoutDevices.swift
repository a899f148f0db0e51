import Recordings
import SessionLog

/// The types of a stored workout's samples, and the devices that measured them, as the sensors of a log.
struct WorkoutDevices: Sendable {
    /// Quantity and category types.
    private(set) var types: [HKSampleType] = []
    private(set) var measured: Set<HKQuantityType> = []
    private(set) var sensors: [SensorStatus] = []
    private var ids: [HKDevice: String] = [:]
    private(set) var heartRateSensor: String?

    /// - Parameter wanted: The types to read. Nil for all.
    init(of workout: HKWorkout, in database: any HealthDatabase, only wanted: Set<HKSampleType>? = nil) throws {
        let devicesByType = Dictionary(grouping: try database.sampledTypes(ofWorkout: workout.uuid), by: \.type)
            .mapValues { $0.compactMap(\.device) }
        var found: [(device: HKDevice, types: Set<HKSampleType>)] = []
        for type in TypeCatalogue.objectTypes {
            guard let type = type as? HKSampleType, type is HKQuantityType || type is HKCategoryType,
                wanted?.contains(type) ?? true, let devices = devicesByType[type]
            else { continue }
            types.append(type)
            if let type = type as? HKQuantityType { measured.insert(type) }
            for device in devices {
                if let index = found.firstIndex(where: { $0.device == device }) {
                    found[index].types.insert(type)
                } else {
                    found.append((device, [type]))
                }
            }
        }
        for (device, types) in found { note(device, types) }
        if sensors.isEmpty, let device = workout.device { note(device, []) }
        heartRateSensor =
            found.first { $0.types.contains(HKQuantityType(.heartRate)) }.flatMap { ids[$0.device] }
            ?? sensors.first?.id
    }

    private mutating func note(_ device: HKDevice, _ types: Set<HKSampleType>) {
        let description = device.properties
        let isOnlyHeart = types.allSatisfy { $0 == HKQuantityType(.heartRate) }
        var id =
            description.isRecorder(measuresMore: !isOnlyHeart)
            ? DeviceDescription.recorderID : device.name ?? device.model ?? "sensor"
        if ids.values.contains(id) { id += " \(ids.count + 1)" }
        ids[device] = id
        sensors.append(SensorStatus(id: id, kind: .replay, presence: .present, device: description))
    }

    func id(of device: HKDevice) -> String? { ids[device] }

    func sensor(of device: HKDevice) -> SensorStatus? { ids[device].flatMap { id in sensors.first { $0.id == id } } }
}
