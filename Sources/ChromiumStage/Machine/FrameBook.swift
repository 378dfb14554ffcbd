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
