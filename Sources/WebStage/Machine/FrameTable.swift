import AdCore

/// The frames of a creative that have a target of their own, or share one with others.
struct FrameTable: Hashable, Sendable {
    struct Frame: Hashable, Sendable {
        let id: String
        let target: EngineTarget
    }

    /// The creative's own frame, in our page.
    private(set) var root: Frame?
    private var others: [Frame] = []
    /// A creative that creates more frames than this gets no more.
    static let limit = 100

    /// The first of those that are not the creative itself.
    var first: Frame? { self.others.first }

    /// How many were refused.
    private var refusedCount = 0

    /// All targets.
    var targets: [EngineTarget] { ([self.root].compactMap { $0 } + self.others).map(\.target) }

    /// What is reported of the frame that was refused last: it stays held for ever, and costs no more than that.
    var refusal: [StageOutput] {
        let text = "more than \(FrameTable.limit) frames of other sites; there are no more"
        return self.refusedCount == 1 ? [.report(.blocked(BlockedAttempt(.other, text)))] : []
    }

    /// Adds a frame; false where there are too many.
    mutating func add(_ frame: Frame, isRoot: Bool) -> Bool {
        if isRoot {
            self.root = frame
        } else if self.others.count < FrameTable.limit {
            self.others.append(frame)
        } else {
            self.refusedCount += 1
            return false
        }
        return true
    }

    mutating func remove(_ target: EngineTarget) {
        if self.root?.target == target { self.root = nil }
        self.others.removeAll { $0.target == target }
    }

    /// The target of a frame; nil where the frame is none of these.
    func target(of id: String) -> EngineTarget? {
        if self.root?.id == id { return self.root?.target }
        return self.others.first { $0.id == id }?.target
    }
}
