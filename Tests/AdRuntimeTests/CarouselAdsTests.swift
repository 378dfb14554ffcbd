import AdCore
import Testing
import YabbiTesting

@testable import AdRuntime

@Suite("Ads in a carousel", .timeLimit(.minutes(5)))
struct CarouselAdsTests {
    @Test("each card that was visible has one view, and a card that was scrolled past has none")
    func views() async throws {
        let world = World()
        var ads: [Ad] = []
        var presenters: [RecordingPresenter] = []
        for _ in 0..<4 {
            let presenter = RecordingPresenter(.manual)
            let ad = try await world.loader.load(.sample(closeDelay: .zero))
            let showing = Task { try await ad.show(on: presenter) }
            while presenter.calls.isEmpty { await Task.yield() }
            presenter.report(.ready)
            presenter.report(.revealed)
            try await showing.value
            ads.append(ad)
            presenters.append(presenter)
        }
        var carousel = CardCarousel(count: ads.count)
        func report(_ changes: [CardCarousel.Change]) {
            for change in changes { presenters[change.card].report(.visible(ratio: change.visible)) }
        }
        report(carousel.appear())
        report(carousel.scroll(to: 1))
        report(carousel.scroll(to: 0))
        report(carousel.scroll(to: 3))
        report(carousel.scrollToNext())
        report(carousel.disappear())
        await world.clock.settle()
        let views = ads.map { ad in
            world.observer.records.count { record in
                if case .view = record.event { record.ad == ad.id } else { false }
            }
        }
        #expect(views == [1, 1, 0, 1])
        for ad in ads { ad.destroy() }
        await world.clock.settle()
    }
}
