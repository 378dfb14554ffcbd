/// https://developer.apple.com/documentation/foundation/nsnotification
open class NSNotification: NSObject {
    /// https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct/init(_:)
        public init(_ rawValue: String)

        /// https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct/init(rawvalue:)
        public init(rawValue: String)

        /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
        public var rawValue: String { get }
    }
}

/// https://developer.apple.com/documentation/foundation/notification
public struct Notification {
    /// https://developer.apple.com/documentation/foundation/notification/name-swift.typealias
    public typealias Name = NSNotification.Name

    /// https://developer.apple.com/documentation/foundation/notification/name-swift.property
    public var name: Notification.Name { get set }

    /// https://developer.apple.com/documentation/foundation/notification/object
    public var object: Any? { get set }

    /// https://developer.apple.com/documentation/foundation/notification/userinfo
    public var userInfo: [AnyHashable: Any]? { get set }
}

@available(*, unavailable)
extension Notification: @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/operationqueue
open class OperationQueue: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/operationqueue/main
    open class var main: OperationQueue { get }

    /// https://developer.apple.com/documentation/foundation/operationqueue
    public override init()

    /// https://developer.apple.com/documentation/foundation/operationqueue/name
    open var name: String? { get set }

    /// https://developer.apple.com/documentation/foundation/operationqueue/maxconcurrentoperationcount
    open var maxConcurrentOperationCount: Int { get set }

    /// https://developer.apple.com/documentation/foundation/operationqueue/underlyingqueue
    unowned(unsafe) open var underlyingQueue: DispatchQueue?
}

/// https://developer.apple.com/documentation/foundation/notificationcenter
open class NotificationCenter: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/notificationcenter/default
    open class var `default`: NotificationCenter { get }

    /// https://developer.apple.com/documentation/foundation/notificationcenter/addobserver(forname:object:queue:using:)
    open func addObserver(
        forName name: NSNotification.Name?,
        object obj: Any?,
        queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol

    /// https://developer.apple.com/documentation/foundation/notificationcenter/addobserver(_:selector:name:object:)
    open func addObserver(
        _ observer: Any,
        selector aSelector: Selector,
        name aName: NSNotification.Name?,
        object anObject: Any?
    )

    /// https://developer.apple.com/documentation/foundation/notificationcenter/removeobserver(_:)
    open func removeObserver(_ observer: Any)

    /// https://developer.apple.com/documentation/foundation/notificationcenter/post(name:object:)
    open func post(name aName: NSNotification.Name, object anObject: Any?)

    /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications(named:object:)
    public func notifications(
        named name: Notification.Name,
        object: (AnyObject & Sendable)? = nil
    ) -> NotificationCenter.Notifications

    /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications/makeasynciterator()
        public func makeAsyncIterator() -> NotificationCenter.Notifications.Iterator

        /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications/iterator
        public struct Iterator: AsyncIteratorProtocol {
            /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications/iterator/next()
            public mutating func next() async -> Notification?
        }
    }
}
