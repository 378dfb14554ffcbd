import AdCore

/// Something of the host that is drawn over an ad.
struct OMIDCover: Hashable, Sendable {
    let rect: MRAIDRect
    /// The name of the control, or `app` for a view of the app.
    let name: String

    /// Reads `[x, y, width, height, name]`.
    init?(_ json: AdJSON) {
        guard let values = json.array, values.count == 5, let rect = MRAIDRect(.array(Array(values.prefix(4)))) else {
            return nil
        }
        self.init(rect, values[4].string?.excerpt(40) ?? "")
    }

    init(_ rect: MRAIDRect, _ name: String) {
        self.rect = rect
        self.name = name
    }

    /// The part of it in another rectangle; nil for none.
    func clipped(to other: MRAIDRect) -> OMIDCover? {
        self.rect.intersection(other).map { OMIDCover($0, self.name) }
    }

    var json: AdJSON { self.rect.json.adding("obstructionClass", .string(self.name)) }
}

/// Where an ad is on the screen and what covers it, for `impression` and `geometryChange` (OMID API 1.3), in points.
struct OMIDGeometry: Hashable, Sendable {
    /// The size of the screen.
    var viewport: Size
    /// The ad's rectangle.
    var ad: MRAIDRect
    /// Whether the host page has measured it.
    private(set) var isMeasured = false
    /// The part of it within the screen; nil for none.
    var seen: MRAIDRect?
    /// What is drawn over it: the host's buttons.
    var covers: [OMIDCover] = []
    /// The views of the app that are drawn over a part of it.
    private(set) var appViews: [OMIDCover] = []
    /// Whether the ad is not revealed yet.
    var isHidden = true
    /// Whether something of the app covers the whole ad.
    var isCovered = false
    /// Whether the app is in the background.
    var isInBackground = false

    /// The maximum number of covers that are read.
    private static let maxCovers = 20

    init(viewport: Size) {
        self.viewport = viewport
        self.ad = MRAIDRect(x: 0, y: 0, width: 0, height: 0)
    }

    /// Takes over a message of `measure.js`; false if it is not one.
    mutating func update(_ message: AdJSON) -> Bool {
        guard let size = message["viewport"]?.array?.compactMap(\.number), size.count == 2,
            let ad = MRAIDRect(message["ad"])
        else { return false }
        self.viewport = Size(width: size[0], height: size[1])
        self.ad = ad
        self.isMeasured = true
        self.seen = MRAIDRect(message["seen"])
        self.covers = (message["covers"]?.array ?? []).prefix(OMIDGeometry.maxCovers).compactMap(OMIDCover.init)
        return true
    }

    /// The covers where they are over the visible part of the ad.
    private var obstructions: [OMIDCover] {
        guard let seen else { return [] }
        if self.isCovered { return [OMIDCover(seen, "app")] }
        return (self.covers + self.appViews).compactMap { $0.clipped(to: seen) }
    }

    /// Takes over the views of the app.
    mutating func setAppViews(_ views: [AdObstruction]) {
        self.appViews = views.prefix(OMIDGeometry.maxCovers).compactMap { view in
            let sides = [view.x, view.y, view.size.width, view.size.height]
            guard sides.allSatisfy(\.isFinite), view.size.width > 0, view.size.height > 0 else { return nil }
            let rect = MRAIDRect(x: view.x, y: view.y, width: view.size.width, height: view.size.height)
            return OMIDCover(rect, view.name.excerpt(40))
        }
    }

    /// Where views of the app are over a rectangle on the screen, without overlaps.
    func obstructions(of place: MRAIDRect?, on screen: Size) -> [MRAIDRect] {
        let whole = MRAIDRect(x: 0, y: 0, width: screen.width, height: screen.height)
        guard !self.appViews.isEmpty, let seen = place?.intersection(whole) else { return [] }
        return MRAIDRect.disjoint(self.appViews.compactMap { $0.rect.intersection(seen) })
    }

    /// The share of a rectangle's part on the screen that no view of the app covers, from 0 to 1.
    func clearShare(of place: MRAIDRect?, on screen: Size) -> Double {
        let whole = MRAIDRect(x: 0, y: 0, width: screen.width, height: screen.height)
        guard let seen = place?.intersection(whole) else { return 1 }
        let covered = self.obstructions(of: place, on: screen).reduce(0) { $0 + $1.area }
        return min(max(0, 1 - covered / seen.area), 1)
    }

