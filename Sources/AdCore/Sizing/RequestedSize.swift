/// The size that a provider requests.
public enum RequestedSize: Hashable, Sendable, CustomStringConvertible {
    /// The size of the container.
    case adaptive
    /// This size, scaled down if the container is smaller.
    case fixed(Size)

    /// Creates a size from a provider's width and height; it is adaptive if one is missing, not positive or not finite.
    public init(width: Double?, height: Double?) {
        guard let width, let height, width.isFinite, height.isFinite, width > 0, height > 0 else {
            self = .adaptive
            return
        }
        self = .fixed(Size(width: width, height: height))
    }

    /// The size as text: `adaptive` or as in `320x50`.
    public var description: String {
        switch self {
        case .adaptive: "adaptive"
        case .fixed(let size): size.description
        }
    }
}

/// The space that the host gives an ad, in points.
public struct AdContainer: Hashable, Sendable {
    /// The width; nil if unbounded.
    public let width: Double?
    /// The height; nil if unbounded.
    public let height: Double?
    /// The size of the screen.
    public let screen: Size

    /// Creates a container; a side that is not positive and finite is unbounded.
    public init(width: Double? = nil, height: Double? = nil, screen: Size) {
        self.width = width.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        self.height = height.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        self.screen = screen
    }

    /// The whole screen as a container.
    public static func fullScreen(_ screen: Size) -> AdContainer {
        AdContainer(width: screen.width, height: screen.height, screen: screen)
    }
}

/// The layout of a creative in its container.
public struct CreativeLayout: Hashable, Sendable {
    /// The size that the provider requests.
    public let requested: RequestedSize
    /// The layout size of the creative.
    public let resolved: Size
    /// The factor by which it is scaled, at most 1.
    public let scale: Double

    /// The size on screen.
    public var rendered: Size {
        Size(width: self.resolved.width * self.scale, height: self.resolved.height * self.scale)
    }

    /// Lays out a creative in a container.
    ///
    /// - Adaptive fills the container. An unbounded height becomes 15 % of the screen's, at least 50 and at most 90
    ///   points; an unbounded width becomes the screen's.
    /// - A fixed size larger than the container is scaled down in both directions alike, and never up.
    public init(_ requested: RequestedSize, in container: AdContainer) {
        self.requested = requested
        let width = container.width ?? container.screen.width
        switch requested {
        case .adaptive:
            let height = container.height ?? max(50, min(0.15 * container.screen.height, 90))
            self.resolved = Size(width: width, height: height)
            self.scale = 1
        case .fixed(let size):
            let height = container.height ?? max(container.screen.height, 50)
            self.resolved = size
            self.scale = min(1, width / size.width, height / size.height)
        }
    }
}
