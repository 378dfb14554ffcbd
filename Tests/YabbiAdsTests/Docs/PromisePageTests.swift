import TestSupport
import Testing

@Suite("The promise")
struct PromisePageTests {
    @Test("the article and the README have the same promise")
    func promise() throws {
        let readme = try #require(Page("README.md"))
        let article = try #require(Page("Sources/YabbiAds/YabbiAds.docc/BeaconsAndWhatWePromise.md"))
        let promise = try #require(readme.marked("promise"))
        #expect(promise.count > 100)
        #expect(article.differences("promise", from: String(promise)) == [])
    }
}
