import AdCore

/// How films are played on a stage.
struct PlayerTerms: Hashable, Sendable {
    /// Whether a spot's skip offset counts: of a rewarded ad none does.
    var isSkippable = true
    /// How much faster than by the clock.
    var rate = 1.0
    /// Where the page asks for a film that we hold, its number behind it; nil where the browser fetches films by itself.
    var shelf: String?

    /// How much faster a browser plays at most.
    static let fastest = 16.0

    /// Where the page asks for a film.
    func address(of order: MediaOrder) -> String { self.shelf.map { "\($0)\(order.number)" } ?? order.file.url.text }
}

/// The words above a film.
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

    /// The words at a position of a spot; `place` is which of how many it is, where there are several.
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
