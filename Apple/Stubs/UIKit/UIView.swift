@_exported import CoreGraphics
@_exported import Foundation
@_exported import QuartzCore

/// https://developer.apple.com/documentation/uikit/uiresponder
@MainActor open class UIResponder: NSObject {
    /// https://developer.apple.com/documentation/uikit/uiresponder
    public override init()

    /// https://developer.apple.com/documentation/uikit/uiresponder/next
    open var next: UIResponder? { get }

    /// https://developer.apple.com/documentation/uikit/uiresponder/becomefirstresponder()
    @discardableResult open func becomeFirstResponder() -> Bool
}

/// https://developer.apple.com/documentation/uikit/uicoordinatespace
@MainActor @objc public protocol UICoordinateSpace: NSObjectProtocol {
    /// https://developer.apple.com/documentation/uikit/uicoordinatespace/bounds
    var bounds: CGRect { get }
}

/// https://developer.apple.com/documentation/uikit/uitraitenvironment
@MainActor @objc public protocol UITraitEnvironment: NSObjectProtocol {
    /// https://developer.apple.com/documentation/uikit/uitraitenvironment/traitcollection
    var traitCollection: UITraitCollection { get }

    /// https://developer.apple.com/documentation/uikit/uitraitenvironment/traitcollectiondidchange(_:)
    func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)
}

/// https://developer.apple.com/documentation/uikit/uiview
@MainActor open class UIView: UIResponder, UITraitEnvironment, UICoordinateSpace {
    /// https://developer.apple.com/documentation/uikit/uiview
    public override convenience init()

    /// https://developer.apple.com/documentation/uikit/uiview/init(frame:)
    public init(frame: CGRect)

