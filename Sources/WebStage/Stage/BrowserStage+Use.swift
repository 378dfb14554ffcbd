import AdCore

/// What a measured creative has used.
extension BrowserStage {
    /// How long ago the last change of a creative may be that still changes: changes are reported twice a second.
    private static let changing = Duration.milliseconds(700)

    /// Observes what a measured creative has used so far, and how it moves; does nothing for others.
    package func reportUse(within limit: Duration = .seconds(1)) async {
        let machine = self.machine
        guard machine.plan.isMeasured, !machine.measuredFrames.isEmpty else { return }
        let use = await withTaskGroup(of: FrameUse.self) { group in
            for frame in machine.measuredFrames.prefix(20) {
                group.addTask { await self.use(of: frame, within: limit) }
            }
            return await group.reduce(into: FrameUse()) { $0.add($1) }
        }
        // The clock of the creative's own document, which is asked first.
        let isChanging = machine.lastChange.map { use.age - $0 < BrowserStage.changing } ?? false
        self.observe(
            .use(
                ResourceUse(
                    processor: use.processor,
                    memory: use.memory,
                    nodes: use.nodes,
                    animationEnd: use.animationEnd,
                    isEndless: use.isEndless,
                    lastChange: machine.lastChange,
                    isChanging: isChanging
                )
            )
        )
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
        if case .value(let facts)? = motion { use.add(motion: facts) }
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
    var nodes = 0
    var animationEnd: Duration?
    var isEndless = false
    /// The time since the start of its document.
    var age = Duration.zero

    mutating func add(_ other: FrameUse) {
        self.processor += other.processor
        self.memory += other.memory
        self.nodes += other.nodes
        self.animationEnd = [self.animationEnd, other.animationEnd].compactMap(\.self).max()
        self.isEndless = self.isEndless || other.isEndless
        self.age = max(self.age, other.age)
    }

    /// Reads what `motion.js` returns.
    mutating func add(motion facts: AdJSON) {
        func time(_ name: String) -> Duration? {
            facts[name]?.number.flatMap { (0...86_400_000).contains($0) ? .seconds($0 / 1000) : nil }
        }
        self.nodes = facts["nodes"]?.number.flatMap { Int(exactly: $0) } ?? 0
        self.animationEnd = time("end")
        self.isEndless = facts["endless"] == true
        self.age = time("now") ?? .zero
    }
}
