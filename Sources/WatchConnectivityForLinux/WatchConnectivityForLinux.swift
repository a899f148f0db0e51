// What `import WatchConnectivity` shows on Linux. As Apple's it shows Foundation.
@_exported public import Foundation
