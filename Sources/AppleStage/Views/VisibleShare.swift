/// A rectangle in the coordinates of a window, in points.
struct ViewBox: Hashable, Sendable {
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    var area: Double { max(0, self.width) * max(0, self.height) }

    /// The part that both have; of no size if they do not meet.
    func intersection(_ other: ViewBox) -> ViewBox {
        let left = max(self.x, other.x)
        let top = max(self.y, other.y)
        let right = min(self.x + self.width, other.x + other.width)
        let bottom = min(self.y + self.height, other.y + other.height)
        return ViewBox(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
    }
}

/// The share of a view's area that is on screen.
enum VisibleShare {
    /// The share of a box inside all of the boxes that clip it: scroll views, bars' edges, the window.
    ///
    /// It is rounded down to thousandths: scrolling by a fraction of a pixel is no change, and a sliver that rounds up to
    /// a pixel is not seen. A box without area, or with a side that is not a number, is not visible.
    static func of(_ box: ViewBox, clippedBy clips: [ViewBox]) -> Double {
        guard box.area > 0, box.area.isFinite else { return 0 }
        let seen = clips.reduce(box) { $0.intersection($1) }
        let share = seen.area / box.area
        guard share.isFinite else { return 0 }
        // The sum of rounding errors of a box that is not clipped at all must not make it 0.999.
        return min(1, (share * 1_000 + 0.000_001).rounded(.down) / 1_000)
    }
}
