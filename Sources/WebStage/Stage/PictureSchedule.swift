import AdCore

/// Decides when pictures of a page are made: whenever it changes, or one at a time if they are rare.
///
/// While an engine makes pictures of a page, it captures every frame, also those that become no picture, which slows a
/// busy computer down. Between rare pictures it is stopped, therefore. A page that does not change costs nothing in
/// either case: its first picture equals the last one, and then the engine waits for a change.
struct PictureSchedule: Sendable {
    enum Output: Hashable, Sendable {
        case send(EngineCommand, after: Duration = .zero)
        case show(EnginePicture)
        /// Call `alarm(_:)` with the number later.
        case setAlarm(Int, after: Duration)
    }

    private enum Phase {
        case starting, running, paused, over
    }

    /// From this interval on the engine is stopped between two pictures.
    static let rareInterval = Duration.milliseconds(100)
    /// How long the first picture may take before it is requested again; each further request may take twice as long,
    /// so that a slow computer is not asked anew before it has made one.
    static let patience = Duration.seconds(2)

    private let pictures: EnginePictures
    private let page: EngineTarget
    private var phase = Phase.over
    private var alarm = 0
    private var patience = Self.patience
    /// The picture that was shown last, to skip those that are equal.
    private var last: String?

    init(_ pictures: EnginePictures, of page: EngineTarget) {
        self.pictures = pictures
        self.page = page
    }

    mutating func start() -> [Output] {
        self.phase = .starting
        return [.send(.startPictures(self.pictures, in: self.page)), self.nextAlarm(after: self.patience)]
    }

    /// Handles a picture; the next one is wanted after `interval`.
    mutating func handle(_ picture: EnginePicture, interval: Duration) -> [Output] {
        // A few pictures are sent ahead, and can arrive after the stop.
        guard self.phase == .starting || self.phase == .running else { return [] }
        let isNew = picture.data != self.last
        let isFirst = self.phase == .starting
        self.last = picture.data
        let shown: [Output] = isNew ? [.show(picture)] : []
        if interval >= Self.rareInterval, isNew || !isFirst {
            self.phase = .paused
            return shown + [.send(.stopPictures(self.page)), self.nextAlarm(after: interval)]
        }
        self.phase = .running
        let isWaiting = interval < Self.rareInterval
        return shown + [
            .send(.acknowledgePicture(picture.number, in: self.page), after: isWaiting ? interval : .zero)
        ]
    }

    /// Handles an alarm: a pause is over, or the first picture did not come.
    mutating func alarm(_ number: Int) -> [Output] {
        guard number == self.alarm else { return [] }
        switch self.phase {
        case .paused: return self.start()
        case .starting:
            self.patience *= 2
            return [.send(.stopPictures(self.page))] + self.start()
        case .running, .over: return []
        }
    }

    mutating func stop() -> [Output] {
        guard self.phase != .over else { return [] }
        self.phase = .over
        return [.send(.stopPictures(self.page))]
    }

    private mutating func nextAlarm(after delay: Duration) -> Output {
        self.alarm += 1
        return .setAlarm(self.alarm, after: delay)
    }
}
