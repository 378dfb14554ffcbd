@_exported import CoreGraphics
import Foundation

/// https://developer.apple.com/documentation/quartzcore/calayer
open class CALayer: NSObject {
    /// https://developer.apple.com/documentation/quartzcore/calayer/anchorpoint
    open var anchorPoint: CGPoint { get set }

    /// https://developer.apple.com/documentation/quartzcore/calayer/position
    open var position: CGPoint { get set }

    /// https://developer.apple.com/documentation/quartzcore/calayer/bounds
    open var bounds: CGRect { get set }

    /// https://developer.apple.com/documentation/quartzcore/calayer/opacity
    open var opacity: Float { get set }

    /// https://developer.apple.com/documentation/quartzcore/calayer/ishidden
    open var isHidden: Bool { get set }

    /// https://developer.apple.com/documentation/quartzcore/calayer/cornerradius
    open var cornerRadius: CGFloat { get set }

    /// https://developer.apple.com/documentation/quartzcore/calayer/maskstobounds
    open var masksToBounds: Bool { get set }

    /// https://developer.apple.com/documentation/quartzcore/calayer/borderwidth
    open var borderWidth: CGFloat { get set }

    /// https://developer.apple.com/documentation/quartzcore/calayer/bordercolor
    open var borderColor: CGColor? { get set }
}

/// https://developer.apple.com/documentation/quartzcore/cadisplaylink
open class CADisplayLink: NSObject {
    /// https://developer.apple.com/documentation/quartzcore/cadisplaylink/init(target:selector:)
    public init(target: Any, selector sel: Selector)

    /// https://developer.apple.com/documentation/quartzcore/cadisplaylink/add(to:formode:)
    open func add(to runloop: RunLoop, forMode mode: RunLoop.Mode)

    /// https://developer.apple.com/documentation/quartzcore/cadisplaylink/ispaused
    open var isPaused: Bool { get set }

    /// https://developer.apple.com/documentation/quartzcore/cadisplaylink/preferredframeraterange
    open var preferredFrameRateRange: CAFrameRateRange { get set }

    /// https://developer.apple.com/documentation/quartzcore/cadisplaylink/invalidate()
    open func invalidate()
}

/// https://developer.apple.com/documentation/quartzcore/caframeraterange
public struct CAFrameRateRange: Sendable {
    /// https://developer.apple.com/documentation/quartzcore/caframeraterange/init(minimum:maximum:preferred:)
    public init(minimum: Float, maximum: Float, preferred: Float?)
}
