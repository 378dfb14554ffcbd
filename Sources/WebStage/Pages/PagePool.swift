package import AdCore
import SystemSupport

/// Makes pages, one of them in advance: its process and host page take half of the time until a creative is shown.
package final class PagePool<Engine: BrowserEngine>: Sendable {
    private struct Spare {
        let engine: Engine
        /// The kind of its host page; nil without one, so the page suits any creative.
        let kind: HostPageKind?
        let task: Task<PooledPage<Engine.Page>?, Never>

        /// Disposes of the page in the background.
        func dispose() {
            let task = self.task
            Task { await task.value?.page.dispose() }
        }
    }

    private struct Renewed {
        let engine: Engine
        let kind: HostPageKind
        let place: PooledPage<Engine.Page>
    }

    private struct State {
        var last: UInt64 = 0
        var spare: Spare?
        /// Pages of earlier creatives, with their host pages.
        var renewed: [Renewed] = []
        /// The kinds of the last two pages; nil for a provider's page.
        var kinds: [HostPageKind?] = []
    }

    /// The time limit for each step of making a page in advance, because an ad may wait for it already.
    private static var stepLimit: Duration { .seconds(2) }

    private let screen: Size
    /// Whether pages are used for several creatives, one after the other.
    private let renewsPages: Bool
    /// Makes the names unique across processes, because an engine may keep data under a name.
    private let seed = UInt64.random(in: .min ... .max)
    private let state = Locked(State())

    package init(_ screen: Size, renewsPages: Bool = false) {
        self.screen = screen
        self.renewsPages = renewsPages
    }

    /// How many creatives a page is used for at most: what they leave behind in its processes stays bounded.
    private static var maxUses: Int { 100 }

    /// Takes back the page of a creative that has ended: for another one of this kind if that is possible, or else it is
    /// removed.
    func takeBack(_ place: PooledPage<Engine.Page>, _ kind: HostPageKind?, isIntact: Bool, in engine: Engine) async {
        let isUsed = self.renewsPages && isIntact && place.uses < PagePool.maxUses && !engine.hasEnded
        guard isUsed, let kind, await place.page.renew() else { return await place.page.dispose() }
        var next = PooledPage(self.name(), place.page, uses: place.uses + 1)
        do throws(EngineError) {
            try await next.open(kind, on: self.screen, within: PagePool.stepLimit)
        } catch {
            return await place.page.dispose()
        }
        let renewed = Renewed(engine: engine, kind: kind, place: next)
        self.state.withLock { $0.renewed.append(renewed) }
    }

    /// A page of an earlier creative of this kind; those of an engine that has ended are forgotten.
    private func takeRenewed(for kind: HostPageKind?, in engine: Engine) -> PooledPage<Engine.Page>? {
        self.state.withLock { state in
            state.renewed.removeAll { $0.engine !== engine }
            let index = state.renewed.firstIndex { $0.kind == kind }
            return index.map { state.renewed.remove(at: $0).place }
        }
    }

    /// Returns a page for a creative of this kind (nil for a provider's page), if possible the one made in advance.
    package func page(for kind: HostPageKind?, in engine: Engine) async throws(EngineError) -> PooledPage<Engine.Page> {
        if let place = self.takeRenewed(for: kind, in: engine), await place.isAlive() { return place }
        let spare = self.state.withLock { state in
            state.kinds = state.kinds.suffix(1) + [kind]
            defer { state.spare = nil }
            return state.spare
        }
        guard let spare else { return try await self.create(kind, in: engine) }
        // A page of an engine that has ended suits no creative.
        guard spare.engine === engine, spare.kind == nil || spare.kind == kind else {
            spare.dispose()
            return try await self.create(kind, in: engine)
        }
        guard let place = await spare.task.value else { return try await self.create(kind, in: engine) }
        // A page that was made in advance may have crashed.
        guard await place.isAlive() else {
            spare.dispose()
            return try await self.create(kind, in: engine)
        }
        // The next page is made while this one's creative loads.
        self.prepare(in: engine)
        return place
    }

    private func create(
        _ kind: HostPageKind?,
        in engine: Engine
    ) async throws(EngineError) -> PooledPage<Engine.Page> {
        let name = self.name()
        let address = kind.map { _ in HostPage.address(name) }
        return PooledPage(name, try await engine.makePage(at: address, on: self.screen, within: EngineTime.limit))
    }

    /// Makes a page in advance if there is none; its host page is of the last two creatives' kind, if that was the same.
    package func prepare(in engine: Engine) {
        guard engine.opensPagesAhead, !self.renewsPages else { return }
        let name = self.name()
        let screen = self.screen
        let replaced = self.state.withLock { state -> Spare? in
            guard state.spare?.engine !== engine else { return nil }
            let kind = Set(state.kinds).count == 1 ? state.kinds.first ?? nil : nil
            let task = Task { () -> PooledPage<Engine.Page>? in
                await PagePool.open(name, kind, in: engine, on: screen)
            }
            defer { state.spare = Spare(engine: engine, kind: kind, task: task) }
            return state.spare
        }
        replaced?.dispose()
    }

    /// Makes a page with a host page in it; nil if that fails.
    private static func open(
        _ name: String,
        _ kind: HostPageKind?,
        in engine: Engine,
        on screen: Size
    ) async -> PooledPage<Engine.Page>? {
        let address = kind.map { _ in HostPage.address(name) }
        guard let page = try? await engine.makePage(at: address, on: screen, within: self.stepLimit) else { return nil }
        var place = PooledPage(name, page)
        guard let kind else { return place }
        do throws(EngineError) {
            try await place.open(kind, on: screen, within: self.stepLimit)
            return place
        } catch {
            // An ad may wait for this task.
            Task { await page.dispose() }
            return nil
        }
    }

    /// Disposes of the page made in advance, because the presenter is closed.
    package func removeSpare() {
        let spare = self.state.withLock { state in
            defer { state.spare = nil }
            return state.spare
        }
        spare?.dispose()
    }

    /// A unique name.
    private func name() -> String {
        let number = self.state.withLock { state in
            state.last += 1
            return state.last
        }
        return "ad-" + String(self.seed, radix: 36) + "-\(number)"
    }
}
