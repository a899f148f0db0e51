package import Bluetooth
import Foundation

/// A stick that is open, for one thread.
package protocol ANTStick: AnyObject {
    /// Returns bytes of the stick as soon as there are some. Empty after the time limit.
    func read(for time: Duration) throws(StickFault) -> [UInt8]
    func write(_ bytes: [UInt8]) throws(StickFault)
    /// Resets the USB device. The stick must be opened again.
    func reset()
    func close()
}

/// The sticks of this machine.
package protocol ANTStickSource: Sendable {
    /// The connected sticks, whether or not they may be used.
    func found() -> [FoundANTStick]
    /// Opens the first that can be used.
    func open() throws(StickFault) -> any ANTStick
    /// The error to report if no stick is plugged in.
    var absence: StickFault { get }
}

extension ANTStickSource {
    package var absence: StickFault { .absent }
}

/// A stick that is plugged in, as the kernel shows it.
package struct FoundANTStick: Sendable, Equatable {
    /// As it calls itself, such as `Dynastream Innovations ANT USB-m Stick`.
    package var name: String
    /// The file that a program opens to use it.
    package var file: String
    /// Whether this user may.
    package var mayUse: Bool

    package init(name: String, file: String, mayUse: Bool) {
        self.name = name
        self.file = file
        self.mayUse = mayUse
    }

    /// Dynastream's number among the makers of USB devices, and those of its sticks: ANT USB 2 and ANT USB-m. The first stick, 1004, is a
    /// serial line, which nothing here opens.
    static let vendor = 0x0FCF
    static let products = [0x1008, 0x1009]

    /// - Parameter root: Where the kernel shows USB devices.
    package static func all(in root: String = "/sys/bus/usb/devices") -> [FoundANTStick] {
        let devices = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return devices.sorted().compactMap { device in
            func text(_ file: String) -> String? {
                (try? String(contentsOfFile: "\(root)/\(device)/\(file)", encoding: .utf8))?
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }
            guard let vendor = text("idVendor"), Int(vendor, radix: 16) == Self.vendor, let product = text("idProduct"),
                products.contains(Int(product, radix: 16) ?? 0), let bus = text("busnum").flatMap(Int.init),
                let number = text("devnum").flatMap(Int.init)
            else { return nil }
            let file = String(format: "/dev/bus/usb/%03d/%03d", bus, number)
            let name = [text("manufacturer"), text("product")].compactMap { $0 }.joined(separator: " ")
            return FoundANTStick(
                name: name.isEmpty ? "ANT+ stick \(vendor):\(product)" : name, file: file,
                mayUse: access(file, R_OK | W_OK) == 0)
        }
    }

    /// Lets everybody at the machine, and the group plugdev, use ANT+ sticks. Plug the stick in again afterwards.
    package static let udevRule =
        #"SUBSYSTEM=="usb", ATTR{idVendor}=="0fcf", ATTR{idProduct}=="100[89]", MODE="0660", GROUP="plugdev", TAG+="uaccess""#
}

#if ANT
import CUSB
import LibraryLoading

/// The sticks at this machine's USB, through libusb, which is loaded when the first one is opened.
package struct USBSticks: ANTStickSource {
    package init() {}

    package func found() -> [FoundANTStick] { FoundANTStick.all() }

    package func open() throws(StickFault) -> any ANTStick {
        // Without a stick there is no reason to have libusb.
        guard !found().isEmpty else { throw .absent }
        do {
            return try USBStick(LibUSB.loaded())
        } catch let fault as StickFault {
            throw fault
        } catch {
            throw .unavailable("ANT+ \(error)")
        }
    }
}

/// The functions of libusb that a stick needs (its header documents them).
// The functions are the same for every thread, and none of them changes.
private final class LibUSB: @unchecked Sendable {
    let begin: libusb_init_function
    let end: libusb_exit_function
    let deviceList: libusb_get_device_list_function
    let freeDeviceList: libusb_free_device_list_function
    let deviceDescriptor: libusb_get_device_descriptor_function
    let open: libusb_open_function
    let close: libusb_close_function
    let autoDetach: libusb_set_auto_detach_kernel_driver_function
    let claim: libusb_claim_interface_function
    let release: libusb_release_interface_function
    let bulkTransfer: libusb_bulk_transfer_function
    let resetDevice: libusb_reset_device_function
    let clearHalt: libusb_clear_halt_function

    static func loaded() throws(LibraryError) -> LibUSB { try library.get() }

    private static let library = Result { () throws(LibraryError) in
        try LibUSB(LoadedLibrary("libusb-1.0.so.0", package: "libusb-1.0-0"))
    }

