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

    /// Reads one sample of each type. Also finds a device that appears later in a type, unless another one has all of
    /// the type's first samples.
    ///
    /// - Parameter wanted: The types to read. Nil for all.
    init(of workout: HKWorkout, in database: any HealthDatabase, only wanted: Set<HKSampleType>? = nil) throws {
        let own = SampleFilter.workout(workout.uuid)
        var found: [(device: HKDevice, types: Set<HKSampleType>)] = []
        for type in TypeCatalogue.objectTypes {
            guard let type = type as? HKSampleType, type is HKQuantityType || type is HKCategoryType,
                wanted?.contains(type) ?? true
            else { continue }
            guard let sample = try database.samples([SampleSelection(type, own)], sortedBy: [], limit: 1).first else {
                continue
            }
            types.append(type)
            if let type = type as? HKQuantityType { measured.insert(type) }
            for device in try Self.devices(of: type, sample, own, database) {
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

    /// Finds every device of a type: the one of a sample, then one that does not belong to it, and so on.
    private static func devices(
        of type: HKSampleType, _ first: HKSample, _ own: SampleFilter, _ database: any HealthDatabase
    ) throws -> [HKDevice] {
        var devices: [HKDevice] = []
        var next: HKSample? = first
        while let device = next?.device, devices.count < 16 {
            devices.append(device)
            next = try database.samples(
                [SampleSelection(type, .and([own, .not(.devices(Set(devices)))]))], sortedBy: [], limit: 1
            ).first
        }
        return devices
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
