import AdCore
import Testing

@testable import WebStage

@Suite("Opening a host page")
struct HostPageTests {
    private let page = EngineTarget(name: "PAGE")
    private let screen = Size(width: 390, height: 844)
    private let address = "https://ad-x-1.yabbi-stage.invalid/"

    private func hostPage(isHeld: Bool) -> HostPage {
        HostPage(.creative(.full), "ad-x-1", in: self.page, frame: "MAIN", isHeld: isHeld)
    }

    private func document(_ url: String, frame: String = "MAIN", isErrorPage: Bool = false) -> EngineDocument {
        EngineDocument(frame: frame, load: "L", url: url, isErrorPage: isErrorPage)
    }

    @Test("a page that is not held answers before it navigates, and its documents are no progress")
    func empty() {
        var hostPage = self.hostPage(isHeld: false)
        #expect(hostPage.open(on: self.screen).last == .query(.ping(self.page), .armed))
        #expect(hostPage.handle(self.document(self.address), in: self.page) == nil)
    }

    @Test("a held page is resumed, and its world is made when it has committed the host page, once")
    func held() {
        var hostPage = self.hostPage(isHeld: true)
        #expect(hostPage.open(on: self.screen).last == .send(.resume(self.page)))
        #expect(hostPage.handle(self.document(self.address, frame: "OTHER"), in: self.page) == nil)
        #expect(hostPage.handle(self.document(self.address), in: EngineTarget(name: "OTHER")) == nil)
        let world = StageOutput.query(.createWorld(frame: "MAIN", in: self.page), .world)
        #expect(hostPage.handle(self.document(self.address), in: self.page) == .next([world]))
        #expect(hostPage.handle(self.document(self.address), in: self.page) == nil)
    }

    @Test("another document than the one for which the page was held is a failure")
    func failed() {
        for document in [self.document("about:blank"), self.document(self.address, isErrorPage: true)] {
            var hostPage = self.hostPage(isHeld: true)
            #expect(hostPage.handle(document, in: self.page) == .failed("the host page did not load"))
        }
    }
}
