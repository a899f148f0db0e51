/// The reason why nothing in a capture can be read.
package struct CaptureRefusal: Error, Equatable {
    package var reason: String
}
