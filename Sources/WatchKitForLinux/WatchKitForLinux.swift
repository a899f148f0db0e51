// What `import WatchKit` shows on Linux: the part of WatchKit that code without a user interface names. As Apple's it shows Foundation.
@_exported public import Foundation
