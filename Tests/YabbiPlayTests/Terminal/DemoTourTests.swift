import PlaySupport
import SandboxSSP
import Testing

@testable import YabbiPlay

@Suite("Steps of the demo")
struct DemoTourTests {
    @Test("the demo announces the expected number of steps")
    func steps() async throws {
        let (_, console) = await play("demo")
        let creatives = try CreativesFolder.catalogue(nil).creatives.filter {
            $0.tags.isDisjoint(with: [.fault, .interactive])
        }
        // The report line follows an empty line, too.
        let announced = console.out.filter { $0.hasPrefix("\n") && !$0.contains("report") }
        #expect(announced.count == DemoTour.steps(creatives: creatives.count))
    }
}
