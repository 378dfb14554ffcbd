/// https://developer.apple.com/documentation/uikit/uiapplication
@MainActor open class UIApplication: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiapplication/shared
    open class var shared: UIApplication { get }

    /// https://developer.apple.com/documentation/uikit/uiapplication/applicationstate
    open var applicationState: UIApplication.State { get }

    /// https://developer.apple.com/documentation/uikit/uiapplication/connectedscenes
    open var connectedScenes: Set<UIScene> { get }

    /// https://developer.apple.com/documentation/uikit/uiapplication/preferredcontentsizecategory
    open var preferredContentSizeCategory: UIContentSizeCategory { get }

    /// https://developer.apple.com/documentation/uikit/uiapplication/canopenurl(_:)
    open func canOpenURL(_ url: URL) -> Bool

    /// https://developer.apple.com/documentation/uikit/uiapplication/open(_:options:completionhandler:)
    open func open(
        _ url: URL,
        options: [UIApplication.OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    )

    /// https://developer.apple.com/documentation/uikit/uiapplication/open(_:options:completionhandler:)
    @discardableResult
    open func open(_ url: URL, options: [UIApplication.OpenExternalURLOptionsKey: Any] = [:]) async -> Bool

    /// https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)
    open func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier

    /// https://developer.apple.com/documentation/uikit/uiapplication/endbackgroundtask(_:)
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier)

    /// https://developer.apple.com/documentation/uikit/uiapplication/didbecomeactivenotification
    nonisolated public static let didBecomeActiveNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiapplication/willresignactivenotification
    nonisolated public static let willResignActiveNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiapplication/didenterbackgroundnotification
    nonisolated public static let didEnterBackgroundNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiapplication/willenterforegroundnotification
    nonisolated public static let willEnterForegroundNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiapplication/willterminatenotification
    nonisolated public static let willTerminateNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiapplication/didreceivememorywarningnotification
    nonisolated public static let didReceiveMemoryWarningNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiapplication/state
    @objc public enum State: Int, Sendable {
        /// https://developer.apple.com/documentation/uikit/uiapplication/state/active
        case active

        /// https://developer.apple.com/documentation/uikit/uiapplication/state/inactive
        case inactive

        /// https://developer.apple.com/documentation/uikit/uiapplication/state/background
        case background
    }

    /// https://developer.apple.com/documentation/uikit/uiapplication/openexternalurloptionskey
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/uikit/uiapplication/openexternalurloptionskey/init(rawvalue:)
        public init(rawValue: String)

        /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
        public let rawValue: String

        /// https://developer.apple.com/documentation/uikit/uiapplication/openexternalurloptionskey/universallinksonly
        public static let universalLinksOnly: UIApplication.OpenExternalURLOptionsKey
    }
}

/// https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier/init(rawvalue:)
    public init(rawValue: Int)

    /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
    public let rawValue: Int

    /// https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier/invalid
    public static let invalid: UIBackgroundTaskIdentifier
}

/// https://developer.apple.com/documentation/uikit/uiscene
@MainActor open class UIScene: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.property
    open var activationState: UIScene.ActivationState { get }

    /// https://developer.apple.com/documentation/uikit/uiscene/open(_:options:completionhandler:)
    open func open(
        _ url: URL,
        options: UIScene.OpenExternalURLOptions?,
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    )

    /// https://developer.apple.com/documentation/uikit/uiscene/didactivatenotification
    nonisolated public static let didActivateNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiscene/willdeactivatenotification
    nonisolated public static let willDeactivateNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiscene/didenterbackgroundnotification
    nonisolated public static let didEnterBackgroundNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiscene/willenterforegroundnotification
    nonisolated public static let willEnterForegroundNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiscene/diddisconnectnotification
    nonisolated public static let didDisconnectNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiscene/openexternalurloptions
    @MainActor open class OpenExternalURLOptions: NSObject {
        /// https://developer.apple.com/documentation/uikit/uiscene/openexternalurloptions
        public override init()
    }

    /// https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum
    @objc public enum ActivationState: Int, Sendable {
        /// https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum/unattached
        case unattached = -1

        /// https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum/foregroundactive
        case foregroundActive = 0

        /// https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum/foregroundinactive
        case foregroundInactive = 1

        /// https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum/background
        case background = 2
    }
}

/// https://developer.apple.com/documentation/uikit/uiwindowscene
@MainActor open class UIWindowScene: UIScene {
    /// https://developer.apple.com/documentation/uikit/uiwindowscene/screen
    open var screen: UIScreen { get }

    /// https://developer.apple.com/documentation/uikit/uiwindowscene/windows
    open var windows: [UIWindow] { get }

    /// https://developer.apple.com/documentation/uikit/uiwindowscene/keywindow
    open var keyWindow: UIWindow? { get }
}

/// https://developer.apple.com/documentation/uikit/uiwindow
@_inheritsConvenienceInitializers @MainActor open class UIWindow: UIView {
    /// https://developer.apple.com/documentation/uikit/uiwindow
    public override init(frame: CGRect)

    /// https://developer.apple.com/documentation/uikit/uiwindow
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/uikit/uiwindow/init(windowscene:)
    public init(windowScene: UIWindowScene)

    /// https://developer.apple.com/documentation/uikit/uiwindow/windowscene
    weak open var windowScene: UIWindowScene?

    /// https://developer.apple.com/documentation/uikit/uiwindow/rootviewcontroller
    open var rootViewController: UIViewController? { get set }

    /// https://developer.apple.com/documentation/uikit/uiwindow/iskeywindow
    open var isKeyWindow: Bool { get }

    /// https://developer.apple.com/documentation/uikit/uiwindow/makekeyandvisible()
    open func makeKeyAndVisible()
}

/// https://developer.apple.com/documentation/uikit/uiscreen
@MainActor open class UIScreen: NSObject {
    /// https://developer.apple.com/documentation/uikit/uiscreen/bounds
    open var bounds: CGRect { get }

    /// https://developer.apple.com/documentation/uikit/uiscreen/scale
    open var scale: CGFloat { get }
}

/// https://developer.apple.com/documentation/uikit/uidevice
@MainActor open class UIDevice: NSObject {
    /// https://developer.apple.com/documentation/uikit/uidevice/current
    open class var current: UIDevice { get }

    /// https://developer.apple.com/documentation/uikit/uidevice/model
    open var model: String { get }

    /// https://developer.apple.com/documentation/uikit/uidevice/systemname
    open var systemName: String { get }

    /// https://developer.apple.com/documentation/uikit/uidevice/systemversion
    open var systemVersion: String { get }

    /// https://developer.apple.com/documentation/uikit/uidevice/identifierforvendor
    open var identifierForVendor: UUID? { get }

    /// https://developer.apple.com/documentation/uikit/uidevice/userinterfaceidiom
    open var userInterfaceIdiom: UIUserInterfaceIdiom { get }
}

/// https://developer.apple.com/documentation/uikit/uiuserinterfaceidiom
@objc public enum UIUserInterfaceIdiom: Int, Sendable {
    /// https://developer.apple.com/documentation/uikit/uiuserinterfaceidiom/unspecified
    case unspecified = -1

    /// https://developer.apple.com/documentation/uikit/uiuserinterfaceidiom/phone
    case phone = 0

    /// https://developer.apple.com/documentation/uikit/uiuserinterfaceidiom/pad
    case pad = 1

    /// https://developer.apple.com/documentation/uikit/uiuserinterfaceidiom/tv
    case tv = 2

    /// https://developer.apple.com/documentation/uikit/uiuserinterfaceidiom/mac
    case mac = 5
}
