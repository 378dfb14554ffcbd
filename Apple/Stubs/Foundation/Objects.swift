/// https://developer.apple.com/documentation/foundation/nsnumber
open class NSNumber: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/nsnumber/init(value:)
    public init(value: Bool)

    /// https://developer.apple.com/documentation/foundation/nsnumber/init(value:)
    public init(value: Int)

    /// https://developer.apple.com/documentation/foundation/nsnumber/init(value:)
    public init(value: Double)

    /// https://developer.apple.com/documentation/foundation/nsnumber/boolvalue
    open var boolValue: Bool { get }

    /// https://developer.apple.com/documentation/foundation/nsnumber/intvalue
    open var intValue: Int { get }

    /// https://developer.apple.com/documentation/foundation/nsnumber/doublevalue
    open var doubleValue: Double { get }
}

/// https://developer.apple.com/documentation/foundation/nserror
open class NSError: NSObject, Error, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/nserror/domain
    open var domain: String { get }

    /// https://developer.apple.com/documentation/foundation/nserror/code
    open var code: Int { get }

    /// https://developer.apple.com/documentation/foundation/nserror/localizeddescription
    open var localizedDescription: String { get }
}

/// https://developer.apple.com/documentation/foundation/nsposixerrordomain
public let NSPOSIXErrorDomain: String

/// https://developer.apple.com/documentation/foundation/localizederror
public protocol LocalizedError: Error {
    /// https://developer.apple.com/documentation/foundation/localizederror/errordescription
    var errorDescription: String? { get }

    /// https://developer.apple.com/documentation/foundation/localizederror/failurereason
    var failureReason: String? { get }

    /// https://developer.apple.com/documentation/foundation/localizederror/recoverysuggestion
    var recoverySuggestion: String? { get }

    /// https://developer.apple.com/documentation/foundation/localizederror/helpanchor
    var helpAnchor: String? { get }
}

extension LocalizedError {
    /// https://developer.apple.com/documentation/foundation/localizederror/errordescription
    public var errorDescription: String? { get }

    /// https://developer.apple.com/documentation/foundation/localizederror/failurereason
    public var failureReason: String? { get }

    /// https://developer.apple.com/documentation/foundation/localizederror/recoverysuggestion
    public var recoverySuggestion: String? { get }

    /// https://developer.apple.com/documentation/foundation/localizederror/helpanchor
    public var helpAnchor: String? { get }
}

extension Error {
    /// https://developer.apple.com/documentation/swift/error/localizeddescription
    public var localizedDescription: String { get }
}

/// https://developer.apple.com/documentation/foundation/userdefaults
open class UserDefaults: NSObject {
    /// https://developer.apple.com/documentation/foundation/userdefaults/standard
    open class var standard: UserDefaults { get }

    /// https://developer.apple.com/documentation/foundation/userdefaults/init(suitename:)
    public init?(suiteName suitename: String?)

    /// https://developer.apple.com/documentation/foundation/userdefaults/object(forkey:)
    open func object(forKey defaultName: String) -> Any?

    /// https://developer.apple.com/documentation/foundation/userdefaults/bool(forkey:)
    open func bool(forKey defaultName: String) -> Bool

    /// https://developer.apple.com/documentation/foundation/userdefaults/string(forkey:)
    open func string(forKey defaultName: String) -> String?

    /// https://developer.apple.com/documentation/foundation/userdefaults/set(_:forkey:)
    open func set(_ value: Any?, forKey defaultName: String)

    /// https://developer.apple.com/documentation/foundation/userdefaults/didchangenotification
    public static let didChangeNotification: NSNotification.Name
}

/// https://developer.apple.com/documentation/foundation/bundle
open class Bundle: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/bundle/main
    open class var main: Bundle { get }

    /// https://developer.apple.com/documentation/foundation/bundle/bundleidentifier
    open var bundleIdentifier: String? { get }

    /// https://developer.apple.com/documentation/foundation/bundle/infodictionary
    open var infoDictionary: [String: Any]? { get }

    /// https://developer.apple.com/documentation/foundation/bundle/object(forinfodictionarykey:)
    open func object(forInfoDictionaryKey key: String) -> Any?
}

