/// https://developer.apple.com/documentation/uikit/nslayoutanchor
@MainActor open class NSLayoutAnchor<AnchorType: AnyObject>: NSObject {
    /// https://developer.apple.com/documentation/uikit/nslayoutanchor/constraint(equalto:)
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint

    /// https://developer.apple.com/documentation/uikit/nslayoutanchor/constraint(equalto:constant:)
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat) -> NSLayoutConstraint

    /// https://developer.apple.com/documentation/uikit/nslayoutanchor/constraint(greaterthanorequalto:)
    open func constraint(greaterThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint

    /// https://developer.apple.com/documentation/uikit/nslayoutanchor/constraint(lessthanorequalto:)
    open func constraint(lessThanOrEqualTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint
}

/// https://developer.apple.com/documentation/uikit/nslayoutxaxisanchor
@MainActor open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

/// https://developer.apple.com/documentation/uikit/nslayoutyaxisanchor
@MainActor open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

/// https://developer.apple.com/documentation/uikit/nslayoutdimension
@MainActor open class NSLayoutDimension: NSLayoutAnchor<NSLayoutDimension> {
    /// https://developer.apple.com/documentation/uikit/nslayoutdimension/constraint(equaltoconstant:)
    open func constraint(equalToConstant c: CGFloat) -> NSLayoutConstraint

    /// https://developer.apple.com/documentation/uikit/nslayoutdimension/constraint(greaterthanorequaltoconstant:)
    open func constraint(greaterThanOrEqualToConstant c: CGFloat) -> NSLayoutConstraint

    /// https://developer.apple.com/documentation/uikit/nslayoutdimension/constraint(equalto:multiplier:)
    open func constraint(equalTo anchor: NSLayoutDimension, multiplier m: CGFloat) -> NSLayoutConstraint
}

/// https://developer.apple.com/documentation/uikit/nslayoutconstraint
@MainActor open class NSLayoutConstraint: NSObject {
    /// https://developer.apple.com/documentation/uikit/nslayoutconstraint/activate(_:)
    open class func activate(_ constraints: [NSLayoutConstraint])

    /// https://developer.apple.com/documentation/uikit/nslayoutconstraint/deactivate(_:)
    open class func deactivate(_ constraints: [NSLayoutConstraint])

    /// https://developer.apple.com/documentation/uikit/nslayoutconstraint/isactive
    open var isActive: Bool { get set }

    /// https://developer.apple.com/documentation/uikit/nslayoutconstraint/constant
    open var constant: CGFloat { get set }

    /// https://developer.apple.com/documentation/uikit/nslayoutconstraint/priority
    open var priority: UILayoutPriority { get set }
}

/// https://developer.apple.com/documentation/uikit/uilayoutpriority
public struct UILayoutPriority: RawRepresentable, Hashable, Sendable {
    /// https://developer.apple.com/documentation/uikit/uilayoutpriority/init(_:)
    public init(_ rawValue: Float)

    /// https://developer.apple.com/documentation/uikit/uilayoutpriority/init(rawvalue:)
    public init(rawValue: Float)

    /// https://developer.apple.com/documentation/swift/rawrepresentable/rawvalue
    public let rawValue: Float

    /// https://developer.apple.com/documentation/uikit/uilayoutpriority/required
    public static let required: UILayoutPriority

    /// https://developer.apple.com/documentation/uikit/uilayoutpriority/defaulthigh
    public static let defaultHigh: UILayoutPriority

    /// https://developer.apple.com/documentation/uikit/uilayoutpriority/defaultlow
    public static let defaultLow: UILayoutPriority

    /// https://developer.apple.com/documentation/uikit/uilayoutpriority/fittingsizelevel
    public static let fittingSizeLevel: UILayoutPriority
}

/// https://developer.apple.com/documentation/uikit/uilayoutguide
@MainActor open class UILayoutGuide: NSObject {
    /// https://developer.apple.com/documentation/uikit/uilayoutguide/layoutframe
    open var layoutFrame: CGRect { get }

    /// https://developer.apple.com/documentation/uikit/uilayoutguide/leadinganchor
    open var leadingAnchor: NSLayoutXAxisAnchor { get }

    /// https://developer.apple.com/documentation/uikit/uilayoutguide/trailinganchor
    open var trailingAnchor: NSLayoutXAxisAnchor { get }

    /// https://developer.apple.com/documentation/uikit/uilayoutguide/topanchor
    open var topAnchor: NSLayoutYAxisAnchor { get }

    /// https://developer.apple.com/documentation/uikit/uilayoutguide/bottomanchor
    open var bottomAnchor: NSLayoutYAxisAnchor { get }

    /// https://developer.apple.com/documentation/uikit/uilayoutguide/widthanchor
    open var widthAnchor: NSLayoutDimension { get }

    /// https://developer.apple.com/documentation/uikit/uilayoutguide/heightanchor
    open var heightAnchor: NSLayoutDimension { get }
}

/// https://developer.apple.com/documentation/uikit/uistackview
@_inheritsConvenienceInitializers @MainActor open class UIStackView: UIView {
    /// https://developer.apple.com/documentation/uikit/uistackview
    public override init(frame: CGRect)

    /// https://developer.apple.com/documentation/uikit/uistackview
    public required init?(coder: NSCoder)

    /// https://developer.apple.com/documentation/uikit/uistackview/init(arrangedsubviews:)
    public convenience init(arrangedSubviews views: [UIView])

    /// https://developer.apple.com/documentation/uikit/uistackview/addarrangedsubview(_:)
    open func addArrangedSubview(_ view: UIView)

    /// https://developer.apple.com/documentation/uikit/uistackview/arrangedsubviews
    open var arrangedSubviews: [UIView] { get }

    /// https://developer.apple.com/documentation/uikit/uistackview/axis
    open var axis: NSLayoutConstraint.Axis { get set }

    /// https://developer.apple.com/documentation/uikit/uistackview/spacing
    open var spacing: CGFloat { get set }

    /// https://developer.apple.com/documentation/uikit/uistackview/alignment-swift.property
    open var alignment: UIStackView.Alignment { get set }

    /// https://developer.apple.com/documentation/uikit/uistackview/alignment-swift.enum
    @objc public enum Alignment: Int, Sendable {
        /// https://developer.apple.com/documentation/uikit/uistackview/alignment-swift.enum/fill
        case fill

        /// https://developer.apple.com/documentation/uikit/uistackview/alignment-swift.enum/leading
        case leading

        /// https://developer.apple.com/documentation/uikit/uistackview/alignment-swift.enum/top
        public static var top: UIStackView.Alignment { get }

        /// https://developer.apple.com/documentation/uikit/uistackview/alignment-swift.enum/center
        case center = 3

        /// https://developer.apple.com/documentation/uikit/uistackview/alignment-swift.enum/trailing
        case trailing
    }
}

extension NSLayoutConstraint {
    /// https://developer.apple.com/documentation/uikit/nslayoutconstraint/axis
    @objc public enum Axis: Int, Sendable {
        /// https://developer.apple.com/documentation/uikit/nslayoutconstraint/axis/horizontal
        case horizontal

        /// https://developer.apple.com/documentation/uikit/nslayoutconstraint/axis/vertical
        case vertical
    }
}
