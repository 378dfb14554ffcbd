/// The images of a creative that may be animated, as far as they are read: the first ones of each type, and none that is
/// large.
package struct LoadedImages: Hashable, Sendable {
    /// An image whose response is complete.
    struct Image: Hashable, Sendable {
        let request: String
        let target: EngineTarget
    }

    /// The types, and how many of each are read: most PNG files stand still.
    private static let limits = ["image/gif": 20, "image/webp": 20, "image/apng": 20, "image/png": 10, Self.other: 10]
    /// Any other type: browsers show an image by its first bytes, whatever its server calls it (MIME Sniffing Standard,
    /// "Matching an image type pattern").
    private static let other = ""
    /// Types of which none is animated, or none that `ImageAnimation` reads.
    private static let still: Set = ["image/jpeg", "image/svg+xml", "image/avif", "image/x-icon"]
    private static let byteLimit = 4 << 20

    private var loading: [String: Image] = [:]
    private var counts: [String: Int] = [:]
    /// The complete ones.
    private(set) var all: [Image] = []

    mutating func handle(_ event: NetworkEvent, in target: EngineTarget?) {
        switch event {
        case .responded(let id, let response, kind: .image, _):
            let named = response.type ?? Self.other
            let type = Self.limits[named] == nil ? Self.other : named
            guard let target, !Self.still.contains(named), self.counts[type, default: 0] < Self.limits[type] ?? 0
            else { return }
            self.counts[type, default: 0] += 1
            self.loading[id] = Image(request: id, target: target)
        case .finished(let id, let bytes):
            guard let image = self.loading.removeValue(forKey: id), bytes <= Self.byteLimit else { return }
            self.all.append(image)
        case .failed(let id, _, _): self.loading[id] = nil
        default: break
        }
    }
}
