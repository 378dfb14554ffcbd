import AdCore
import AdRuntime
import Testing
import YabbiTesting

@Suite("What a stage is told about its ad")
struct StageOptionsTests {
    @Test("a stage is told the close delay that the runtime waits for")
    func closeDelay() async throws {
        for (delay, told) in [(5, 5), (3_600, 600)] {
            let world = World()
            let presenter = RecordingPresenter()
            let ad = try await world.loader.load(.sample(closeDelay: .seconds(delay)))
            try await ad.show(on: presenter)
            #expect(presenter.options?.closeDelay == .seconds(told))
            ad.destroy()
            await world.clock.settle()
        }
    }
}
