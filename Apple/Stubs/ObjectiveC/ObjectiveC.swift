@_exported import ObjectiveC

/// https://developer.apple.com/documentation/objectivec/objcbool
@frozen public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    /// https://developer.apple.com/documentation/objectivec/objcbool/init(_:)
    public init(_ value: Bool)

    /// https://developer.apple.com/documentation/objectivec/objcbool/init(booleanliteral:)
    public init(booleanLiteral value: Bool)

    /// https://developer.apple.com/documentation/objectivec/objcbool/boolvalue
    public var boolValue: Bool { get }
}

/// https://developer.apple.com/documentation/objectivec/selector
@frozen public struct Selector: ExpressibleByStringLiteral, Hashable {
    // `#selector` puts its pointer here.
    @usableFromInline internal var pointer: OpaquePointer

    /// https://developer.apple.com/documentation/objectivec/selector/init(_:)
    public init(_ name: String)

    /// https://developer.apple.com/documentation/objectivec/selector/init(stringliteral:)
    public init(stringLiteral value: String)

    /// https://developer.apple.com/documentation/objectivec/selector
    public static func == (one: Selector, other: Selector) -> Bool

    /// https://developer.apple.com/documentation/objectivec/selector
    public func hash(into hasher: inout Hasher)
}

extension NSObject: Hashable, CVarArg {
    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
    public static func == (one: NSObject, other: NSObject) -> Bool

    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
    public func hash(into hasher: inout Hasher)

    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class
    public var _cVarArgEncoding: [Int] { get }
}

/// https://github.com/swiftlang/swift/blob/main/stdlib/public/SDK/ObjectiveC/ObjectiveC.swift
public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool

/// https://github.com/swiftlang/swift/blob/main/stdlib/public/SDK/ObjectiveC/ObjectiveC.swift
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool
