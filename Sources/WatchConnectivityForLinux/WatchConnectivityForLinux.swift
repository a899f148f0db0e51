// What `import WatchConnectivity` shows on Linux. As Apple's it shows Foundation, and Combine with it.
@_exported public import Foundation

#if Combine
@_exported public import CombineForLinux
#endif
