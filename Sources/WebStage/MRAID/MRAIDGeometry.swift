import AdCore

/// The screen and an ad's own place on it, in the creative's points: where it is drawn smaller than it was made, they are
/// smaller than the screen's.
struct MRAIDGeometry: Hashable, Sendable {
    /// How many of the screen's points one of the creative's takes.
    let scale: Double
    let screen: Size
    /// Where the ad was put.
    let slot: MRAIDRect

    /// How much of the app lies above a banner, in the page around it.
    private static let header = 57.0

    /// Where an ad is put in a room.
    init(_ room: StageRoom, _ layout: StagePlan.Layout) {
        let scale = room.size.scale > 0 ? room.size.scale : 1
        let size = room.size.rendered
        let slot = MRAIDRect(
            x: max(0, (room.screen.width - size.width) / 2),
            y: layout == .inline ? MRAIDGeometry.header : max(0, (room.screen.height - size.height) / 2),
            width: size.width,
            height: size.height
        )
        self.scale = scale
        self.screen = Size(width: room.screen.width / scale, height: room.screen.height / scale)
        self.slot = slot.scaled(by: 1 / scale)
    }

    var whole: MRAIDRect { MRAIDRect(x: 0, y: 0, width: self.screen.width, height: self.screen.height) }
    var orientation: MRAIDOrientation { MRAIDOrientation(of: self.screen) }
}

extension MRAIDGeometry {
    /// The corner of an ad in which our button is, in the screen's points.
    static let region = 50.0

    /// The place of a resized ad, from the corner of its slot; throws why it can't be resized.
    func place(
        _ wanted: MRAIDResizeProperties,
        from slot: MRAIDRect
    ) throws(MRAIDFault) -> MRAIDRect {
        var rect = MRAIDRect(
            x: slot.x + wanted.offsetX,
            y: slot.y + wanted.offsetY,
            width: wanted.width,
            height: wanted.height
        )
        if !wanted.allowsOffscreen {
            guard rect.width <= self.screen.width, rect.height <= self.screen.height else {
                throw MRAIDFault("\(rect.size) is larger than the screen, and allowOffscreen is false")
            }
            rect.x = min(max(rect.x, 0), self.screen.width - rect.width)
            rect.y = min(max(rect.y, 0), self.screen.height - rect.height)
        }
        let side = MRAIDGeometry.region / self.scale
        let corner = MRAIDRect(x: rect.right - side, y: rect.y, width: side, height: side)
        guard self.whole.holds(corner) else {
            throw MRAIDFault("its upper right corner, where the close button is, would not be on the screen")
        }
        return MRAIDRect(x: rect.x - slot.x, y: rect.y - slot.y, width: rect.width, height: rect.height)
    }
}

/// The room for an ad, as the host holds the screen and turned by a quarter.
struct MRAIDRoom: Hashable, Sendable {
    let upright: MRAIDGeometry
    let turned: MRAIDGeometry

    /// The room of a stage.
    init(_ room: StageRoom, _ layout: StagePlan.Layout) {
        self.upright = MRAIDGeometry(room, layout)
        self.turned = MRAIDGeometry(room.turned(layout), layout)
    }

    subscript(orientation: MRAIDOrientation) -> MRAIDGeometry {
        self.upright.orientation == orientation ? self.upright : self.turned
    }
}

extension StageRoom {
    /// The room when the screen is turned by a quarter: what has the screen to itself is laid out anew, and a banner keeps
    /// its size.
    func turned(_ layout: StagePlan.Layout) -> StageRoom {
        let screen = Size(width: self.screen.height, height: self.screen.width)
        let size = layout == .full ? CreativeLayout(self.size.requested, in: .fullScreen(screen)) : self.size
        return StageRoom(screen: screen, size: size)
    }

    /// The room when the screen is held like this; nil for as it is.
    func held(_ orientation: MRAIDOrientation?, _ layout: StagePlan.Layout) -> StageRoom {
        guard let orientation, orientation != MRAIDOrientation(of: self.screen) else { return self }
        return self.turned(layout)
    }
}
