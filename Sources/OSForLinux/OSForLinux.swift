// What `import os` and `import OSLog` show: this module, through those of C with Apple's names in Sources/AppleModules.
@_exported public import OSForLinux
