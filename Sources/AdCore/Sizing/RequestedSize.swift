/// The size that a provider asks for.
public enum RequestedSize: Hashable, Sendable, CustomStringConvertible {
    /// Fill what there is.
    case adaptive
    /// This size, smaller only where there is less room.
    case fixed(Size)

    /// Reads a width and a height as a provider gave them: one of them missing, 0 or impossible means adaptive.
    public init(width: Double?, height: Double?) {
        guard let width, let height, width.isFinite, height.isFinite, width > 0, height > 0 else {
            self = .adaptive
            return
        }
        self = .fixed(Size(width: width, height: height))
    }

    /// As in `adaptive` or `320x50`.
    public var description: String {
        switch self {
        case .adaptive: "adaptive"
        case .fixed(let size): size.description
        }
    }
}

/// The room that the host gives an ad, in points; an unbounded side is nil.
public struct AdContainer: Hashable, Sendable {
    /// The width, or nil where the ad may choose.
    public let width: Double?
    /// The height, or nil where the ad may choose.
    public let height: Double?
    /// The whole screen.
    public let screen: Size

    /// A container.
    ///
    /// A side that is not positive and finite counts as unbounded.
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

/// How a creative is laid out: what was asked for, what it is laid out at, and by how much that is scaled down.
public struct CreativeLayout: Hashable, Sendable {
    /// What the provider asked for.
    public let requested: RequestedSize
    /// The size at which the creative is laid out.
    public let resolved: Size
    /// The factor by which it is drawn, at most 1.
    public let scale: Double

    /// The size that it takes on screen.
    public var rendered: Size {
        Size(width: self.resolved.width * self.scale, height: self.resolved.height * self.scale)
    }

    /// Decides how a creative is laid out in a container.
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
