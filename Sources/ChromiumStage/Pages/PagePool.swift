import AdCore
import SystemSupport
import WebStage

/// Creates pages, one of them ahead: its process, and our page in it, take half of the time in which a creative is shown.
final class PagePool: Sendable {
    private struct Spare {
        let browser: Browser
        /// What our page in it is for; nil where there is none yet, and it can be used for everything.
        let kind: HostPageKind?
        let making: Task<PooledPage?, Never>
    }

    private struct State {
        var last: UInt64 = 0
        var spare: Spare?
        /// What the last two were for; nil for a page without ours.
        var kinds: [HostPageKind?] = []
    }

    /// How long each step of one that is made ahead may take: an ad may wait for it already.
    private static let stepLimit = Duration.seconds(2)

    private let screen: Size
    private let hasWindows: Bool
    /// Names must not come again in another process: what a browser keeps of one of them is not the other's.
    private let seed = UInt64.random(in: .min ... .max)
    private let state = Locked(State())

    /// Pages for this screen, each in a window of its own where people are to see it.
    init(_ screen: Size, hasWindows: Bool) {
        self.screen = screen
        self.hasWindows = hasWindows
    }

    /// A page for a creative of this kind, the one that was created ahead where there is one; nil for a page without ours.
    func next(for kind: HostPageKind?, in browser: Browser) async throws(EngineFault) -> PooledPage {
        let spare = self.state.withLock { state in
            state.kinds = state.kinds.suffix(1) + [kind]
            defer { state.spare = nil }
            return state.spare
        }
        // A page of a browser that has ended has ended with it.
        if let spare, spare.browser === browser {
            guard spare.kind == nil || spare.kind == kind else {
                // It is removed as soon as it is there; nothing waits for that.
                Task { await spare.making.value?.page.discard() }
                return try await self.make(in: browser)
            }
            if let place = await spare.making.value {
                if await place.page.isAlive() {
                    // While this one's creative is on its way the processors have time for the next.
                    self.prepare(in: browser)
                    return place
                }
                place.page.discard()
            }
        }
        return try await self.make(in: browser)
    }

    private func make(in browser: Browser) async throws(EngineFault) -> PooledPage {
        try await PooledPage.make(self.name(), in: browser, screen: self.screen, hasWindow: self.hasWindows)
    }

    /// Makes a page ahead, where there is none: for what was shown last, unless that differs from what was before it; then
    /// for anything.
    func prepare(in browser: Browser) {
        // A window would be seen.
        guard !self.hasWindows else { return }
        let name = self.name()
        let screen = self.screen
        self.state.withLock { state in
            guard state.spare?.browser !== browser else { return }
            let kind = Set(state.kinds).count == 1 ? state.kinds.first ?? nil : nil
            let making = Task { () -> PooledPage? in
                let limit = PagePool.stepLimit
                guard var place = try? await PooledPage.make(name, in: browser, screen: screen, within: limit) else {
                    return nil
                }
                guard let kind else { return place }
                do throws(EngineFault) {
                    try await place.open(kind, on: screen, within: limit)
                    return place
                } catch {
                    place.page.discard()
                    return nil
                }
            }
            state.spare = Spare(browser: browser, kind: kind, making: making)
        }
    }

    /// The browser is to go.
    func forget() { self.state.withLock { $0.spare = nil } }

    /// A name that none had before.
    private func name() -> String {
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        return "ad-" + String(self.seed, radix: 36) + "-\(number)"
    }
}
