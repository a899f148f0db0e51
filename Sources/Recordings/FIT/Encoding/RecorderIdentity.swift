import SessionLog

extension DeviceDescription {
    /// The ID in session logs of the device that made a recording.
    package static var recorderID: String { FITDevices.recorder }

    /// Returns whether this device is a watch or bike computer known to FIT, which is then named as the source of
    /// recordings; a strap is not.
    ///
    /// - Parameter measuresMore: Whether it measured more than the heart rate.
    package func isRecorder(measuresMore: Bool) -> Bool {
        guard let numbers = FITManufacturer.numbers(manufacturer: manufacturer, model: model) else { return false }
        return measuresMore || numbers.product != 0 && model?.hasPrefix("HRM") != true
    }
}
