/// A width and a height in density-independent points, both finite and not negative.
public struct Size: Hashable, Sendable, CustomStringConvertible {
    /// The width.
    public let width: Double
    /// The height.
    public let height: Double

    /// Creates a size; a side that is negative or not finite becomes 0.
    public init(width: Double, height: Double) {
        self.width = width.isFinite ? max(0, width) : 0
        self.height = height.isFinite ? max(0, height) : 0
    }

    /// Width and height, as in `320x50`.
    public var description: String { "\(Size.text(self.width))x\(Size.text(self.height))" }

    private static func text(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return Int64(exactly: rounded).map(String.init) ?? "\(rounded)"
    }
}
