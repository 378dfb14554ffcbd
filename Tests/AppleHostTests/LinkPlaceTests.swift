import AdCore
import Testing

@testable import AppleHost

@Suite("Where a link is opened on Apple's systems")
struct LinkPlaceTests {
    private func places(_ link: String, _ mode: LinkOpenMode) throws -> [LinkPlace] {
        LinkPlace.places(for: try #require(ClickThroughURL(link)), mode)
    }

    @Test("the system opens whatever is not to be opened over the app")
    func system() throws {
        for link in ["https://shop.example/", "https://apps.apple.com/app/id1", "tel:+4612345"] {
            #expect(try self.places(link, .systemBrowser) == [.system])
        }
    }

    @Test("over the app are Safari and the App Store's page, and Safari gets no other scheme than http's")
    func over() throws {
        #expect(try self.places("https://shop.example/", .inApp) == [.safari])
        let link = try #require(ClickThroughURL("https://apps.apple.com/app/id1"))
        let store = try #require(StoreProduct(link))
        #expect(try self.places("https://apps.apple.com/app/id1", .inApp) == [.store(store), .safari])
        #expect(try self.places("itms-apps://apps.apple.com/app/id1", .inApp) == [.store(store), .system])
        #expect(try self.places("frondolo://shop", .inApp) == [.system])
    }
}
