import AdCore

/// The creative's frames that have a process of their own, or share one with others of it.
struct FrameBook: Hashable, Sendable {
    struct Frame: Hashable, Sendable {
        let id: String
        let session: DevToolsSession
    }

    /// The frame in our page: the creative itself.
    private(set) var root: Frame?
    private var others: [Frame] = []
    /// A creative that makes more frames than this gets no more.
    static let most = 100

    /// The first of those that are not the creative itself.
    var first: Frame? { self.others.first }

    /// How many were refused.
    private var refused = 0

    /// All that have a process of their own.
    var sessions: [DevToolsSession] { ([self.root].compactMap { $0 } + self.others).map(\.session) }

    /// What is told of the one that was refused last: it waits for ever, and costs no more than that.
    var refusal: [StageOutput] {
        let words = "more than \(FrameBook.most) frames of other sites; there are no more"
        return self.refused == 1 ? [.report(.blocked(BlockedAttempt(.other, words)))] : []
    }

    /// Takes a frame in; false where there are too many.
    mutating func add(_ frame: Frame, isRoot: Bool) -> Bool {
        if isRoot {
            self.root = frame
        } else if self.others.count < FrameBook.most {
            self.others.append(frame)
        } else {
            self.refused += 1
            return false
        }
        return true
    }

    mutating func remove(_ session: DevToolsSession) {
        if self.root?.session == session { self.root = nil }
        self.others.removeAll { $0.session == session }
    }

    /// Who speaks for a frame; nil where it is none of the creative's with a process of its own.
    func session(of id: String) -> DevToolsSession? {
        if self.root?.id == id { return self.root?.session }
        return self.others.first { $0.id == id }?.session
    }
}

/// What the user did with the creative, as our script in its frame has seen it: each gesture opens one link.
struct GestureBook: Hashable, Sendable {
    /// How long after a gesture something may still come of it, as browsers have it too.
    static let memory = Duration.seconds(5)

    private var last: Duration?
    private var spentOn: String?

    /// How a link may be opened.
    enum Allowance: Hashable, Sendable {
        /// By a gesture that opened none yet.
        case fresh
        /// It was opened by this gesture already, and only asked for in two ways.
        case again
    }

    /// A gesture: a press begins one, what follows belongs to it.
    mutating func note(_ type: String, at now: Duration) {
        if type == "pointerdown" || type == "keydown" || self.last == nil { self.spentOn = nil }
        self.last = now
    }

    /// How this address may be opened; nil where it may not.
    func allows(_ url: String, at now: Duration) -> Allowance? {
        guard let last, now - last <= GestureBook.memory else { return nil }
        guard let spentOn else { return .fresh }
        return GestureBook.place(spentOn) == GestureBook.place(url) ? .again : nil
    }

    /// An address without what stands behind its page: not every way of opening it tells that.
    private static func place(_ url: String) -> Substring {
        url.prefix { $0 != "#" }
    }

    /// Opens an address, where that is allowed.
    mutating func spend(on url: String, at now: Duration) -> Allowance? {
        let allowance = self.allows(url, at: now)
        if allowance == .fresh { self.spentOn = url }
        return allowance
    }
}