    /// https://developer.apple.com/documentation/uikit/uiview/init(coder:)
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/uikit/uiview/frame
    open var frame: CGRect { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/bounds
    open var bounds: CGRect { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/center
    open var center: CGPoint { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/transform
    open var transform: CGAffineTransform { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/layer
    open var layer: CALayer { get }

    /// https://developer.apple.com/documentation/uikit/uiview/ishidden
    open var isHidden: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/alpha
    open var alpha: CGFloat { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/isopaque
    open var isOpaque: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/clipstobounds
    open var clipsToBounds: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/backgroundcolor
    open var backgroundColor: UIColor? { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/tintcolor
    open var tintColor: UIColor! { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/tag
    open var tag: Int { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/isuserinteractionenabled
    open var isUserInteractionEnabled: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/contentmode-swift.property
    open var contentMode: UIView.ContentMode { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/superview
    open var superview: UIView? { get }

    /// https://developer.apple.com/documentation/uikit/uiview/subviews
    open var subviews: [UIView] { get }

    /// https://developer.apple.com/documentation/uikit/uiview/window
    open var window: UIWindow? { get }

    /// https://developer.apple.com/documentation/uikit/uitraitenvironment/traitcollection
    open var traitCollection: UITraitCollection { get }

    /// https://developer.apple.com/documentation/uikit/uitraitenvironment/traitcollectiondidchange(_:)
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)

    /// https://developer.apple.com/documentation/uikit/uiview/addsubview(_:)
    open func addSubview(_ view: UIView)

    /// https://developer.apple.com/documentation/uikit/uiview/insertsubview(_:at:)
    open func insertSubview(_ view: UIView, at index: Int)

    /// https://developer.apple.com/documentation/uikit/uiview/bringsubviewtofront(_:)
    open func bringSubviewToFront(_ view: UIView)

    /// https://developer.apple.com/documentation/uikit/uiview/removefromsuperview()
    open func removeFromSuperview()

    /// https://developer.apple.com/documentation/uikit/uiview/isdescendant(of:)
    open func isDescendant(of view: UIView) -> Bool

    /// https://developer.apple.com/documentation/uikit/uiview/didmovetosuperview()
    open func didMoveToSuperview()

    /// https://developer.apple.com/documentation/uikit/uiview/didmovetowindow()
    open func didMoveToWindow()

    /// https://developer.apple.com/documentation/uikit/uiview/willmove(towindow:)
    open func willMove(toWindow newWindow: UIWindow?)

    /// https://developer.apple.com/documentation/uikit/uiview/setneedslayout()
    open func setNeedsLayout()

    /// https://developer.apple.com/documentation/uikit/uiview/layoutifneeded()
    open func layoutIfNeeded()

    /// https://developer.apple.com/documentation/uikit/uiview/layoutsubviews()
    open func layoutSubviews()

    /// https://developer.apple.com/documentation/uikit/uiview/safeareainsets
    open var safeAreaInsets: UIEdgeInsets { get }

    /// https://developer.apple.com/documentation/uikit/uiview/safeareainsetsdidchange()
    open func safeAreaInsetsDidChange()

    /// https://developer.apple.com/documentation/uikit/uiview/safearealayoutguide
    open var safeAreaLayoutGuide: UILayoutGuide { get }

    /// https://developer.apple.com/documentation/uikit/uiview/translatesautoresizingmaskintoconstraints
    open var translatesAutoresizingMaskIntoConstraints: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.property
    open var autoresizingMask: UIView.AutoresizingMask { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/intrinsiccontentsize
    open var intrinsicContentSize: CGSize { get }

    /// https://developer.apple.com/documentation/uikit/uiview/invalidateintrinsiccontentsize()
    open func invalidateIntrinsicContentSize()

    /// https://developer.apple.com/documentation/uikit/uiview/sizethatfits(_:)
    open func sizeThatFits(_ size: CGSize) -> CGSize

    /// https://developer.apple.com/documentation/uikit/uiview/systemlayoutsizefitting(_:withhorizontalfittingpriority:verticalfittingpriority:)
    open func systemLayoutSizeFitting(
        _ targetSize: CGSize,
        withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
        verticalFittingPriority: UILayoutPriority
    ) -> CGSize

    /// https://developer.apple.com/documentation/uikit/uiview/setcontentcompressionresistancepriority(_:for:)
    open func setContentCompressionResistancePriority(
        _ priority: UILayoutPriority,
        for axis: NSLayoutConstraint.Axis
    )

    /// https://developer.apple.com/documentation/uikit/uiview/semanticcontentattribute
    open var semanticContentAttribute: UISemanticContentAttribute { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/effectiveuserinterfacelayoutdirection
    open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection { get }

    /// https://developer.apple.com/documentation/uikit/uiview/leadinganchor
    open var leadingAnchor: NSLayoutXAxisAnchor { get }

    /// https://developer.apple.com/documentation/uikit/uiview/trailinganchor
    open var trailingAnchor: NSLayoutXAxisAnchor { get }

    /// https://developer.apple.com/documentation/uikit/uiview/topanchor
    open var topAnchor: NSLayoutYAxisAnchor { get }

    /// https://developer.apple.com/documentation/uikit/uiview/bottomanchor
    open var bottomAnchor: NSLayoutYAxisAnchor { get }

    /// https://developer.apple.com/documentation/uikit/uiview/widthanchor
    open var widthAnchor: NSLayoutDimension { get }

    /// https://developer.apple.com/documentation/uikit/uiview/heightanchor
    open var heightAnchor: NSLayoutDimension { get }

    /// https://developer.apple.com/documentation/uikit/uiview/centerxanchor
    open var centerXAnchor: NSLayoutXAxisAnchor { get }

    /// https://developer.apple.com/documentation/uikit/uiview/centeryanchor
    open var centerYAnchor: NSLayoutYAxisAnchor { get }

    /// https://developer.apple.com/documentation/uikit/uiview/hittest(_:with:)
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView?

    /// https://developer.apple.com/documentation/uikit/uiview/point(inside:with:)
    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool

    /// https://developer.apple.com/documentation/uikit/uiview
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect

    /// https://developer.apple.com/documentation/uikit/uiview
    open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint

    /// https://developer.apple.com/documentation/uikit/uiview/gesturerecognizers
    open var gestureRecognizers: [UIGestureRecognizer]? { get set }

    /// https://developer.apple.com/documentation/uikit/uiview/addgesturerecognizer(_:)
    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer)

    /// https://developer.apple.com/documentation/uikit/uiview/drawhierarchy(in:afterscreenupdates:)
    @discardableResult
    open func drawHierarchy(in rect: CGRect, afterScreenUpdates afterUpdates: Bool) -> Bool

    /// https://developer.apple.com/documentation/uikit/uiview/animate(withduration:animations:completion:)
    open class func animate(
        withDuration duration: TimeInterval,
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    )

    /// https://developer.apple.com/documentation/uikit/uiview/areanimationsenabled
    open class var areAnimationsEnabled: Bool { get }

    /// https://developer.apple.com/documentation/uikit/uiview/contentmode-swift.enum
    @objc public enum ContentMode: Int, Sendable {
        /// https://developer.apple.com/documentation/uikit/uiview/contentmode-swift.enum/scaletofill
        case scaleToFill

        /// https://developer.apple.com/documentation/uikit/uiview/contentmode-swift.enum/scaleaspectfit
        case scaleAspectFit

        /// https://developer.apple.com/documentation/uikit/uiview/contentmode-swift.enum/scaleaspectfill
        case scaleAspectFill

        /// https://developer.apple.com/documentation/uikit/uiview/contentmode-swift.enum/center
        case center
    }

    /// https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct
    public struct AutoresizingMask: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/swift/optionset/init(rawvalue:)
        public init(rawValue: UInt)

        /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
        public let rawValue: UInt

        /// https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct/flexiblewidth
        public static var flexibleWidth: UIView.AutoresizingMask { get }

        /// https://developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct/flexibleheight
        public static var flexibleHeight: UIView.AutoresizingMask { get }
    }
}

/// https://developer.apple.com/documentation/uikit/uiedgeinsets
public struct UIEdgeInsets: Equatable, Sendable {
    /// https://developer.apple.com/documentation/uikit/uiedgeinsets/init(top:left:bottom:right:)
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat)

    /// https://developer.apple.com/documentation/uikit/uiedgeinsets/top
    public var top: CGFloat { get set }

    /// https://developer.apple.com/documentation/uikit/uiedgeinsets/left
    public var left: CGFloat { get set }

    /// https://developer.apple.com/documentation/uikit/uiedgeinsets/bottom
    public var bottom: CGFloat { get set }

    /// https://developer.apple.com/documentation/uikit/uiedgeinsets/right
    public var right: CGFloat { get set }

    /// https://developer.apple.com/documentation/uikit/uiedgeinsets/zero
    public static let zero: UIEdgeInsets
}

/// https://developer.apple.com/documentation/uikit/uievent
@MainActor open class UIEvent: NSObject {}

/// https://developer.apple.com/documentation/uikit/uitouch
@MainActor open class UITouch: NSObject {
    /// https://developer.apple.com/documentation/uikit/uitouch/view
    open var view: UIView? { get }

    /// https://developer.apple.com/documentation/uikit/uitouch/location(in:)
    open func location(in view: UIView?) -> CGPoint
}
