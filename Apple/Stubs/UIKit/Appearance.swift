/// https://developer.apple.com/documentation/uikit/uitraitcollection
open class UITraitCollection: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/uikit/uitraitcollection/current
    open class var current: UITraitCollection { get set }

    /// https://developer.apple.com/documentation/uikit/uitraitcollection/userinterfacestyle
    open var userInterfaceStyle: UIUserInterfaceStyle { get }

    /// https://developer.apple.com/documentation/uikit/uitraitcollection/displayscale
    open var displayScale: CGFloat { get }

    /// https://developer.apple.com/documentation/uikit/uitraitcollection/preferredcontentsizecategory
    open var preferredContentSizeCategory: UIContentSizeCategory { get }

    /// https://developer.apple.com/documentation/uikit/uitraitcollection/layoutdirection
    open var layoutDirection: UITraitEnvironmentLayoutDirection { get }
}

/// https://developer.apple.com/documentation/uikit/uiuserinterfacestyle
@objc public enum UIUserInterfaceStyle: Int, Sendable {
    /// https://developer.apple.com/documentation/uikit/uiuserinterfacestyle/unspecified
    case unspecified

    /// https://developer.apple.com/documentation/uikit/uiuserinterfacestyle/light
    case light

    /// https://developer.apple.com/documentation/uikit/uiuserinterfacestyle/dark
    case dark
}

/// https://developer.apple.com/documentation/uikit/uitraitenvironmentlayoutdirection
@objc public enum UITraitEnvironmentLayoutDirection: Int, Sendable {
    /// https://developer.apple.com/documentation/uikit/uitraitenvironmentlayoutdirection/unspecified
    case unspecified = -1

    /// https://developer.apple.com/documentation/uikit/uitraitenvironmentlayoutdirection/lefttoright
    case leftToRight = 0

    /// https://developer.apple.com/documentation/uikit/uitraitenvironmentlayoutdirection/righttoleft
    case rightToLeft = 1
}

/// https://developer.apple.com/documentation/uikit/uiuserinterfacelayoutdirection
@objc public enum UIUserInterfaceLayoutDirection: Int, Sendable {
    /// https://developer.apple.com/documentation/uikit/uiuserinterfacelayoutdirection/lefttoright
    case leftToRight

    /// https://developer.apple.com/documentation/uikit/uiuserinterfacelayoutdirection/righttoleft
    case rightToLeft
}

/// https://developer.apple.com/documentation/uikit/uisemanticcontentattribute
@objc public enum UISemanticContentAttribute: Int, Sendable {
    /// https://developer.apple.com/documentation/uikit/uisemanticcontentattribute/unspecified
    case unspecified

    /// https://developer.apple.com/documentation/uikit/uisemanticcontentattribute/playback
    case playback

    /// https://developer.apple.com/documentation/uikit/uisemanticcontentattribute/spatial
    case spatial

    /// https://developer.apple.com/documentation/uikit/uisemanticcontentattribute/forcelefttoright
    case forceLeftToRight

    /// https://developer.apple.com/documentation/uikit/uisemanticcontentattribute/forcerighttoleft
    case forceRightToLeft
}

