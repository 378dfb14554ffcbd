/// https://developer.apple.com/documentation/uikit/uiaction
@MainActor open class UIAction: UIMenuElement {
    /// https://developer.apple.com/documentation/uikit/uiaction/identifier-swift.struct
    public struct Identifier: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/uikit/uiaction/identifier-swift.struct/init(_:)
        public init(_ rawValue: String)

        /// https://developer.apple.com/documentation/uikit/uiaction/identifier-swift.struct/init(rawvalue:)
        public init(rawValue: String)

        /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
        public let rawValue: String
    }

    /// https://developer.apple.com/documentation/uikit/uiactionhandler
    public typealias Handler = (UIAction) -> Void

    /// https://developer.apple.com/documentation/uikit/uiaction/init(title:subtitle:image:selectedimage:identifier:discoverabilitytitle:attributes:state:handler:)
    public convenience init(
        title: String = "",
        image: UIImage? = nil,
        identifier: UIAction.Identifier? = nil,
        discoverabilityTitle: String? = nil,
        handler: @escaping UIAction.Handler
    )
}

/// https://developer.apple.com/documentation/uikit/uimenuelement
@MainActor open class UIMenuElement: NSObject {}

/// https://developer.apple.com/documentation/uikit/uicontrol
@_inheritsConvenienceInitializers @MainActor open class UIControl: UIView {
    /// https://developer.apple.com/documentation/uikit/uicontrol
    public override init(frame: CGRect)

    /// https://developer.apple.com/documentation/uikit/uicontrol
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/uikit/uicontrol/isenabled
    open var isEnabled: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uicontrol/addaction(_:for:)
    open func addAction(_ action: UIAction, for controlEvents: UIControl.Event)

    /// https://developer.apple.com/documentation/uikit/uicontrol/addtarget(_:action:for:)
    open func addTarget(_ target: Any?, action: Selector, for controlEvents: UIControl.Event)

    /// https://developer.apple.com/documentation/uikit/uicontrol/sendactions(for:)
    open func sendActions(for controlEvents: UIControl.Event)

    /// https://developer.apple.com/documentation/uikit/uicontrol/event
    public struct Event: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/swift/optionset/init(rawvalue:)
        public init(rawValue: UInt)

        /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
        public let rawValue: UInt

        /// https://developer.apple.com/documentation/uikit/uicontrol/event/touchdown
        public static var touchDown: UIControl.Event { get }

        /// https://developer.apple.com/documentation/uikit/uicontrol/event/touchupinside
        public static var touchUpInside: UIControl.Event { get }

        /// https://developer.apple.com/documentation/uikit/uicontrol/event/primaryactiontriggered
        public static var primaryActionTriggered: UIControl.Event { get }

        /// https://developer.apple.com/documentation/uikit/uicontrol/event/valuechanged
        public static var valueChanged: UIControl.Event { get }
    }

    /// https://developer.apple.com/documentation/uikit/uicontrol/state-swift.struct
    public struct State: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/swift/optionset/init(rawvalue:)
        public init(rawValue: UInt)

        /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
        public let rawValue: UInt

        /// https://developer.apple.com/documentation/uikit/uicontrol/state-swift.struct/normal
        public static var normal: UIControl.State { get }

        /// https://developer.apple.com/documentation/uikit/uicontrol/state-swift.struct/disabled
        public static var disabled: UIControl.State { get }
    }
}

/// https://developer.apple.com/documentation/uikit/uibutton
@_inheritsConvenienceInitializers @MainActor open class UIButton: UIControl {
    /// https://developer.apple.com/documentation/uikit/uibutton
    public override init(frame: CGRect)

    /// https://developer.apple.com/documentation/uikit/uibutton
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/uikit/uibutton/init(type:)
    public convenience init(type buttonType: UIButton.ButtonType)

    /// https://developer.apple.com/documentation/uikit/uibutton/init(type:primaryaction:)
    public convenience init(type buttonType: UIButton.ButtonType = .system, primaryAction: UIAction?)

