import AdCore

/// Decides which moments of a video get a picture: about the middle of each video, and the end card.
///
/// The first frame is often black, and after the end nothing is visible.
struct VideoMoments: Sendable {
    /// A moment for a picture.
    enum Shot: Hashable, Sendable {
        /// In a video with an index, at a position. The length is nil if it is unknown.
        case video(Int, at: Duration, of: Duration?)
        case endCard
    }

    /// The number of videos in a pod that get a picture.
    private static let maxVideos = 4
    /// The share of a video after which its picture is taken.
    ///
    /// It is below one half, because taking it needs time.
    private static let share = 0.4
    /// The position of the picture in a video of unknown length.
    private static let defaultPosition = Duration.seconds(3)

    /// The end cards of the videos.
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

    /// Handles an event of the player.
    ///
    /// Returns the picture to take now.
    mutating func handle(_ event: VideoEvent) -> Shot? {
        switch event {
        case .started(let duration):
            // A repeated start without progress only updates the length.
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
        guard self.index >= 0, self.index < VideoMoments.maxVideos, !self.isTaken, !self.isOver else { return nil }
        let due = self.length.map { $0 * VideoMoments.share } ?? VideoMoments.defaultPosition
        guard self.position >= due else { return nil }
        self.isTaken = true
        return .video(self.index, at: self.position, of: self.length)
    }

    /// Whether the last moment before the close gets a picture.
    ///
    /// It does not if no video started, if the end card has one, or if the last video ended and has one.
    var wantsLast: Bool { self.index >= 0 && !self.hasEndCard && !(self.isOver && self.isTaken) }
}

extension VideoMoments.Shot {
    /// The caption of a picture taken after a delay.
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
