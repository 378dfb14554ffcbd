import AdCore
import SystemSupport
import Testing

@testable import WebStage

@Suite("Pages for several creatives", .timeLimit(.minutes(1)))
struct RenewedPageTests {
    @Test("a creative gets the page of the one before, with a document of its own name")
    func renewed() async throws {
        let harness = PresenterHarness(opensPagesAhead: true, renewsPages: true)
        var names: Set<String> = []
        for _ in 0..<3 {
            let (stage, page) = try await harness.show()
            names.insert(stage.plan.name)
            await stage.close(.host)
            #expect(!page.disposal.isSet)
        }
        #expect(names.count == 3)
        #expect(harness.engines.count == 1 && harness.engines[0].pages.count == 1)
    }

    @Test("creatives at the same time have pages of their own")
    func together() async throws {
        let harness = PresenterHarness(renewsPages: true)
        let (first, second) = (try await harness.load(), try await harness.load())
        #expect(first.page != second.page)
        await first.close(.host)
        let third = try await harness.load()
        #expect(third.page == first.page)
        await second.close(.host)
        await third.close(.host)
    }

    @Test("a page that can't be renewed, or whose creative was ended, is removed")
    func removed() async throws {
        for renewsPages in [false, true] {
            let harness = PresenterHarness(renewsPages: renewsPages)
            let (stage, page) = try await harness.show()
            if renewsPages { page.report(.crashed, in: page.creative) }
            await stage.close(.host)
            await harness.presenter.host.whenIdle()
            #expect(page.disposal.isSet)
            _ = try await harness.load()
            #expect(harness.engines[0].pages.count == 2)
        }
    }

    @Test("without that a page shows one creative only")
    func once() async throws {
        let harness = PresenterHarness()
        let (stage, page) = try await harness.show()
        await stage.close(.host)
        await harness.presenter.host.whenIdle()
        #expect(page.disposal.isSet)
    }
}
