import LibraryLoading
import Testing

struct LoadedLibraryTests {
    @Test func `functions of a library can be called`() throws {
        let library = try LoadedLibrary("libm.so.6", package: "libc6")
        let cosine: @convention(c) (Double) -> Double = try library.function("cos")
        #expect(cosine(0) == 1)
    }

    @Test func `a missing library names its package`() {
        let error = #expect(throws: LibraryError.self) {
            try LoadedLibrary("libnobodyhasthis.so.9", package: "libnobodyhasthis9")
        }
        #expect(error?.name == "libnobodyhasthis.so.9")
        #expect(
            error?.description
                == "needs libnobodyhasthis.so.9, which is not installed. Install it: apt install libnobodyhasthis9")
    }

    @Test func `a library without a function names it`() throws {
        let library = try LoadedLibrary("libm.so.6", package: "libc6")
        let error = #expect(throws: LibraryError.self) {
            let _: @convention(c) () -> Void = try library.function("functionOfALaterVersion")
        }
        #expect(error?.reason.contains("functionOfALaterVersion") == true)
        #expect(error?.description.contains("which cannot be used") == true, "\(error?.description ?? "")")
    }
}