    private init(_ library: LoadedLibrary) throws(LibraryError) {
        begin = try library.function("libusb_init")
        end = try library.function("libusb_exit")
        deviceList = try library.function("libusb_get_device_list")
        freeDeviceList = try library.function("libusb_free_device_list")
        deviceDescriptor = try library.function("libusb_get_device_descriptor")
        open = try library.function("libusb_open")
        close = try library.function("libusb_close")
        autoDetach = try library.function("libusb_set_auto_detach_kernel_driver")
        claim = try library.function("libusb_claim_interface")
        release = try library.function("libusb_release_interface")
        bulkTransfer = try library.function("libusb_bulk_transfer")
        resetDevice = try library.function("libusb_reset_device")
        clearHalt = try library.function("libusb_clear_halt")
    }
}

/// One stick. Both endpoints are bulk, of 64 bytes, at the addresses that all sticks of these products have.
private final class USBStick: ANTStick {
    private static let endpointIn: UInt8 = 0x81
    private static let endpointOut: UInt8 = 0x01
    private static let writingInMilliseconds: UInt32 = 1000

    private let library: LibUSB
    private let context: OpaquePointer
    private let handle: OpaquePointer
    private var isOpen = true

    init(_ library: LibUSB) throws(StickFault) {
        self.library = library
        var context: OpaquePointer?
        guard library.begin(&context) == 0, let context else { throw .unavailable("libusb cannot start") }
        self.context = context
        do throws(StickFault) {
            handle = try Self.openFirst(library, context)
        } catch {
            library.end(context)
            throw error
        }
    }

    private static func openFirst(_ library: LibUSB, _ context: OpaquePointer) throws(StickFault) -> OpaquePointer {
        var list: UnsafeMutablePointer<OpaquePointer?>?
        let count = library.deviceList(context, &list)
        guard count >= 0, let list else { throw .failed("USB devices cannot be listed") }
        defer { library.freeDeviceList(list, 1) }
        var fault = StickFault.absent
        for place in 0..<count {
            guard let device = list[place] else { continue }
            var descriptor = libusb_device_descriptor()
            guard library.deviceDescriptor(device, &descriptor) == 0,
                Int(descriptor.idVendor) == FoundANTStick.vendor,
                FoundANTStick.products.contains(Int(descriptor.idProduct))
            else { continue }
            var opened: OpaquePointer?
            let result = library.open(device, &opened)
            guard result == 0, let opened else {
                fault = Self.fault(result)
                continue
            }
            // The kernel's driver turns it into a serial line, which would receive the stick's data.
            _ = library.autoDetach(opened, 1)
            let claimed = library.claim(opened, 0)
            guard claimed == 0 else {
                fault = Self.fault(claimed)
                library.close(opened)
                continue
            }
            return opened
        }
        throw fault
    }

    private static func fault(_ code: Int32) -> StickFault {
        switch code {
        case LIBUSB_ERROR_ACCESS.rawValue: .notPermitted
        case LIBUSB_ERROR_BUSY.rawValue: .busy
        case LIBUSB_ERROR_NO_DEVICE.rawValue, LIBUSB_ERROR_NOT_FOUND.rawValue: .absent
        case LIBUSB_ERROR_IO.rawValue, LIBUSB_ERROR_PIPE.rawValue: .failed("the USB transfer failed")
        default: .failed("libusb reports error \(code)")
        }
    }

    deinit { close() }

    func read(for time: Duration) throws(StickFault) -> [UInt8] {
        var count: Int32 = 0
        var result: Int32 = 0
        let milliseconds = UInt32(max(1, time / .milliseconds(1)))
        let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, length in
            result = library.bulkTransfer(
                handle, Self.endpointIn, buffer.baseAddress, Int32(buffer.count), &count, milliseconds)
            // libusb has written so many bytes, also if it ends with an error.
            length = Int(max(0, count))
        }
        guard result == 0 || result == LIBUSB_ERROR_TIMEOUT.rawValue else { throw Self.fault(result) }
        return bytes
    }

    func write(_ bytes: [UInt8]) throws(StickFault) {
        var bytes = bytes
        var count: Int32 = 0
        let result = bytes.withUnsafeMutableBufferPointer { buffer in
            library.bulkTransfer(
                handle, Self.endpointOut, buffer.baseAddress, Int32(buffer.count), &count, Self.writingInMilliseconds)
        }
        if result == LIBUSB_ERROR_PIPE.rawValue { _ = library.clearHalt(handle, Self.endpointOut) }
        // A stick that takes nothing does not answer either, which is noticed.
        guard result == 0 || result == LIBUSB_ERROR_TIMEOUT.rawValue || result == LIBUSB_ERROR_PIPE.rawValue else {
            throw Self.fault(result)
        }
    }

    func reset() {
        guard isOpen else { return }
        _ = library.resetDevice(handle)
        close()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        _ = library.release(handle, 0)
        library.close(handle)
        library.end(context)
    }
}
#endif
