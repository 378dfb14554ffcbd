import AdCore

/// The parts of an ad's view that the app's views cut off, as a list that is scrolled does.
///
/// The ad's page measures what is visible in its own viewport, which is the whole view. What the app hides of that view
/// is taken off as if views of the app were drawn over it.
enum HiddenParts {
    /// A rectangle in the coordinates of the ad's view.
    struct Box: Hashable, Sendable {
        var left: Double
        var top: Double
        var right: Double
        var bottom: Double

        /// The common part with another one; without any it has no size.
        func cut(by other: Box) -> Box {
            let (left, top) = (max(self.left, other.left), max(self.top, other.top))
            return Box(
                left: left,
                top: top,
                right: max(left, min(self.right, other.right)),
                bottom: max(top, min(self.bottom, other.bottom))
            )
        }
    }

    /// The name that scripts that measure get.
    static let name = "scrolled content"

    /// What is hidden of a view of this size if only the visible box of it is on screen.
    static func obstructions(of size: Size, visible: Box) -> [AdObstruction] {
        let whole = Box(left: 0, top: 0, right: size.width, bottom: size.height)
        let seen = visible.cut(by: whole)
        guard seen.right > seen.left, seen.bottom > seen.top else { return [self.obstruction(whole)].compactMap { $0 } }
        let boxes = [
            Box(left: 0, top: 0, right: whole.right, bottom: seen.top),
            Box(left: 0, top: seen.bottom, right: whole.right, bottom: whole.bottom),
            Box(left: 0, top: seen.top, right: seen.left, bottom: seen.bottom),
            Box(left: seen.right, top: seen.top, right: whole.right, bottom: seen.bottom),
        ]
        return boxes.compactMap { self.obstruction($0) }
    }

    private static func obstruction(_ box: Box) -> AdObstruction? {
        let size = Size(width: box.right - box.left, height: box.bottom - box.top)
        guard size.width > 0, size.height > 0 else { return nil }
        return AdObstruction(x: box.left, y: box.top, size: size, name: self.name)
    }
}