    /// https://developer.apple.com/documentation/uikit/uibutton/init(configuration:primaryaction:)
    public convenience init(configuration: UIButton.Configuration, primaryAction: UIAction?)

    /// https://developer.apple.com/documentation/uikit/uibutton/configuration-swift.property
    open var configuration: UIButton.Configuration? { get set }

    /// https://developer.apple.com/documentation/uikit/uibutton/titlelabel
    open var titleLabel: UILabel? { get }

    /// https://developer.apple.com/documentation/uikit/uibutton/settitle(_:for:)
    open func setTitle(_ title: String?, for state: UIControl.State)

    /// https://developer.apple.com/documentation/uikit/uibutton/setimage(_:for:)
    open func setImage(_ image: UIImage?, for state: UIControl.State)

    /// https://developer.apple.com/documentation/uikit/uibutton/buttontype-swift.enum
    @objc public enum ButtonType: Int, Sendable {
        /// https://developer.apple.com/documentation/uikit/uibutton/buttontype-swift.enum/custom
        case custom = 0

        /// https://developer.apple.com/documentation/uikit/uibutton/buttontype-swift.enum/system
        case system = 1

        /// https://developer.apple.com/documentation/uikit/uibutton/buttontype-swift.enum/close
        @available(tvOS, unavailable) case close = 7
    }

    /// https://developer.apple.com/documentation/uikit/uibutton/configuration-swift.struct
    public struct Configuration {
        /// https://developer.apple.com/documentation/uikit/uibutton/configuration-swift.struct/plain()
        public static func plain() -> UIButton.Configuration

        /// https://developer.apple.com/documentation/uikit/uibutton/configuration-swift.struct/filled()
        public static func filled() -> UIButton.Configuration

        /// https://developer.apple.com/documentation/uikit/uibutton/configuration-swift.struct/title
        public var title: String? { get set }

        /// https://developer.apple.com/documentation/uikit/uibutton/configuration-swift.struct/subtitle
        public var subtitle: String? { get set }

        /// https://developer.apple.com/documentation/uikit/uibutton/configuration-swift.struct/image
        public var image: UIImage? { get set }

        /// https://developer.apple.com/documentation/uikit/uibutton/configuration-swift.struct/baseforegroundcolor
        public var baseForegroundColor: UIColor? { get set }

        /// https://developer.apple.com/documentation/uikit/uibutton/configuration-swift.struct/basebackgroundcolor
        public var baseBackgroundColor: UIColor? { get set }
    }
}

/// https://developer.apple.com/documentation/uikit/uilabel
@_inheritsConvenienceInitializers @MainActor open class UILabel: UIView {
    /// https://developer.apple.com/documentation/uikit/uilabel
    public override init(frame: CGRect)

    /// https://developer.apple.com/documentation/uikit/uilabel
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/uikit/uilabel/text
    open var text: String? { get set }

    /// https://developer.apple.com/documentation/uikit/uilabel/font
    open var font: UIFont! { get set }

    /// https://developer.apple.com/documentation/uikit/uilabel/textcolor
    open var textColor: UIColor! { get set }

    /// https://developer.apple.com/documentation/uikit/uilabel/numberoflines
    open var numberOfLines: Int { get set }

    /// https://developer.apple.com/documentation/uikit/uilabel/textalignment
    open var textAlignment: NSTextAlignment { get set }

    /// https://developer.apple.com/documentation/uikit/uicontentsizecategoryadjusting/adjustsfontforcontentsizecategory
    open var adjustsFontForContentSizeCategory: Bool { get set }
}

/// https://developer.apple.com/documentation/uikit/uiimageview
@_inheritsConvenienceInitializers @MainActor open class UIImageView: UIView {
    /// https://developer.apple.com/documentation/uikit/uiimageview
    public override init(frame: CGRect)

    /// https://developer.apple.com/documentation/uikit/uiimageview
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/uikit/uiimageview/init(image:)
    public init(image: UIImage?)

    /// https://developer.apple.com/documentation/uikit/uiimageview/image
    open var image: UIImage? { get set }
}

