import AdCore

/// What a measured creative has used.
extension BrowserStage {
    /// How long ago the last change of a creative may be that still changes: changes are reported twice a second.
    private static let changing = Duration.milliseconds(700)

    /// Observes what a measured creative has used so far, and how it moves; does nothing for others.
    package func reportUse(within limit: Duration = .seconds(1)) async {
        let frames = self.machine.measuredFrames
        guard self.machine.plan.isMeasured, !frames.isEmpty else { return }
        let uses = await withTaskGroup(of: FrameUse.self) { group in
            for frame in frames.prefix(20) { group.addTask { await self.use(of: frame, within: limit) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let machine = self.machine
        var motions = machine.motions
        // What a frame has just told is newer.
        for motion in uses.compactMap(\.motion) { motions[motion.frame] = motion }
        let all = Array(motions.values)
        let start = all.compactMap(\.start).min() ?? .zero
        // A change is compared with the first press, after which changes do not count.
        let end = all.compactMap(\.pressed).min() ?? all.map(\.now).max() ?? .zero
        let use = ResourceUse(
            processor: uses.reduce(.zero) { $0 + $1.processor },
            memory: uses.reduce(0) { $0 + $1.memory },
            nodes: all.reduce(0) { $0 + $1.nodes },
            animationEnd: all.compactMap(\.animationEnd).max().map { max(.zero, $0 - start) },
            isEndless: all.contains(where: \.isEndless),
            lastChange: machine.lastChange.map { max(.zero, $0 - start) },
            isChanging: machine.lastChange.map { end - $0 < BrowserStage.changing } ?? false
        )
        self.observe(.use(use))
    }

    /// Whether the creative's scripts answer; true for a creative without any.
    package func answers(within limit: Duration) async -> Bool {
        guard let target = self.machine.creative else { return true }
        return (try? await self.engine.query(.ping(target), within: limit)) != nil
    }

    private func use(of frame: MeasuredFrame, within limit: Duration) async -> FrameUse {
        var use = FrameUse()
        let reply = try? await self.engine.query(.measureUse(frame.target), within: limit)
        if case .use(let processor)? = reply { use.processor = processor }
        let memory = try? await self.engine.query(.measureMemory(frame.target), within: limit)
        if case .memory(let bytes)? = memory { use.memory = bytes }
        let evaluation = EngineEvaluation("yabbiMotion()", .host(frame: frame.id), isSilent: true)
        let motion = try? await self.engine.query(.evaluate(evaluation, in: frame.target), within: limit)
        if case .value(let facts)? = motion { use.motion = FrameMotion(facts) }
        return use
    }
}

/// A frame of a creative that is measured.
package struct MeasuredFrame: Hashable, Sendable {
    let target: EngineTarget
    let id: String
}

/// What one frame of a creative has used.
private struct FrameUse: Sendable {
    var processor = Duration.zero
    var memory = 0
    /// Nil if it does not answer.
    var motion: FrameMotion?
}
