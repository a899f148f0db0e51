import SessionLog

extension DeviceDescription {
    /// What a session log calls the device that made a recording.
    package static var recorderID: String { FITDevices.recorder }

    /// Whether this is a watch or bike computer with a number of FIT's, which recordings are said to be of; not a strap.
    ///
    /// - Parameter measuresMore: It measured more than the heart.
    package func isRecorder(measuresMore: Bool) -> Bool {
        guard let numbers = FITManufacturer.numbers(manufacturer: manufacturer, model: model) else { return false }
        return measuresMore || numbers.product != 0 && model?.hasPrefix("HRM") != true
    }
}
