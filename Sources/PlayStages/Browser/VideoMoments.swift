import AdCore

/// Which moments of a video are worth a picture: about the middle of each, and the end card.
///
/// What is on screen when a video is revealed is often black, and what is there when it is over is nothing.
struct VideoMoments: Sendable {
    /// A moment that a picture is to be taken of.
    enum Shot: Hashable, Sendable {
        /// In a video, by its number from 0, which has played for so long; its length, where that is known.
        case video(Int, at: Duration, of: Duration?)
        case endCard
    }

    /// As many videos of a pod have a picture.
    private static let mostVideos = 4
    /// How far a video has come when its picture is ordered: taking it needs a moment, too.
    private static let share = 0.4
    /// The same for a video of unknown length.
    private static let unknown = Duration.seconds(3)

    /// The parts that stand where a video has been.
    private let endCards: Set<VideoPartID>
    private var index = -1
    private var length: Duration?
    private var position = Duration.zero
    private var isTaken = false
    private var hasEndCard = false
    private var isOver = false

    init(_ video: VideoCreative) {
        self.endCards = Set(video.spots.compactMap(\.endCard))
    }

    /// Something happens in the player; the picture to take now.
    mutating func handle(_ event: VideoEvent) -> Shot? {
        switch event {
        case .started(let duration):
            // One that has not moved yet only tells its length.
            if self.index < 0 || self.position > .zero || self.isOver {
                self.index += 1
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
        guard self.index >= 0, self.index < VideoMoments.mostVideos, !self.isTaken, !self.isOver else { return nil }
        let due = self.length.map { $0 * VideoMoments.share } ?? VideoMoments.unknown
        guard self.position >= due else { return nil }
        self.isTaken = true
        return .video(self.index, at: self.position, of: self.length)
    }

    /// Whether what is on screen before it closes is worth a picture: not the empty screen of what never began, nor the
    /// end card once more, nor the empty screen behind a video that has one already.
    var wantsLast: Bool { self.index >= 0 && !self.hasEndCard && !(self.isOver && self.isTaken) }
}

extension VideoMoments.Shot {
    /// What its picture is called, so long after it was ordered.
    func caption(after delay: Duration) -> String {
        switch self {
        case .endCard: return "End card"
        case .video(let number, let position, let length):
            let name = number == 0 ? "Video" : "Video \(number + 1)"
            let at = max(.zero, position + delay)
            guard let length else { return "\(name), about \(VideoMoments.Shot.seconds(at)) s in" }
            return
                "\(name), about \(VideoMoments.Shot.seconds(min(at, length))) s of \(VideoMoments.Shot.seconds(length)) s"
        }
    }

    private static func seconds(_ time: Duration) -> String { String(Int(time.inSeconds.rounded())) }
}
