extension NSObject {
    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/isaccessibilityelement
    @MainActor @objc open var isAccessibilityElement: Bool { get set }

    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilitylabel
    @MainActor @objc open var accessibilityLabel: String? { get set }

    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilityhint
    @MainActor @objc open var accessibilityHint: String? { get set }

    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilityvalue
    @MainActor @objc open var accessibilityValue: String? { get set }

    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilitytraits
    @MainActor public var accessibilityTraits: UIAccessibilityTraits { get set }

    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilityelementshidden
    @MainActor @objc open var accessibilityElementsHidden: Bool { get set }

    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilityviewismodal
    @MainActor @objc open var accessibilityViewIsModal: Bool { get set }

    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilityelements
    @MainActor @objc open var accessibilityElements: [Any]? { get set }

    /// https://developer.apple.com/documentation/objectivec/nsobject-swift.class/accessibilityperformescape()
    @MainActor @objc open func accessibilityPerformEscape() -> Bool
}

extension UIView {
    /// https://developer.apple.com/documentation/uikit/uiaccessibilityidentification/accessibilityidentifier
    @objc open var accessibilityIdentifier: String? { get set }
}

/// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits
public struct UIAccessibilityTraits: OptionSet, Sendable {
    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/init(rawvalue:)
    public init(rawValue: UInt64)

    /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
    public let rawValue: UInt64

    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/button
    public static let button: UIAccessibilityTraits

    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/link
    public static let link: UIAccessibilityTraits

    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/image
    public static let image: UIAccessibilityTraits

    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/header
    public static let header: UIAccessibilityTraits

    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/updatesfrequently
    public static let updatesFrequently: UIAccessibilityTraits

    /// https://developer.apple.com/documentation/uikit/uiaccessibilitytraits/notenabled
    public static let notEnabled: UIAccessibilityTraits
}

/// https://developer.apple.com/documentation/uikit/uiaccessibility
public struct UIAccessibility {
    /// https://developer.apple.com/documentation/uikit/uiaccessibility/isvoiceoverrunning
    @MainActor public static var isVoiceOverRunning: Bool { get }

    /// https://developer.apple.com/documentation/uikit/uiaccessibility/isreducemotionenabled
    @MainActor public static var isReduceMotionEnabled: Bool { get }

    /// https://developer.apple.com/documentation/uikit/uiaccessibility/isreducetransparencyenabled
    @MainActor public static var isReduceTransparencyEnabled: Bool { get }

    /// https://developer.apple.com/documentation/uikit/uiaccessibility/voiceoverstatusdidchangenotification
    nonisolated public static let voiceOverStatusDidChangeNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiaccessibility/reducemotionstatusdidchangenotification
    nonisolated public static let reduceMotionStatusDidChangeNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uiaccessibility/post(notification:argument:)
    @MainActor public static func post(notification: UIAccessibility.Notification, argument: Any?)

    /// https://developer.apple.com/documentation/uikit/uiaccessibility/notification
    public struct Notification: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/swift/rawrepresentable/init(rawvalue:)
        public init(rawValue: UInt32)

        /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
        public let rawValue: UInt32

        /// https://developer.apple.com/documentation/uikit/uiaccessibility/notification/announcement
        public static let announcement: UIAccessibility.Notification

        /// https://developer.apple.com/documentation/uikit/uiaccessibility/notification/screenchanged
        public static let screenChanged: UIAccessibility.Notification

        /// https://developer.apple.com/documentation/uikit/uiaccessibility/notification/layoutchanged
        public static let layoutChanged: UIAccessibility.Notification
    }
}

/// https://developer.apple.com/documentation/uikit/uicontentsizecategory
public struct UIContentSizeCategory: RawRepresentable, Hashable, Sendable {
    /// https://developer.apple.com/documentation/uikit/uicontentsizecategory/init(rawvalue:)
    public init(rawValue: String)

    /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
    public let rawValue: String

    /// https://developer.apple.com/documentation/uikit/uicontentsizecategory/large
    public static let large: UIContentSizeCategory

    /// https://developer.apple.com/documentation/uikit/uicontentsizecategory/accessibilitymedium
    public static let accessibilityMedium: UIContentSizeCategory

    /// https://developer.apple.com/documentation/uikit/uicontentsizecategory/didchangenotification
    public static let didChangeNotification: NSNotification.Name

    /// https://developer.apple.com/documentation/uikit/uicontentsizecategory/isaccessibilitycategory
    public var isAccessibilityCategory: Bool { get }
}
