@_exported import CoreGraphics
@_exported import Dispatch
@_exported import ObjectiveC

/// https://developer.apple.com/documentation/foundation/timeinterval
public typealias TimeInterval = Double

/// https://developer.apple.com/documentation/foundation/data
@frozen public struct Data: Hashable, Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    /// https://developer.apple.com/documentation/foundation/data/init()
    public init()

    /// https://developer.apple.com/documentation/foundation/data/init(_:)
    public init<Elements: Sequence>(_ elements: Elements) where Elements.Element == UInt8

    /// https://developer.apple.com/documentation/foundation/data/init(contentsof:options:)
    public init(contentsOf url: URL) throws

    /// https://developer.apple.com/documentation/foundation/data/startindex
    public var startIndex: Int { get }

    /// https://developer.apple.com/documentation/foundation/data/endindex
    public var endIndex: Int { get }

    /// https://developer.apple.com/documentation/foundation/data/subscript(_:)
    public subscript(index: Int) -> UInt8 { get set }

    /// https://developer.apple.com/documentation/foundation/data/subscript(_:)
    public subscript(bounds: Range<Int>) -> Data { get set }

    /// https://developer.apple.com/documentation/foundation/data/replacesubrange(_:with:)
    public mutating func replaceSubrange<Elements>(_ subrange: Range<Int>, with newElements: Elements)
    where Elements: Collection, Elements.Element == UInt8

    /// https://developer.apple.com/documentation/foundation/data/append(_:)
    public mutating func append(_ other: Data)

    /// https://developer.apple.com/documentation/foundation/data/base64encodedstring(options:)
    public func base64EncodedString() -> String

    /// https://developer.apple.com/documentation/foundation/data/withunsafebytes(_:)
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result

    /// https://developer.apple.com/documentation/foundation/data/==(_:_:)
    public static func == (d1: Data, d2: Data) -> Bool

    /// https://developer.apple.com/documentation/foundation/data/hash(into:)
    public func hash(into hasher: inout Hasher)
}

/// https://developer.apple.com/documentation/foundation/date
public struct Date: Hashable, Comparable, Sendable {
    /// https://developer.apple.com/documentation/foundation/date/init()
    public init()

    /// https://developer.apple.com/documentation/foundation/date/init(timeintervalsince1970:)
    public init(timeIntervalSince1970: TimeInterval)

    /// https://developer.apple.com/documentation/foundation/date/timeintervalsince1970
    public var timeIntervalSince1970: TimeInterval { get }

    /// https://developer.apple.com/documentation/foundation/date/timeintervalsincenow
    public var timeIntervalSinceNow: TimeInterval { get }

    /// https://developer.apple.com/documentation/foundation/date/timeintervalsince(_:)
    public func timeIntervalSince(_ date: Date) -> TimeInterval

    /// https://developer.apple.com/documentation/foundation/date
    public static func < (lhs: Date, rhs: Date) -> Bool

    /// https://developer.apple.com/documentation/foundation/date/==(_:_:)
    public static func == (lhs: Date, rhs: Date) -> Bool

    /// https://developer.apple.com/documentation/foundation/date/hash(into:)
    public func hash(into hasher: inout Hasher)
}

/// https://developer.apple.com/documentation/foundation/url
public struct URL: Hashable, Sendable, CustomStringConvertible {
    /// https://developer.apple.com/documentation/foundation/url/init(string:)
    public init?(string: String)

    /// https://developer.apple.com/documentation/foundation/url/init(fileurlwithpath:)
    public init(fileURLWithPath path: String)

    /// https://developer.apple.com/documentation/foundation/url/absolutestring
    public var absoluteString: String { get }

    /// https://developer.apple.com/documentation/foundation/url/scheme
    public var scheme: String? { get }

    /// https://developer.apple.com/documentation/foundation/url/host
    public var host: String? { get }

    /// https://developer.apple.com/documentation/foundation/url/path
    public var path: String { get }

    /// https://developer.apple.com/documentation/foundation/url/isfileurl
    public var isFileURL: Bool { get }

    /// https://developer.apple.com/documentation/foundation/url/appendingpathcomponent(_:)
    public func appendingPathComponent(_ pathComponent: String) -> URL

    /// https://developer.apple.com/documentation/foundation/url/appending(path:directoryhint:)
    @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
    public func appending<S: StringProtocol>(path: S) -> URL

    /// https://developer.apple.com/documentation/foundation/url/description
    public var description: String { get }

    /// https://developer.apple.com/documentation/foundation/url/==(_:_:)
    public static func == (lhs: URL, rhs: URL) -> Bool

    /// https://developer.apple.com/documentation/foundation/url/hash(into:)
    public func hash(into hasher: inout Hasher)
}

/// https://developer.apple.com/documentation/foundation/uuid
public struct UUID: Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/uuid/init()
    public init()

    /// https://developer.apple.com/documentation/foundation/uuid/uuidstring
    public var uuidString: String { get }

    /// https://developer.apple.com/documentation/foundation/uuid/==(_:_:)
    public static func == (lhs: UUID, rhs: UUID) -> Bool

    /// https://developer.apple.com/documentation/foundation/uuid/hash(into:)
    public func hash(into hasher: inout Hasher)
}

/// https://developer.apple.com/documentation/foundation/locale
public struct Locale: Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/locale/current
    public static var current: Locale { get }

    /// https://developer.apple.com/documentation/foundation/locale/preferredlanguages
    public static var preferredLanguages: [String] { get }

    /// https://developer.apple.com/documentation/foundation/locale/identifier
    public var identifier: String { get }

    /// https://developer.apple.com/documentation/foundation/locale/==(_:_:)
    public static func == (lhs: Locale, rhs: Locale) -> Bool

    /// https://developer.apple.com/documentation/foundation/locale/hash(into:)
    public func hash(into hasher: inout Hasher)
}

/// https://developer.apple.com/documentation/foundation/timezone
public struct TimeZone: Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/timezone/current
    public static var current: TimeZone { get }

    /// https://developer.apple.com/documentation/foundation/timezone/secondsfromgmt(for:)
    public func secondsFromGMT(for date: Date) -> Int

    /// https://developer.apple.com/documentation/foundation/timezone/==(_:_:)
    public static func == (lhs: TimeZone, rhs: TimeZone) -> Bool

    /// https://developer.apple.com/documentation/foundation/timezone/hash(into:)
    public func hash(into hasher: inout Hasher)
}

extension String {
    /// https://developer.apple.com/documentation/swift/string/init(data:encoding:)
    public init?(data: Data, encoding: String.Encoding)

    /// https://developer.apple.com/documentation/swift/stringprotocol/data(using:allowlossyconversion:)
    public func data(using encoding: String.Encoding) -> Data?

    /// https://developer.apple.com/documentation/swift/string/encoding
    public struct Encoding: Equatable, Sendable {
        /// https://developer.apple.com/documentation/swift/string/encoding/utf8
        public static let utf8: String.Encoding

        /// https://developer.apple.com/documentation/swift/string/encoding/==(_:_:)
        public static func == (lhs: String.Encoding, rhs: String.Encoding) -> Bool
    }
}
