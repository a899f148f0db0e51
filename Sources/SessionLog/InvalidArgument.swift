/// An error that is the caller's fault, because the caller passed the value. HealthKit reports it as an invalid argument, with its
/// description as the message.
///
/// A protocol, because the modules that define such errors do not know HealthKit's.
package protocol InvalidArgument: Error, CustomStringConvertible {}
