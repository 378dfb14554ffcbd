import AdCore
import PlaySupport
import TestSupport
import Testing
import WebStage

@testable import PlayConsole
@testable import PlayReport

@Suite("The recording of a report")
struct ReportRecorderTests {
    private let ad = ReportScenes.ad

    @Test("a screenshot that arrives after the end of an ad belongs to the ad")
    func late() {
        let recorder = ReportRecorder()
        recorder.start(self.ad, after: .milliseconds(100))
        recorder.recordVisibility(1, of: self.ad, at: Moment(.milliseconds(210)))
        recorder.finish(ReportScenes.reportedAd())
        let picture = StageCapture.Picture(
            caption: "At the end",
            at: Moment(.seconds(3)),
            size: Size(width: 1, height: 1),
            bytes: [1]
        )
        recorder.add(picture, of: self.ad)
        let ad = recorder.ads.first
        #expect(ad?.scene.pictures.map(\.caption) == ["At the end"] && ad?.scene.visibilityChanges.count == 1)
    }

    @Test("requests of the runtime belong to the ad that is finished next")
    func requests() {
        let recorder = ReportRecorder()
        recorder.add(ReportScenes.request("https://a.example/load", at: 20, .failed(.other("")), isCreatives: false))
        recorder.start(self.ad, after: .milliseconds(100))
        recorder.finish(ReportScenes.reportedAd())
        recorder.add(ReportScenes.request("https://a.example/next", at: 4_000, .failed(.other("")), isCreatives: false))
        #expect(recorder.ads[0].requests.map(\.url) == ["https://a.example/load"])
        recorder.finish(ReportScenes.reportedAd())
        #expect(recorder.ads[1].requests.map(\.url) == ["https://a.example/next"])
    }

    @Test("visibility changes and requests are limited")
    func limits() {
        let recorder = ReportRecorder()
        for number in 0..<6_000 {
            recorder.recordVisibility(Double(number % 2), of: self.ad, at: .origin)
            recorder.add(ReportScenes.request("https://a.example/", at: 0, .failed(.other(""))))
        }
        recorder.finish(ReportScenes.reportedAd())
        #expect(
            recorder.ads[0].scene.visibilityChanges.count == 2_000 && recorder.ads[0].requests.count == 5_000
        )
    }

    @Test("screenshots are limited per ad and in total, and omitted ones are counted")
    func screenshots() {
        let recorder = ReportRecorder()
        let size = Size(width: 1, height: 1)
        for number in 0..<11 {
            recorder.add(StageCapture.Picture(caption: "\(number)", at: .origin, size: size, bytes: [1]), of: self.ad)
        }
        let other = AdID("2fe9989c0c2c879b")
        let huge = [UInt8](repeating: 0, count: 30 << 20)
        for _ in 0..<2 {
            recorder.add(StageCapture.Picture(caption: "", at: .origin, size: size, bytes: huge), of: other)
        }
        recorder.finish(ReportScenes.reportedAd())
        let scene = recorder.ads[0].scene
        #expect(scene.pictures.count == 8 && scene.omittedPictures == 3)
        #expect(ReportScenes.page(recorder.ads).contains("3 more screenshots omitted"))
    }

    @Test("a folder is created with its parent folders; a file in the path is an error")
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