    /// The visible area, in square points.
    private var visibleArea: Double {
        guard let seen, !self.isHidden, !self.isInBackground else { return 0 }
        return max(0, seen.area - MRAIDRect.unionArea(of: self.obstructions.map(\.rect)))
    }

    /// The visible share of the ad, from 0 to 100.
    var percentageInView: Double {
        guard self.ad.area > 0 else { return 0 }
        return min(100, (self.visibleArea / self.ad.area * 10_000).rounded() / 100)
    }

    /// Why it is not visible as a whole.
    var reasons: [String] {
        var reasons: [String] = []
        if self.ad.area == 0 { reasons.append("notFound") }
        if self.isHidden { reasons.append("hidden") }
        if self.isInBackground { reasons.append("backgrounded") }
        if let seen {
            if seen.area < self.ad.area - 0.01 { reasons.append("clipped") }
        } else if self.ad.area > 0 {
            reasons.append("viewport")
        }
        if !self.obstructions.isEmpty { reasons.append("obstructed") }
        return reasons
    }

    /// The members `viewport` and `adView` of an event.
    var members: [AdJSON.Member] {
        let screen = MRAIDRect(x: 0, y: 0, width: self.viewport.width, height: self.viewport.height)
        let onScreen = self.isHidden || self.isInBackground ? nil : self.seen
        let place = onScreen ?? MRAIDRect(x: self.ad.x, y: self.ad.y, width: 0, height: 0)
        let pixels = AdJSON.double(self.visibleArea.rounded())
        let onScreenGeometry = place.json.adding("pixels", pixels)
            .adding("obstructions", .array(self.obstructions.map(\.json))).adding("friendlyObstructions", [])
        return [
            .init("viewport", screen.json),
            .init(
                "adView",
                [
                    "percentageInView": .double(self.percentageInView), "pixelsInView": pixels,
                    "geometry": self.ad.json.adding("pixels", .double(self.ad.area.rounded())),
                    "onScreenGeometry": onScreenGeometry, "reasons": .array(self.reasons.map { .string($0) }),
                    "measuringElement": true, "declaredFriendlyObstructions": 0,
                ]
            ),
        ]
    }
}

extension AdJSON {
    /// The object with a further member.
    fileprivate func adding(_ name: String, _ value: AdJSON) -> AdJSON {
        guard case .object(let members) = self else { return self }
        return .object(members + [Member(name, value)])
    }
}

extension MRAIDRect {
    var area: Double { self.width * self.height }

    /// The common part of two rectangles; nil for none.
    func intersection(_ other: MRAIDRect) -> MRAIDRect? {
        let (left, top) = (max(self.x, other.x), max(self.y, other.y))
        let (right, bottom) = (min(self.right, other.right), min(self.bottom, other.bottom))
        guard right > left, bottom > top else { return nil }
        return MRAIDRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The area that rectangles cover together.
    static func unionArea(of all: [MRAIDRect]) -> Double { self.disjoint(all).reduce(0) { $0 + $1.area } }

    /// Rectangles that cover the same area, and do not overlap.
    static func disjoint(_ all: [MRAIDRect]) -> [MRAIDRect] {
        // Between two neighboring edges of any rectangle the covered columns are the same.
        let edges = Set(all.flatMap { [$0.x, $0.right] }).sorted()
        return zip(edges, edges.dropFirst()).flatMap { left, right -> [MRAIDRect] in
            let columns = all.filter { $0.x <= left && $0.right >= right }.map { ($0.y, $0.bottom) }
                .sorted { $0.0 < $1.0 }
            var merged: [(top: Double, bottom: Double)] = []
            for (top, bottom) in columns {
                if let last = merged.last, top <= last.bottom {
                    merged[merged.count - 1].bottom = max(last.bottom, bottom)
                } else {
                    merged.append((top, bottom))
                }
            }
            return merged.map { MRAIDRect(x: left, y: $0.top, width: right - left, height: $0.bottom - $0.top) }
        }
    }
}
