@_exported public import Foundation
@_exported public import Observation
@_exported public import WatchKitForLinux

// What `import SwiftUI` shows on Linux: what code without views names. No view is here, so a file with one does not compile. As Apple's it
// shows Foundation, Combine, Observation and, as on a watch, WatchKit.
#if Combine
@_exported public import CombineForLinux
#endif