/// https://developer.apple.com/documentation/foundation/processinfo
open class ProcessInfo: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/processinfo/processinfo
    open class var processInfo: ProcessInfo { get }

    /// https://developer.apple.com/documentation/foundation/processinfo/operatingsystemversion
    open var operatingSystemVersion: OperatingSystemVersion { get }

    /// https://developer.apple.com/documentation/foundation/processinfo/islowpowermodeenabled
    open var isLowPowerModeEnabled: Bool { get }

    /// https://developer.apple.com/documentation/foundation/processinfo/isiosapponmac
    open var isiOSAppOnMac: Bool { get }
}

/// https://developer.apple.com/documentation/foundation/operatingsystemversion
public struct OperatingSystemVersion: Sendable {
    /// https://developer.apple.com/documentation/foundation/operatingsystemversion/majorversion
    public var majorVersion: Int { get set }

    /// https://developer.apple.com/documentation/foundation/operatingsystemversion/minorversion
    public var minorVersion: Int { get set }

    /// https://developer.apple.com/documentation/foundation/operatingsystemversion/patchversion
    public var patchVersion: Int { get set }
}

/// https://developer.apple.com/documentation/foundation/filemanager
open class FileManager: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/filemanager/default
    open class var `default`: FileManager { get }

    /// https://developer.apple.com/documentation/foundation/filemanager/url(for:in:appropriatefor:create:)
    open func url(
        for directory: FileManager.SearchPathDirectory,
        in domain: FileManager.SearchPathDomainMask,
        appropriateFor url: URL?,
        create shouldCreate: Bool
    ) throws -> URL

    /// https://developer.apple.com/documentation/foundation/filemanager/searchpathdirectory
    @objc public enum SearchPathDirectory: UInt, Sendable {
        /// https://developer.apple.com/documentation/foundation/filemanager/searchpathdirectory/cachesdirectory
        case cachesDirectory

        /// https://developer.apple.com/documentation/foundation/filemanager/searchpathdirectory/applicationsupportdirectory
        case applicationSupportDirectory
    }

    /// https://developer.apple.com/documentation/foundation/filemanager/searchpathdomainmask
    public struct SearchPathDomainMask: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/swift/optionset/init(rawvalue:)
        public init(rawValue: UInt)

        /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
        public let rawValue: UInt

        /// https://developer.apple.com/documentation/foundation/filemanager/searchpathdomainmask/userdomainmask
        public static var userDomainMask: FileManager.SearchPathDomainMask { get }
    }
}

/// https://developer.apple.com/documentation/foundation/runloop
open class RunLoop: NSObject {
    /// https://developer.apple.com/documentation/foundation/runloop/main
    open class var main: RunLoop { get }

    /// https://developer.apple.com/documentation/foundation/runloop/add(_:formode:)
    open func add(_ timer: Timer, forMode mode: RunLoop.Mode)

    /// https://developer.apple.com/documentation/foundation/runloop/mode
    public struct Mode: Hashable, Sendable {
        /// https://developer.apple.com/documentation/foundation/runloop/mode/common
        public static let common: RunLoop.Mode

        /// https://developer.apple.com/documentation/swift/equatable/==(_:_:)
        public static func == (lhs: RunLoop.Mode, rhs: RunLoop.Mode) -> Bool

        /// https://developer.apple.com/documentation/swift/hashable/hash(into:)
        public func hash(into hasher: inout Hasher)
    }
}

/// https://developer.apple.com/documentation/foundation/timer
open class Timer: NSObject {
    /// https://developer.apple.com/documentation/foundation/timer/scheduledtimer(withtimeinterval:repeats:block:)
    @discardableResult
    open class func scheduledTimer(
        withTimeInterval interval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void
    ) -> Timer

    /// https://developer.apple.com/documentation/foundation/timer/init(timeinterval:repeats:block:)
    public convenience init(
        timeInterval interval: TimeInterval,
        repeats: Bool,
        block: @escaping @Sendable (Timer) -> Void
    )

    /// https://developer.apple.com/documentation/foundation/timer/invalidate()
    open func invalidate()

    /// https://developer.apple.com/documentation/foundation/timer/isvalid
    open var isValid: Bool { get }

    /// https://developer.apple.com/documentation/foundation/timer/tolerance
    open var tolerance: TimeInterval { get set }
}
