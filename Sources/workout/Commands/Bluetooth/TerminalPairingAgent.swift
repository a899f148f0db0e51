import Bluetooth
import Foundation

/// Asks the person at the terminal what a sensor wants to know while it is paired.
struct TerminalPairingAgent: PairingAgent {
    /// Whether somebody is there to answer.
    let isInteractive: Bool

    init(isInteractive: Bool = Question.canBeAsked) {
        self.isInteractive = isInteractive
    }

    var capability: PairingCapability { isInteractive ? .keyboardDisplay : .noInputNoOutput }

    func passkey(for device: BluetoothAddress) async -> UInt32? {
        guard let line = await ask("Six-digit code shown by \(device): ") else { return nil }
        return UInt32(line.filter { !$0.isWhitespace }).flatMap { $0 <= 999_999 ? $0 : nil }
    }

    func show(passkey: UInt32, for device: BluetoothAddress) async {
        CommandOutput.error.print("Type on \(device): \(Self.digits(passkey))")
    }

    func confirms(passkey: UInt32, for device: BluetoothAddress) async -> Bool {
        guard isInteractive else { return false }
        return await Question.isConfirmed("Does \(device) show \(Self.digits(passkey))? [y/N] ")
    }

    func allowsJustWorks(for device: BluetoothAddress) async -> Bool { true }

    /// Nil where nobody is there, or the input ends.
    private func ask(_ question: String) async -> String? {
        guard isInteractive else { return nil }
        return await Question.ask(question)
    }

    static func digits(_ passkey: UInt32) -> String {
        let text = String(passkey)
        return String(repeating: "0", count: max(0, 6 - text.count)) + text
    }
}
