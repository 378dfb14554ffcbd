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
            for (number, frame) in frames.prefix(20).enumerated() {
                group.addTask { await self.use(of: frame, isOwn: number == 0, within: limit) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // A frame within may have ended; of a creative that does not answer itself, nothing is known.
        let isKnown = uses.contains { $0.isOwn && $0.processor != nil && $0.memory != nil && $0.motion != nil }
        let machine = self.machine
        var motions = machine.motions
        // What a frame has just told is newer.
        for motion in uses.compactMap(\.motion) { motions[motion.frame] = motion }
        let all = Array(motions.values)
        let animations = await self.imageAnimations(machine.images.all, within: limit)
        let start = all.compactMap(\.start).min() ?? .zero
        // A change is compared with the first press, after which changes do not count.
        let end = all.compactMap(\.pressed).min() ?? all.map(\.now).max() ?? .zero
        let use = ResourceUse(
            processor: isKnown ? uses.compactMap(\.processor).reduce(.zero, +) : nil,
            memory: isKnown ? uses.compactMap(\.memory).reduce(0, +) : nil,
            nodes: isKnown ? all.reduce(0) { $0 + $1.nodes } : nil,
            animationEnd: (all.compactMap(\.animationEnd).map { max(.zero, $0 - start) }
                + animations.compactMap(\.length)).max(),
            isEndless: isKnown
                ? all.contains(where: \.isEndless) || animations.contains { $0.length == nil } : nil,
            lastChange: machine.lastChange.map { max(.zero, $0 - start) },
            isChanging: isKnown ? machine.lastChange.map { end - $0 < BrowserStage.changing } ?? false : nil,
            cookies: await self.cookies(within: limit)
        )
        self.observe(.use(use))
    }

    /// The animations in images; one is read after the other, because they may be large.
    private func imageAnimations(_ images: [LoadedImages.Image], within limit: Duration) async -> [ImageAnimation] {
        let deadline = ContinuousClock.now + limit
        var animations: [ImageAnimation] = []
        for image in images where ContinuousClock.now < deadline {
            let command = EngineCommand.readBody(of: image.request, in: image.target)
            let reply = try? await self.engine.query(command, within: deadline - .now)
            if case .body(let bytes)? = reply, let animation = ImageAnimation(bytes) { animations.append(animation) }
        }
        return animations
    }

    /// The cookies; nil if the engine does not answer.
    private func cookies(within limit: Duration) async -> [String]? {
        guard case .cookies(let names)? = try? await self.engine.query(.readCookies(self.page), within: limit) else {
            return nil
        }
        return names
    }

    /// Whether the creative's scripts answer; true for a creative without any.
    package func answers(within limit: Duration) async -> Bool {
        guard let target = self.machine.creative else { return true }
        return (try? await self.engine.query(.ping(target), within: limit)) != nil
    }

    private func use(of frame: MeasuredFrame, isOwn: Bool, within limit: Duration) async -> FrameUse {
        var use = FrameUse(isOwn: isOwn)
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

/// What one frame of a creative has used; nil if it does not answer.
private struct FrameUse: Sendable {
    /// Whether it is the creative's own frame, and not one within.
    let isOwn: Bool
    var processor: Duration?
    var memory: Int?
    var motion: FrameMotion?
}
