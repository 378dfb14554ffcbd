import AdCore

/// How videos are played on a stage.
package struct PlayerTerms: Hashable, Sendable {
    /// Whether a spot's skip offset counts: of a rewarded ad none does.
    package var isSkippable: Bool
    /// How much faster than by the clock.
    package var rate: Double
    /// The address under which our page requests stored media files, without their number; nil where the engine fetches media
    /// files by itself.
    package var storeAddress: String?

    package init(isSkippable: Bool = true, rate: Double = 1, storeAddress: String? = nil) {
        self.isSkippable = isSkippable
        self.rate = rate
        self.storeAddress = storeAddress
    }

    /// The highest speed at which a browser plays.
    package static let fastest = 16.0

    /// The address of a media file for our page.
    func address(of order: MediaOrder) -> String {
        self.storeAddress.map { "\($0)\(order.number)" } ?? order.file.url.text
    }
}

/// The label over a video.
struct PlayerLabel: Hashable, Sendable {
    /// What the ad is, and how long it takes.
    let time: String
    /// When it can be skipped; empty where it never can, or can already.
    let note: String

    static let none = PlayerLabel(time: "", note: "")

    private init(time: String, note: String) {
        self.time = time
        self.note = note
    }

    /// The label at a position of a spot; `place` is its number and their count, where there are several.
    init(at position: Duration, of length: Duration?, skipAt: Duration?, place: (number: Int, count: Int)?) {
        let name = place.map { "Ad \($0.number) of \($0.count)" } ?? "Ad"
        let left = length.map { PlayerLabel.seconds($0 - position) }
        self.time = left.map { "\(name) \u{B7} \($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60)" } ?? name
        let wait = skipAt.map { PlayerLabel.seconds($0 - position) } ?? 0
        self.note = wait > 0 ? "Skip in \(wait)" : ""
    }

    /// Whole seconds, begun ones counted.
    private static func seconds(_ time: Duration) -> Int64 { max(0, (time.wholeMilliseconds + 999) / 1000) }
}
