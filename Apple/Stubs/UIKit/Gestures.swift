/// https://developer.apple.com/documentation/uikit/uigesturerecognizer
@MainActor open class UIGestureRecognizer: NSObject {
    /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/init(target:action:)
    public init(target: Any?, action: Selector?)

    /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/view
    open var view: UIView? { get }

    /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/state-swift.property
    open var state: UIGestureRecognizer.State { get set }

    /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/delegate
    weak open var delegate: (any UIGestureRecognizerDelegate)?

    /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/isenabled
    open var isEnabled: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/cancelstouchesinview
    open var cancelsTouchesInView: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/location(in:)
    open func location(in view: UIView?) -> CGPoint

    /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/state-swift.enum
    @objc public enum State: Int, Sendable {
        /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/state-swift.enum/possible
        case possible

        /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/state-swift.enum/began
        case began

        /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/state-swift.enum/changed
        case changed

        /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/state-swift.enum/ended
        case ended

        /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/state-swift.enum/cancelled
        case cancelled

        /// https://developer.apple.com/documentation/uikit/uigesturerecognizer/state-swift.enum/failed
        case failed
    }
}

/// https://developer.apple.com/documentation/uikit/uitapgesturerecognizer
@_inheritsConvenienceInitializers @MainActor open class UITapGestureRecognizer: UIGestureRecognizer {
    /// https://developer.apple.com/documentation/uikit/uitapgesturerecognizer
    public override init(target: Any?, action: Selector?)

    /// https://developer.apple.com/documentation/uikit/uitapgesturerecognizer/numberoftapsrequired
    open var numberOfTapsRequired: Int { get set }
}

/// https://developer.apple.com/documentation/uikit/uigesturerecognizerdelegate
@MainActor @objc public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    /// https://developer.apple.com/documentation/uikit/uigesturerecognizerdelegate/gesturerecognizer(_:shouldrecognizesimultaneouslywith:)
    @objc optional func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool

    /// https://developer.apple.com/documentation/uikit/uigesturerecognizerdelegate
    @objc optional func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldReceive touch: UITouch
    ) -> Bool
}
