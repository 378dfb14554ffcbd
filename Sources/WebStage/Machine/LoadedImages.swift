/// The images of a creative that may be animated, as far as they are read: the first ones of each type, and none that is
/// large.
package struct LoadedImages: Hashable, Sendable {
    /// An image whose response is complete.
    struct Image: Hashable, Sendable {
        let request: String
        let target: EngineTarget
    }

    /// The types, and how many of each are read: most PNG files stand still.
    private static let limits = ["image/gif": 20, "image/webp": 20, "image/apng": 20, "image/png": 10]
    private static let byteLimit = 4 << 20

    private var loading: [String: Image] = [:]
    private var counts: [String: Int] = [:]
    /// The complete ones.
    private(set) var all: [Image] = []

    mutating func handle(_ event: NetworkEvent, in target: EngineTarget?) {
        switch event {
        case .responded(let id, let response, kind: .image, _):
            guard let target, let type = response.type, let limit = Self.limits[type],
                self.counts[type, default: 0] < limit
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
