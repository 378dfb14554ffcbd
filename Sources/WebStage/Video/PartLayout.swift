import AdCore

/// The rectangle of a part, in the screen's points.
struct PartBox: Hashable, Sendable {
    let left: Double
    let top: Double
    /// The layout size, before scaling.
    let size: Size
    /// The scale at which it is drawn, up to 1.
    let scale: Double

    /// The argument of `yabbiPart` and `yabbiPartBox` in `player.js`.
    var json: AdJSON {
        [
            "left": .double(self.left), "top": .double(self.top), "width": .double(self.size.width),
            "height": .double(self.size.height), "scale": .double(self.scale),
        ]
    }
}

/// The layout of a video's parts: icons over the video, an overlay at its lower edge, an end card over the whole
/// screen, companions below the video.
struct PartLayout: Hashable, Sendable {
    /// The role of a part on the screen.
    enum Role: Hashable, Sendable {
        case icon, overlay, endCard, companion
        /// The image in place of a link of an icon that can't be opened.
        case fallback
        /// The script of a verification vendor, which is never shown.
        case verification
        /// An interactive creative over the video.
        case interactive
        /// A program that plays the ad itself.
        case program
    }

    /// The minimum height for companions below the video.
    private static let minCompanionHeight = 32.0
    /// The height of the controls at the lower edge of the screen.
    private static let controls = 74.0
    /// The size of an icon without a declared size.
    private static let icon = Size(width: 20, height: 20)

    let geometry: StageGeometry

    /// The video's rectangle, in the middle of the screen.
    var video: (left: Double, top: Double, size: Size) {
        let size = self.geometry.size.rendered
        let (width, height) = (
            min(size.width, self.geometry.screen.width), min(size.height, self.geometry.screen.height)
        )
        return (
            (self.geometry.screen.width - width) / 2, (self.geometry.screen.height - height) / 2,
            Size(width: width, height: height)
        )
    }

    /// The rectangle of a part; nil if it does not fit.
    func box(_ part: VideoPart, as role: Role) -> PartBox? {
        let video = self.video
        switch role {
        case .icon:
            let size = part.size.flatMap { $0.isEmpty ? nil : $0 } ?? PartLayout.icon
            guard size.width <= video.size.width, size.height <= video.size.height else { return nil }
            return PartBox(
                left: video.left + PartLayout.offset(part.x, size.width, video.size.width),
                top: video.top + PartLayout.offset(part.y, size.height, video.size.height),
                size: size,
                scale: 1
            )
        case .overlay:
            // A nonlinear ad is placed over the content video (VAST 4.3 §3.8); here over the video's rectangle.
            return self.fitted(
                part,
                within: (video.left, video.top, video.size),
                share: 1
            )
        case .endCard:
            let screen = self.geometry.screen
            return self.fitted(part, within: (0, 0, screen), share: 0.5)
        case .fallback:
            // With a margin, next to which the ad is seen.
            let size = Size(width: self.geometry.screen.width * 0.9, height: self.geometry.screen.height * 0.9)
            let (left, top) = (self.geometry.screen.width * 0.05, self.geometry.screen.height * 0.05)
            return PartBox(left: left, top: top, size: size, scale: 1)
        case .interactive, .program: return PartBox(left: video.left, top: video.top, size: video.size, scale: 1)
        case .verification: return PartBox(left: 0, top: 0, size: Size(width: 1, height: 1), scale: 1)
        case .companion:
            let top = video.top + video.size.height
            let height = self.geometry.screen.height - top - PartLayout.controls
            guard height >= PartLayout.minCompanionHeight else { return nil }
            return self.fitted(
                part,
                within: (0, top, Size(width: self.geometry.screen.width, height: height)),
                share: 0
            )
        }
    }

    /// Scales a part down to fit; `share` of the remaining height is above it.
    private func fitted(
        _ part: VideoPart,
        within area: (left: Double, top: Double, size: Size),
        share: Double
    ) -> PartBox? {
        guard !area.size.isEmpty else { return nil }
        let size = part.size.flatMap { $0.isEmpty ? nil : $0 } ?? area.size
        let scale = min(1, area.size.width / size.width, area.size.height / size.height)
        return PartBox(
            left: area.left + (area.size.width - size.width * scale) / 2,
            top: area.top + (area.size.height - size.height * scale) * share,
            size: size,
            scale: scale
        )
    }

    private static func offset(_ place: VideoPart.Place?, _ length: Double, _ available: Double) -> Double {
        switch place {
        case .start, nil: 0
        case .end: available - length
        case .points(let points): min(max(0, Double(points)), available - length)
        }
    }
}

extension PartLayout.Role {
    /// The argument of `yabbiPart` in `player.js`.
    var name: String {
        switch self {
        case .icon, .companion: "part"
        case .overlay, .endCard, .interactive: "front"
        case .fallback: "notice"
        case .program: "program"
        case .verification: "script"
        }
    }
}

extension Size {
    fileprivate var isEmpty: Bool { self.width <= 0 || self.height <= 0 }
}