/// https://developer.apple.com/documentation/uikit/uiscrollview
@_inheritsConvenienceInitializers @MainActor open class UIScrollView: UIView {
    /// https://developer.apple.com/documentation/uikit/uiscrollview
    public override init(frame: CGRect)

    /// https://developer.apple.com/documentation/uikit/uiscrollview
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/uikit/uiscrollview/contentoffset
    open var contentOffset: CGPoint { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/contentsize
    open var contentSize: CGSize { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/contentinset
    open var contentInset: UIEdgeInsets { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/isscrollenabled
    open var isScrollEnabled: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/bounces
    open var bounces: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/ispagingenabled
    @available(tvOS, unavailable) open var isPagingEnabled: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/showshorizontalscrollindicator
    open var showsHorizontalScrollIndicator: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/delegate
    weak open var delegate: (any UIScrollViewDelegate)?

    /// https://developer.apple.com/documentation/uikit/uiscrollview/setcontentoffset(_:animated:)
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool)

    /// https://developer.apple.com/documentation/uikit/uiscrollview/contentlayoutguide
    open var contentLayoutGuide: UILayoutGuide { get }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/framelayoutguide
    open var frameLayoutGuide: UILayoutGuide { get }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/scrollstotop
    @available(tvOS, unavailable) open var scrollsToTop: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/minimumzoomscale
    open var minimumZoomScale: CGFloat { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/maximumzoomscale
    open var maximumZoomScale: CGFloat { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/contentinsetadjustmentbehavior-swift.property
    open var contentInsetAdjustmentBehavior: UIScrollView.ContentInsetAdjustmentBehavior { get set }

    /// https://developer.apple.com/documentation/uikit/uiscrollview/contentinsetadjustmentbehavior-swift.enum
    @objc public enum ContentInsetAdjustmentBehavior: Int, Sendable {
        /// https://developer.apple.com/documentation/uikit/uiscrollview/contentinsetadjustmentbehavior-swift.enum/automatic
        case automatic

        /// https://developer.apple.com/documentation/uikit/uiscrollview/contentinsetadjustmentbehavior-swift.enum/never
        case never = 2
    }
}

/// https://developer.apple.com/documentation/uikit/uiscrollviewdelegate
@MainActor @objc public protocol UIScrollViewDelegate: NSObjectProtocol {
    /// https://developer.apple.com/documentation/uikit/uiscrollviewdelegate/scrollviewdidscroll(_:)
    @objc optional func scrollViewDidScroll(_ scrollView: UIScrollView)
}

/// https://developer.apple.com/documentation/uikit/uipagecontrol
@_inheritsConvenienceInitializers @MainActor open class UIPageControl: UIControl {
    /// https://developer.apple.com/documentation/uikit/uipagecontrol
    public override init(frame: CGRect)

    /// https://developer.apple.com/documentation/uikit/uipagecontrol
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/uikit/uipagecontrol/numberofpages
    open var numberOfPages: Int { get set }

    /// https://developer.apple.com/documentation/uikit/uipagecontrol/currentpage
    open var currentPage: Int { get set }

    /// https://developer.apple.com/documentation/uikit/uipagecontrol/hidesforsinglepage
    open var hidesForSinglePage: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/uipagecontrol/pageindicatortintcolor
    open var pageIndicatorTintColor: UIColor? { get set }

    /// https://developer.apple.com/documentation/uikit/uipagecontrol/currentpageindicatortintcolor
    open var currentPageIndicatorTintColor: UIColor? { get set }
}

/// https://developer.apple.com/documentation/uikit/nstextalignment
@objc public enum NSTextAlignment: Int, Sendable {
    /// https://developer.apple.com/documentation/uikit/nstextalignment/left
    case left

    /// https://developer.apple.com/documentation/uikit/nstextalignment/center
    case center

    /// https://developer.apple.com/documentation/uikit/nstextalignment/right
    case right

    /// https://developer.apple.com/documentation/uikit/nstextalignment/justified
    case justified

    /// https://developer.apple.com/documentation/uikit/nstextalignment/natural
    case natural
}
