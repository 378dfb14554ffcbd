package import AdCore

/// A size in whole density-independent pixels, from 1 to 100,000: what a screen can have.
package struct WholeSize: Hashable, Sendable {
    /// The width.
    package let width: Int
    /// The height.
    package let height: Int

    private static let range = 1...100_000

    /// Creates a size; nil when no screen can have it.
    package init?(width: Int, height: Int) {
        guard WholeSize.range.contains(width), WholeSize.range.contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// Creates a size from points, rounded down; nil when it is unknown or no screen can have it.
    package init?(_ size: Size?) {
        guard let size else { return nil }
        self.init(width: Int(min(size.width, 1e6)), height: Int(min(size.height, 1e6)))
    }
}
