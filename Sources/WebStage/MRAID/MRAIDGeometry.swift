import AdCore

/// The screen and the ad's default position, in the creative's points.
///
/// If a creative is scaled down to fit, its points are smaller than the screen's.
struct MRAIDGeometry: Hashable, Sendable {
    /// How many of the screen's points one point of the creative takes.
    let scale: Double
    let screen: Size
    /// The ad's default position (MRAID 3.0 chapter 6, `getDefaultPosition`).
    let defaultPosition: MRAIDRect

    /// The height of the app's header above a banner in the host page.
    private static let header = 57.0

    /// The default position of an ad.
    init(_ geometry: StageGeometry, _ layout: StagePlan.Layout) {
        let scale = geometry.size.scale > 0 ? geometry.size.scale : 1
        let size = geometry.size.rendered
        let position = MRAIDRect(
            x: max(0, (geometry.screen.width - size.width) / 2),
            y: layout == .inline ? MRAIDGeometry.header : max(0, (geometry.screen.height - size.height) / 2),
            width: size.width,
            height: size.height
        )
        self.scale = scale
        self.screen = Size(width: geometry.screen.width / scale, height: geometry.screen.height / scale)
        self.defaultPosition = position.scaled(by: 1 / scale)
    }

    var whole: MRAIDRect { MRAIDRect(x: 0, y: 0, width: self.screen.width, height: self.screen.height) }
    var orientation: MRAIDOrientation { MRAIDOrientation(of: self.screen) }
}

extension MRAIDGeometry {
    /// The side of the close region in the upper right corner: 50 points of the screen (MRAID 3.0 §5.11, `resize`).
    static let region = 50.0

    /// The position of a resized ad, relative to its default position.
    ///
    /// The close region must stay on screen, also if `allowOffscreen` is true (MRAID 3.0 §5.11, `resize`).
    func place(
        _ wanted: MRAIDResizeProperties,
        from defaultPosition: MRAIDRect
    ) throws(MRAIDError) -> MRAIDRect {
        var rect = MRAIDRect(
            x: defaultPosition.x + wanted.offsetX,
            y: defaultPosition.y + wanted.offsetY,
            width: wanted.width,
            height: wanted.height
        )
        if !wanted.allowsOffscreen {
            guard rect.width <= self.screen.width, rect.height <= self.screen.height else {
                throw MRAIDError("\(rect.size) is larger than the screen, and allowOffscreen is false")
            }
            rect.x = min(max(rect.x, 0), self.screen.width - rect.width)
            rect.y = min(max(rect.y, 0), self.screen.height - rect.height)
        }
        let side = MRAIDGeometry.region / self.scale
        let corner = MRAIDRect(x: rect.right - side, y: rect.y, width: side, height: side)
        guard self.whole.contains(corner) else {
            throw MRAIDError("the close button in its upper right corner would be off-screen")
        }
        return MRAIDRect(
            x: rect.x - defaultPosition.x,
            y: rect.y - defaultPosition.y,
            width: rect.width,
            height: rect.height
        )
    }
}

/// The geometry of an ad in the current and in the other orientation.
struct MRAIDGeometries: Hashable, Sendable {
    let current: MRAIDGeometry
    let rotated: MRAIDGeometry

    init(_ geometry: StageGeometry, _ layout: StagePlan.Layout) {
        self.current = MRAIDGeometry(geometry, layout)
        self.rotated = MRAIDGeometry(geometry.rotated(layout), layout)
    }

    subscript(orientation: MRAIDOrientation) -> MRAIDGeometry {
        self.current.orientation == orientation ? self.current : self.rotated
    }
}

extension StageGeometry {
    /// The geometry after the screen was rotated by 90 degrees: a full-screen creative is laid out again, a banner
    /// keeps its size.
    func rotated(_ layout: StagePlan.Layout) -> StageGeometry {
        self.resized(to: Size(width: self.screen.height, height: self.screen.width), layout)
    }

    /// The geometry on a screen of another size.
    func resized(to screen: Size, _ layout: StagePlan.Layout) -> StageGeometry {
        let size = layout == .full ? CreativeLayout(self.size.requested, in: .fullScreen(screen)) : self.size
        return StageGeometry(screen: screen, size: size)
    }

    /// The geometry in this orientation; nil for the current one.
    func oriented(_ orientation: MRAIDOrientation?, _ layout: StagePlan.Layout) -> StageGeometry {
        guard let orientation, orientation != MRAIDOrientation(of: self.screen) else { return self }
        return self.rotated(layout)
    }
}
