@_exported import CoreFoundation

/// https://developer.apple.com/documentation/corefoundation/cgfloat
@frozen public struct CGFloat: Hashable, Comparable, SignedNumeric, Strideable, ExpressibleByFloatLiteral, Sendable {
    /// https://developer.apple.com/documentation/corefoundation/cgfloat/init(_:)
    public init(_ value: Double)

    /// https://developer.apple.com/documentation/corefoundation/cgfloat/init(_:)
    public init(_ value: Float)

    /// https://developer.apple.com/documentation/corefoundation/cgfloat/init(_:)
    public init(_ value: CGFloat)

    /// https://developer.apple.com/documentation/corefoundation/cgfloat/init(_:)
    public init<Source>(_ value: Source) where Source: BinaryInteger

    /// https://developer.apple.com/documentation/swift/numeric/init(exactly:)
    public init?<Source>(exactly source: Source) where Source: BinaryInteger

    /// https://developer.apple.com/documentation/corefoundation/cgfloat/init(integerliteral:)
    public init(integerLiteral value: Int)

    /// https://developer.apple.com/documentation/corefoundation/cgfloat/init(floatliteral:)
    public init(floatLiteral value: Double)

    /// https://developer.apple.com/documentation/corefoundation/cgfloat/magnitude
    public var magnitude: CGFloat { get }

    /// https://developer.apple.com/documentation/swift/floatingpoint/isfinite
    public var isFinite: Bool { get }

    /// https://developer.apple.com/documentation/swift/floatingpoint/isnan
    public var isNaN: Bool { get }

    /// https://developer.apple.com/documentation/swift/floatingpoint/infinity
    public static var infinity: CGFloat { get }

    /// https://developer.apple.com/documentation/corefoundation/cgfloat/greatestfinitemagnitude
    public static var greatestFiniteMagnitude: CGFloat { get }

    /// https://developer.apple.com/documentation/swift/floatingpoint/pi
    public static var pi: CGFloat { get }

    /// https://developer.apple.com/documentation/swift/floatingpoint/rounded(_:)
    public func rounded(_ rule: FloatingPointRoundingRule) -> CGFloat

    /// https://developer.apple.com/documentation/swift/floatingpoint/rounded()
    public func rounded() -> CGFloat

    /// https://developer.apple.com/documentation/swift/strideable/distance(to:)
    public func distance(to other: CGFloat) -> CGFloat

    /// https://developer.apple.com/documentation/swift/strideable/advanced(by:)
    public func advanced(by amount: CGFloat) -> CGFloat

    /// https://developer.apple.com/documentation/swift/comparable
    public static func < (one: CGFloat, other: CGFloat) -> Bool

    /// https://developer.apple.com/documentation/swift/equatable/==(_:_:)
    public static func == (one: CGFloat, other: CGFloat) -> Bool

    /// https://developer.apple.com/documentation/swift/hashable/hash(into:)
    public func hash(into hasher: inout Hasher)

    /// https://developer.apple.com/documentation/swift/additivearithmetic/+(_:_:)
    public static func + (one: CGFloat, other: CGFloat) -> CGFloat

    /// https://developer.apple.com/documentation/swift/additivearithmetic/-(_:_:)
    public static func - (one: CGFloat, other: CGFloat) -> CGFloat

    /// https://developer.apple.com/documentation/swift/numeric/*(_:_:)
    public static func * (one: CGFloat, other: CGFloat) -> CGFloat

    /// https://developer.apple.com/documentation/swift/numeric/*=(_:_:)
    public static func *= (one: inout CGFloat, other: CGFloat)

    /// https://developer.apple.com/documentation/swift/floatingpoint
    public static func / (one: CGFloat, other: CGFloat) -> CGFloat

    /// https://developer.apple.com/documentation/swift/floatingpoint
    public static func /= (one: inout CGFloat, other: CGFloat)
}

extension Double {
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public init(_ value: CGFloat)
}

extension Float {
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public init(_ value: CGFloat)
}

extension Int {
    /// https://developer.apple.com/documentation/corefoundation/cgfloat
    public init(_ value: CGFloat)
}

/// https://developer.apple.com/documentation/corefoundation/cgpoint
extension CGPoint: Equatable {
    /// https://developer.apple.com/documentation/swift/equatable/==(_:_:)
    public static func == (one: CGPoint, other: CGPoint) -> Bool

