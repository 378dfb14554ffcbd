import AdCore

/// Which moments of a film are worth a picture: about the middle of each, and the end card.
///
/// What is on screen when a film is revealed is often black, and what is there when it is over is nothing.
struct FilmMoments: Sendable {
    /// A moment that a picture is to be taken of.
    enum Shot: Hashable, Sendable {
        /// In a film, by its number from 0, which has played for so long; its length, where that is known.
        case film(Int, at: Duration, of: Duration?)
        case endCard
    }

    /// As many films of a pod have a picture.
    private static let mostFilms = 4
    /// How far a film has come when its picture is ordered: taking it needs a moment, too.
    private static let share = 0.4
    /// The same for a film whose length nobody knows.
    private static let unknown = Duration.seconds(3)

    /// The parts that stand where a film has been.
    private let endCards: Set<VideoPartID>
    private var film = -1
    private var length: Duration?
    private var position = Duration.zero
    private var isTaken = false
    private var hasEndCard = false
    private var isOver = false

    init(_ video: VideoCreative) {
        self.endCards = Set(video.spots.compactMap(\.endCard))
    }

    /// Something happens in the player; the picture to take now.
    mutating func hear(_ event: VideoEvent) -> Shot? {
        switch event {
        case .started(let duration):
            // One that has not moved yet only tells its length.
            if self.film < 0 || self.position > .zero || self.isOver {
                self.film += 1
                (self.position, self.isTaken, self.isOver) = (.zero, false, false)
            }
            self.length = duration
        case .progressed(let position):
            self.position = position
            return self.progress()
        case .completed: self.isOver = true
        case .partShown(let part) where self.endCards.contains(part) && !self.hasEndCard:
            self.hasEndCard = true
            return .endCard
        default: break
        }
        return nil
    }

    private mutating func progress() -> Shot? {
        guard self.film >= 0, self.film < FilmMoments.mostFilms, !self.isTaken, !self.isOver else { return nil }
        let due = self.length.map { $0 * FilmMoments.share } ?? FilmMoments.unknown
        guard self.position >= due else { return nil }
        self.isTaken = true
        return .film(self.film, at: self.position, of: self.length)
    }

    /// Whether what is on screen before it closes is worth a picture: not the empty screen of what never began, nor the
    /// end card once more, nor the empty screen behind a film that has one already.
    var wantsLast: Bool { self.film >= 0 && !self.hasEndCard && !(self.isOver && self.isTaken) }
}

extension FilmMoments.Shot {
    /// What its picture is called, so long after it was ordered.
    func caption(after delay: Duration) -> String {
        switch self {
        case .endCard: return "End card"
        case .film(let number, let position, let length):
            let name = number == 0 ? "Film" : "Film \(number + 1)"
            let at = max(.zero, position + delay)
            guard let length else { return "\(name), about \(FilmMoments.Shot.seconds(at)) s in" }
            return
                "\(name), about \(FilmMoments.Shot.seconds(min(at, length))) s of \(FilmMoments.Shot.seconds(length)) s"
        }
    }

    private static func seconds(_ time: Duration) -> String { String(Int(time.inSeconds.rounded())) }
}
