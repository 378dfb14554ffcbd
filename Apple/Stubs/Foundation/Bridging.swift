// swift-format-ignore-file: NoLeadingUnderscores
// The classes of Objective-C behind Swift's values, without which no method with such a value can be `@objc`.

/// https://developer.apple.com/documentation/foundation/nsstring
open class NSString: NSObject, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/nsarray
open class NSArray: NSObject {}

/// https://developer.apple.com/documentation/foundation/nsdictionary
open class NSDictionary: NSObject {}

/// https://developer.apple.com/documentation/foundation/nsset
open class NSSet: NSObject {}

/// https://developer.apple.com/documentation/foundation/nsdata
open class NSData: NSObject, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/nsdate
open class NSDate: NSObject, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/nsurl
open class NSURL: NSObject, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/nscoder
open class NSCoder: NSObject {}

// https://github.com/swiftlang/swift/blob/main/stdlib/public/core/BridgeObjectiveC.swift
extension _ObjectiveCBridgeable {
    /// https://github.com/swiftlang/swift/blob/main/stdlib/public/core/BridgeObjectiveC.swift
    public func _bridgeToObjectiveC() -> _ObjectiveCType

    /// https://github.com/swiftlang/swift/blob/main/stdlib/public/core/BridgeObjectiveC.swift
    public static func _forceBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?)

    /// https://github.com/swiftlang/swift/blob/main/stdlib/public/core/BridgeObjectiveC.swift
    public static func _conditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType, result: inout Self?) -> Bool

    /// https://github.com/swiftlang/swift/blob/main/stdlib/public/core/BridgeObjectiveC.swift
    public static func _unconditionallyBridgeFromObjectiveC(_ source: _ObjectiveCType?) -> Self
}

extension String: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsstring
    public typealias _ObjectiveCType = NSString
}

extension Array: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsarray
    public typealias _ObjectiveCType = NSArray
}

extension Dictionary: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsdictionary
    public typealias _ObjectiveCType = NSDictionary
}

extension Set: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsset
    public typealias _ObjectiveCType = NSSet
}

extension Bool: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsnumber
    public typealias _ObjectiveCType = NSNumber
}

extension Int: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsnumber
    public typealias _ObjectiveCType = NSNumber
}

extension Double: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsnumber
    public typealias _ObjectiveCType = NSNumber
}

extension Data: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsdata
    public typealias _ObjectiveCType = NSData
}

extension Date: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsdate
    public typealias _ObjectiveCType = NSDate
}

extension URL: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsurl
    public typealias _ObjectiveCType = NSURL
}

extension URLRequest: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsurlrequest
    public typealias _ObjectiveCType = NSURLRequest
}

extension Notification: _ObjectiveCBridgeable {
    /// https://developer.apple.com/documentation/foundation/nsnotification
    public typealias _ObjectiveCType = NSNotification
}

// https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/Foundation/NSError.swift
/// https://developer.apple.com/documentation/foundation/nserror
public func _convertErrorToNSError(_ error: any Error) -> NSError

/// https://developer.apple.com/documentation/foundation/nserror
public func _convertNSErrorToError(_ error: NSError?) -> any Error