    /// https://developer.apple.com/documentation/corefoundation/cgpoint/init(x:y:)
    public init(x: Double, y: Double)

    /// https://developer.apple.com/documentation/corefoundation/cgpoint/init(x:y:)
    public init(x: Int, y: Int)

    /// https://developer.apple.com/documentation/corefoundation/cgpoint/zero
    public static var zero: CGPoint { get }
}

/// https://developer.apple.com/documentation/corefoundation/cgsize
extension CGSize: Equatable {
    /// https://developer.apple.com/documentation/swift/equatable/==(_:_:)
    public static func == (one: CGSize, other: CGSize) -> Bool

    /// https://developer.apple.com/documentation/corefoundation/cgsize/init(width:height:)
    public init(width: Double, height: Double)

    /// https://developer.apple.com/documentation/corefoundation/cgsize/init(width:height:)
    public init(width: Int, height: Int)

    /// https://developer.apple.com/documentation/corefoundation/cgsize/zero
    public static var zero: CGSize { get }
}

/// https://developer.apple.com/documentation/corefoundation/cgrect
extension CGRect: Equatable {
    /// https://developer.apple.com/documentation/swift/equatable/==(_:_:)
    public static func == (one: CGRect, other: CGRect) -> Bool

    /// https://developer.apple.com/documentation/corefoundation/cgrect/init(x:y:width:height:)
    public init(x: CGFloat, y: CGFloat, width: CGFloat, height: CGFloat)

    /// https://developer.apple.com/documentation/corefoundation/cgrect/init(x:y:width:height:)
    public init(x: Double, y: Double, width: Double, height: Double)

    /// https://developer.apple.com/documentation/corefoundation/cgrect/init(x:y:width:height:)
    public init(x: Int, y: Int, width: Int, height: Int)

    /// https://developer.apple.com/documentation/corefoundation/cgrect/zero
    public static var zero: CGRect { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/null
    public static var null: CGRect { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/width
    public var width: CGFloat { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/height
    public var height: CGFloat { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/minx
    public var minX: CGFloat { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/midx
    public var midX: CGFloat { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/maxx
    public var maxX: CGFloat { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/miny
    public var minY: CGFloat { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/midy
    public var midY: CGFloat { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/maxy
    public var maxY: CGFloat { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/isempty
    public var isEmpty: Bool { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/isnull
    public var isNull: Bool { get }

    /// https://developer.apple.com/documentation/corefoundation/cgrect/contains(_:)
    public func contains(_ point: CGPoint) -> Bool

    /// https://developer.apple.com/documentation/corefoundation/cgrect/contains(_:)
    public func contains(_ rect2: CGRect) -> Bool

    /// https://developer.apple.com/documentation/corefoundation/cgrect/intersection(_:)
    public func intersection(_ r2: CGRect) -> CGRect

    /// https://developer.apple.com/documentation/corefoundation/cgrect/intersects(_:)
    public func intersects(_ rect2: CGRect) -> Bool

    /// https://developer.apple.com/documentation/corefoundation/cgrect/union(_:)
    public func union(_ r2: CGRect) -> CGRect

    /// https://developer.apple.com/documentation/corefoundation/cgrect/insetby(dx:dy:)
    public func insetBy(dx: CGFloat, dy: CGFloat) -> CGRect

    /// https://developer.apple.com/documentation/corefoundation/cgrect/offsetby(dx:dy:)
    public func offsetBy(dx: CGFloat, dy: CGFloat) -> CGRect
}

/// https://developer.apple.com/documentation/corefoundation/cgaffinetransform
extension CGAffineTransform: Equatable {
    /// https://developer.apple.com/documentation/swift/equatable/==(_:_:)
    public static func == (one: CGAffineTransform, other: CGAffineTransform) -> Bool

    /// https://developer.apple.com/documentation/corefoundation/cgaffinetransform/init(scalex:y:)
    public init(scaleX sx: CGFloat, y sy: CGFloat)

    /// https://developer.apple.com/documentation/corefoundation/cgaffinetransform/init(translationx:y:)
    public init(translationX tx: CGFloat, y ty: CGFloat)

    /// https://developer.apple.com/documentation/corefoundation/cgaffinetransform/identity
    public static var identity: CGAffineTransform { get }

    /// https://developer.apple.com/documentation/corefoundation/cgaffinetransform/isidentity
    public var isIdentity: Bool { get }
}
