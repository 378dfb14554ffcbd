import AdCore

/// The frames of a creative that are targets, with their targets: the cross-site ones in an engine with processes for
/// sites.
struct FrameTable: Hashable, Sendable {
    struct Frame: Hashable, Sendable {
        let id: String
        let target: EngineTarget
    }

    /// The creative's own frame in the host page.
    private(set) var root: Frame?
    private var others: [Frame] = []
    /// The maximum number of nested frames.
    static let limit = 100

    /// The first nested frame.
    var first: Frame? { self.others.first }

    /// The number of refused frames.
    private var refusedCount = 0

    /// The targets of all frames.
    var targets: [EngineTarget] { self.all.map(\.target) }

    /// All frames, the creative's own first.
    var all: [Frame] { [self.root].compactMap { $0 } + self.others }

    /// Refuses a frame, and reports the first one.
    func refusal(of target: EngineTarget) -> [StageOutput] {
        let text = "more than \(FrameTable.limit) nested frames; further ones are not loaded"
        let report = self.refusedCount == 1 ? [StageOutput.report(.blocked(BlockedAttempt(.other, text)))] : []
        return [.send(.refuse(target))] + report
    }

    /// Adds a frame; false if there are too many.
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

    /// The target of a frame; nil for unknown frames.
    func target(of id: String) -> EngineTarget? {
        if self.root?.id == id { return self.root?.target }
        return self.others.first { $0.id == id }?.target
    }
}