/// https://developer.apple.com/documentation/uikit/uicolor
open class UIColor: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/uikit/uicolor/init(red:green:blue:alpha:)
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat)

    /// https://developer.apple.com/documentation/uikit/uicolor/init(white:alpha:)
    public init(white: CGFloat, alpha: CGFloat)

    /// https://developer.apple.com/documentation/uikit/uicolor/init(dynamicprovider:)
    public init(dynamicProvider: @escaping (UITraitCollection) -> UIColor)

    /// https://developer.apple.com/documentation/uikit/uicolor/resolvedcolor(with:)
    open func resolvedColor(with traitCollection: UITraitCollection) -> UIColor

    /// https://developer.apple.com/documentation/uikit/uicolor/clear
    open class var clear: UIColor { get }

    /// https://developer.apple.com/documentation/uikit/uicolor/black
    open class var black: UIColor { get }

    /// https://developer.apple.com/documentation/uikit/uicolor/white
    open class var white: UIColor { get }

    /// https://developer.apple.com/documentation/uikit/uicolor/label
    open class var label: UIColor { get }

    /// https://developer.apple.com/documentation/uikit/uicolor/secondarylabel
    open class var secondaryLabel: UIColor { get }

    /// https://developer.apple.com/documentation/uikit/uicolor/systembackground
    @available(tvOS, unavailable) open class var systemBackground: UIColor { get }

    /// https://developer.apple.com/documentation/uikit/uicolor/withalphacomponent(_:)
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor

    /// https://developer.apple.com/documentation/uikit/uicolor/cgcolor
    open var cgColor: CGColor { get }
}

/// https://developer.apple.com/documentation/uikit/uiimage
open class UIImage: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/uikit/uiimage/init(data:)
    public init?(data: Data)

    /// https://developer.apple.com/documentation/uikit/uiimage/init(systemname:)
    public convenience init?(systemName name: String)

    /// https://developer.apple.com/documentation/uikit/uiimage/size
    open var size: CGSize { get }

    /// https://developer.apple.com/documentation/uikit/uiimage/scale
    open var scale: CGFloat { get }

    /// https://developer.apple.com/documentation/uikit/uiimage/cgimage
    open var cgImage: CGImage? { get }

    /// https://developer.apple.com/documentation/uikit/uiimage/preparethumbnail(of:completionhandler:)
    open func byPreparingThumbnail(ofSize size: CGSize) async -> UIImage?

    /// https://developer.apple.com/documentation/uikit/uiimage/pngdata()
    public func pngData() -> Data?

    /// https://developer.apple.com/documentation/uikit/uiimage/jpegdata(compressionquality:)
    public func jpegData(compressionQuality: CGFloat) -> Data?
}

/// https://developer.apple.com/documentation/uikit/uifont
open class UIFont: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/uikit/uifont/preferredfont(fortextstyle:)
    open class func preferredFont(forTextStyle style: UIFont.TextStyle) -> UIFont

    /// https://developer.apple.com/documentation/uikit/uifont/systemfont(ofsize:)
    open class func systemFont(ofSize fontSize: CGFloat) -> UIFont

    /// https://developer.apple.com/documentation/uikit/uifont/pointsize
    open var pointSize: CGFloat { get }

    /// https://developer.apple.com/documentation/uikit/uifont/textstyle
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/uikit/uifont/textstyle/init(rawvalue:)
        public init(rawValue: String)

        /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
        public let rawValue: String

        /// https://developer.apple.com/documentation/uikit/uifont/textstyle/headline
        public static let headline: UIFont.TextStyle

        /// https://developer.apple.com/documentation/uikit/uifont/textstyle/body
        public static let body: UIFont.TextStyle

        /// https://developer.apple.com/documentation/uikit/uifont/textstyle/subheadline
        public static let subheadline: UIFont.TextStyle

        /// https://developer.apple.com/documentation/uikit/uifont/textstyle/footnote
        public static let footnote: UIFont.TextStyle

        /// https://developer.apple.com/documentation/uikit/uifont/textstyle/caption1
        public static let caption1: UIFont.TextStyle
    }
}

/// https://developer.apple.com/documentation/uikit/uivisualeffect
@MainActor open class UIVisualEffect: NSObject {
    /// https://developer.apple.com/documentation/uikit/uivisualeffect
    public override init()
}

/// https://developer.apple.com/documentation/uikit/uiglasseffect
@available(iOS 26.0, tvOS 26.0, *)
@MainActor open class UIGlassEffect: UIVisualEffect {
    /// https://developer.apple.com/documentation/uikit/uiglasseffect
    public override init()
}
