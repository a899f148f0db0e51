import Glibc

/// A C library that is loaded when a program first needs it. A program that is linked to it loads it, and all that it depends on, at
/// every start, and does not start without it.
///
/// It stays loaded until the process ends, so its functions may be called at any time.
// A handle of dlopen may be used by any thread (dlopen(3)).
package struct LoadedLibrary: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer
    private let name: String
    private let package: String

    /// - Parameters:
    ///   - name: The name of the file with the version of its interface: `libpq.so.5`.
    ///   - package: Debian's package with it, for the error's message.
    package init(_ name: String, package: String) throws(LibraryError) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            throw LibraryError(name: name, package: package, reason: Self.latestError)
        }
        self.handle = handle
        self.name = name
        self.package = package
    }

    /// The function of this name.
    ///
    /// The type must be the function's own, `@convention(c)`. Nothing checks it, so declare it in a header by the function itself:
    /// `typedef __typeof__(&PQfinish) PQfinish_function;`.
    package func function<Function>(_ symbol: String) throws(LibraryError) -> Function {
        guard let address = dlsym(handle, symbol) else {
            throw LibraryError(name: name, package: package, reason: Self.latestError)
        }
        // The address of a function is a function pointer of C. A type of another size stops the program at its first test.
        return unsafeBitCast(address, to: Function.self)
    }

    private static var latestError: String {
        dlerror().map { String(cString: $0) } ?? "the dynamic linker gives no reason"
    }
}

/// A library that cannot be loaded, or is too old.
package struct LibraryError: Error, Equatable, CustomStringConvertible {
    /// Such as `libpq.so.5`.
    package let name: String
    /// Debian's package with the library.
    package let package: String
    /// In the words of the dynamic linker.
    package let reason: String

    private var isMissing: Bool { reason.contains("\(name): cannot open shared object file") }

    /// What is wrong and what to do, to follow the name of the library's user: `needs libpq.so.5, …`.
    package var description: String {
        isMissing
            ? "needs \(name), which is not installed. Install it: apt install \(package)"
            : "needs \(name), which cannot be used (\(reason)). Update it: apt install \(package)"
    }
}
