/// https://developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder, UITraitEnvironment {
    /// https://developer.apple.com/documentation/uikit/uiviewcontroller
    public override convenience init()

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/init(coder:)
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/view
    open var view: UIView! { get set }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/loadview()
    open func loadView()

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidload()
    open func viewDidLoad()

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/isviewloaded
    open var isViewLoaded: Bool { get }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/viewwillappear(_:)
    open func viewWillAppear(_ animated: Bool)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidappear(_:)
    open func viewDidAppear(_ animated: Bool)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/viewwilldisappear(_:)
    open func viewWillDisappear(_ animated: Bool)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdiddisappear(_:)
    open func viewDidDisappear(_ animated: Bool)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidlayoutsubviews()
    open func viewDidLayoutSubviews()

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/viewsafeareainsetsdidchange()
    open func viewSafeAreaInsetsDidChange()

    /// https://developer.apple.com/documentation/uikit/uicontentcontainer/viewwilltransition(to:with:)
    open func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator)

    /// https://developer.apple.com/documentation/uikit/uitraitenvironment/traitcollection
    open var traitCollection: UITraitCollection { get }

    /// https://developer.apple.com/documentation/uikit/uitraitenvironment/traitcollectiondidchange(_:)
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/parent
    weak open var parent: UIViewController? { get }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/children
    open var children: [UIViewController] { get }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/addchild(_:)
    open func addChild(_ childController: UIViewController)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/didmove(toparent:)
    open func didMove(toParent parent: UIViewController?)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/removefromparent()
    open func removeFromParent()

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/willmove(toparent:)
    open func willMove(toParent parent: UIViewController?)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/presentedviewcontroller
    open var presentedViewController: UIViewController? { get }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/presentingviewcontroller
    open var presentingViewController: UIViewController? { get }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/present(_:animated:completion:)
    open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/dismiss(animated:completion:)
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil)

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/isbeingdismissed
    open var isBeingDismissed: Bool { get }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/modalpresentationstyle
    open var modalPresentationStyle: UIModalPresentationStyle { get set }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/modaltransitionstyle
    open var modalTransitionStyle: UIModalTransitionStyle { get set }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/ismodalinpresentation
    open var isModalInPresentation: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/prefersstatusbarhidden
    @available(tvOS, unavailable) open var prefersStatusBarHidden: Bool { get }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/prefershomeindicatorautohidden
    @available(tvOS, unavailable) open var prefersHomeIndicatorAutoHidden: Bool { get }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/supportedinterfaceorientations
    @available(tvOS, unavailable) open var supportedInterfaceOrientations: UIInterfaceOrientationMask { get }

    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/setneedsupdateofsupportedinterfaceorientations()
    @available(iOS 16.0, *) @available(tvOS, unavailable)
    open func setNeedsUpdateOfSupportedInterfaceOrientations()
}

/// https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinator
@MainActor @objc public protocol UIViewControllerTransitionCoordinator: NSObjectProtocol {
    /// https://developer.apple.com/documentation/uikit/uiviewcontrollertransitioncoordinatorcontext/isanimated
    var isAnimated: Bool { get }
}

/// https://developer.apple.com/documentation/uikit/uimodalpresentationstyle
@objc public enum UIModalPresentationStyle: Int, Sendable {
    /// https://developer.apple.com/documentation/uikit/uimodalpresentationstyle/fullscreen
    case fullScreen = 0

    /// https://developer.apple.com/documentation/uikit/uimodalpresentationstyle/pagesheet
    @available(tvOS, unavailable) case pageSheet = 1

    /// https://developer.apple.com/documentation/uikit/uimodalpresentationstyle/overfullscreen
    case overFullScreen = 5

    /// https://developer.apple.com/documentation/uikit/uimodalpresentationstyle/automatic
    case automatic = -2
}

/// https://developer.apple.com/documentation/uikit/uimodaltransitionstyle
@objc public enum UIModalTransitionStyle: Int, Sendable {
    /// https://developer.apple.com/documentation/uikit/uimodaltransitionstyle/coververtical
    case coverVertical = 0

    /// https://developer.apple.com/documentation/uikit/uimodaltransitionstyle/crossdissolve
    case crossDissolve = 2
}

/// https://developer.apple.com/documentation/uikit/uiinterfaceorientationmask
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// https://developer.apple.com/documentation/swift/optionset/init(rawvalue:)
    public init(rawValue: UInt)

    /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
    public let rawValue: UInt

    /// https://developer.apple.com/documentation/uikit/uiinterfaceorientationmask/portrait
    public static var portrait: UIInterfaceOrientationMask { get }

    /// https://developer.apple.com/documentation/uikit/uiinterfaceorientationmask/landscape
    public static var landscape: UIInterfaceOrientationMask { get }

    /// https://developer.apple.com/documentation/uikit/uiinterfaceorientationmask/all
    public static var all: UIInterfaceOrientationMask { get }

    /// https://developer.apple.com/documentation/uikit/uiinterfaceorientationmask/allbutupsidedown
    public static var allButUpsideDown: UIInterfaceOrientationMask { get }
}
