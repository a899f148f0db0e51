/// Why nothing of a capture can be read.
package struct CaptureRefusal: Error, Equatable {
    package var reason: String
}
