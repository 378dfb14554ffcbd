import AdCore
import SystemSupport
import WebStage

/// Creates pages, one of them in advance: its process and host page take half of the time until a creative is shown.
final class PagePool: Sendable {
    private struct Spare {
        let browser: Browser
        /// The kind of its host page; nil without one, so the page suits any creative.
        let kind: HostPageKind?
        let task: Task<PooledPage?, Never>
    }

    private struct State {
        var last: UInt64 = 0
        var spare: Spare?
        /// The kinds of the last two pages; nil for a provider's page.
        var kinds: [HostPageKind?] = []
    }

    /// The time limit for each step of creating a page in advance, because an ad may wait for it already.
    private static let stepLimit = Duration.seconds(2)

    private let screen: Size
    private let hasWindows: Bool
    /// Makes the names unique across processes, because a browser may keep data under a name.
    private let seed = UInt64.random(in: .min ... .max)
    private let state = Locked(State())

    init(_ screen: Size, hasWindows: Bool) {
        self.screen = screen
        self.hasWindows = hasWindows
    }

    /// Returns a page for a creative of this kind (nil for a provider's page), if possible the one created in advance.
    func page(for kind: HostPageKind?, in browser: Browser) async throws(EngineError) -> PooledPage {
        let spare = self.state.withLock { state in
            state.kinds = state.kinds.suffix(1) + [kind]
            defer { state.spare = nil }
            return state.spare
        }
        // A page of another browser has ended with that browser.
        if let spare, spare.browser === browser {
            guard spare.kind == nil || spare.kind == kind else {
                // It is removed in the background.
                Task { await spare.task.value?.page.discard() }
                return try await self.create(in: browser)
            }
            if let place = await spare.task.value {
                if await place.page.isAlive() {
                    // The next page is created while this one's creative loads.
                    self.prepare(in: browser)
                    return place
                }
                place.page.discard()
            }
        }
        return try await self.create(in: browser)
    }

    private func create(in browser: Browser) async throws(EngineError) -> PooledPage {
        try await PooledPage.create(self.name(), in: browser, screen: self.screen, hasWindow: self.hasWindows)
    }

    /// Creates a page in advance if there is none; its host page is of the last two creatives' kind, if that was the
    /// same.
    func prepare(in browser: Browser) {
        // The window of an unused page would be visible.
        guard !self.hasWindows else { return }
        let name = self.name()
        let screen = self.screen
        self.state.withLock { state in
            guard state.spare?.browser !== browser else { return }
            let kind = Set(state.kinds).count == 1 ? state.kinds.first ?? nil : nil
            let task = Task { () -> PooledPage? in
                let limit = PagePool.stepLimit
                guard var place = try? await PooledPage.create(name, in: browser, screen: screen, within: limit) else {
                    return nil
                }
                guard let kind else { return place }
                do throws(EngineError) {
                    try await place.open(kind, on: screen, within: limit)
                    return place
                } catch {
                    place.page.discard()
                    return nil
                }
            }
            state.spare = Spare(browser: browser, kind: kind, task: task)
        }
    }

    /// Forgets the page created in advance, because the browser is closed.
    func removeSpare() { self.state.withLock { $0.spare = nil } }

    /// A unique name.
    private func name() -> String {
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        return "ad-" + String(self.seed, radix: 36) + "-\(number)"
    }
}
