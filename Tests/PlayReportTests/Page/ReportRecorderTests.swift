import AdCore
import ChromiumStage
import PlaySupport
import TestSupport
import Testing

@testable import PlayConsole
@testable import PlayReport

@Suite("What a report is made of")
struct ReportRecorderTests {
    private let ad = ReportScenes.ad

    @Test("what is seen of an ad after its end is its own all the same")
    func late() {
        let book = ReportRecorder()
        book.record(.began, of: self.ad, at: Moment(.milliseconds(100)))
        book.recordVisibility(1, of: self.ad, at: Moment(.milliseconds(210)))
        book.finish(ReportScenes.story())
        let picture = AdScene.Picture(
            caption: "the end",
            at: Moment(.seconds(3)),
            size: Size(width: 1, height: 1),
            bytes: [1]
        )
        book.add(picture, of: self.ad)
        let story = book.stories.first
        #expect(story?.scene.pictures.map(\.caption) == ["the end"] && story?.scene.visibilityChanges.count == 1)
    }

    @Test("what the runtime asks for belongs to the ad that is finished next, and stands among the creative's requests")
    func calls() {
        let book = ReportRecorder()
        book.add(ReportScenes.request("https://a.example/load", at: 20, .failed(""), isCreatives: false))
        book.record(.began, of: self.ad, at: Moment(.milliseconds(100)))
        book.finish(ReportScenes.story())
        book.add(ReportScenes.request("https://a.example/next", at: 4_000, .failed(""), isCreatives: false))
        #expect(book.stories[0].requests.map(\.url) == ["https://a.example/load"])
        book.finish(ReportScenes.story())
        #expect(book.stories[1].requests.map(\.url) == ["https://a.example/next"])
    }

    @Test("a flood is cut")
    func bounds() {
        let book = ReportRecorder()
        for number in 0..<6_000 {
            book.recordVisibility(Double(number % 2), of: self.ad, at: .origin)
            book.add(ReportScenes.request("https://a.example/", at: 0, .failed("")))
        }
        book.finish(ReportScenes.story())
        #expect(book.stories[0].scene.visibilityChanges.count == 2_000 && book.stories[0].requests.count == 5_000)
    }

    @Test("so many pictures of an ad are kept, and what is too much is counted")
    func pictures() {
        let book = ReportRecorder()
        let size = Size(width: 1, height: 1)
        for number in 0..<11 {
            book.add(AdScene.Picture(caption: "\(number)", at: .origin, size: size, bytes: [1]), of: self.ad)
        }
        let other = AdID("2fe9989c0c2c879b")
        let huge = [UInt8](repeating: 0, count: 30 << 20)
        for _ in 0..<2 { book.add(AdScene.Picture(caption: "", at: .origin, size: size, bytes: huge), of: other) }
        book.finish(ReportScenes.story())
        let scene = book.stories[0].scene
        #expect(scene.pictures.count == 8 && scene.omittedPictures == 3)
        #expect(ReportScenes.page(book.stories).contains("3 pictures more were left out"))
    }

    @Test("a folder is made with all that lie above it, and a file is none")
    func folders() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        #expect(FileWriting.makeFolder(folder.path + "/a/b/c/") == nil)
        #expect(FileWriting.makeFolder(folder.path + "/a/b") == nil)
        let file = try #require(folder.write("", "file"))
        #expect(FileWriting.makeFolder(file) == "\(file) is a file")
        #expect(FileWriting.makeFolder(file + "/below")?.contains("can't be made") == true)
        #expect(FileWriting.makeFolder("") != nil)
    }
}
