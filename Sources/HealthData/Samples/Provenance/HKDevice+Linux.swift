import Recordings

extension HKDevice {
    /// This machine, by its distribution and processor. What tells it from others of its kind is left nil: samples travel.
    static let thisMachine = HKDevice(
        DeviceDescription(
            name: "Linux", model: LinuxSystem.distribution.name ?? "Linux", hardwareVersion: LinuxSystem.machine,
            softwareVersion: LinuxSystem.distribution.version))
}
