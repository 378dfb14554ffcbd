import AdCore
import AdHTML
import AdMarkup
import LibC
import Testing

@testable import AdLint

@Suite("One pass of the parser for the linter and the player")
struct SharedPassTests {
    private static let ad = """
        <Ad id="1"><InLine><AdSystem>a</AdSystem><AdTitle>x</AdTitle><Impression>https://a.example/i</Impression>
        <Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile type="video/mp4"
        delivery="progressive" width="1" height="1">https://a.example/v.mp4</MediaFile></MediaFiles></Linear></Creative>
        </Creatives></InLine></Ad>
        """

    /// The ads of the shared pass; nil if there are none.
    private func shared(_ text: String, as root: VASTRoot, line: Int = 1) -> [VASTAd]? {
        LintTreeReader.read(Array(text.utf8), from: SourcePlace(line: line, column: 1), as: root).ads
    }

    @Test("the ads are those of the player, with their lines", arguments: [1, 7])
    func vast(line: Int) throws {
        let text = "<VAST version=\"4.0\">\n\(Self.ad)\(Self.ad)<Ad id=\"2\"><Wrapper/></Ad></VAST>"
        let before = String(repeating: "\n", count: line - 1)
        let document = try VASTDocument(parsing: before + text)
        #expect(document.ads.count > 1)
        #expect(self.shared(text, as: .vast, line: line) == document.ads)
    }

    @Test("those of a schedule are the ads of its breaks")
    func vmap() throws {
        let adBreak = """
            <vmap:AdBreak timeOffset="start" breakType="linear"><vmap:AdSource><vmap:VASTAdData>
            <VAST version="4.0">\(Self.ad)</VAST></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
            """
        let text =
            "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(adBreak)\(adBreak)</vmap:VMAP>"
        let schedule = try VMAPDocument(parsing: text)
        #expect(schedule.ads.count == 2)
        #expect(self.shared(text, as: .vmap) == schedule.ads)
    }

    @Test(
        "a document that the player repairs or refuses has none, so that the player's own pass decides",
        arguments: [
            "<VAST>\(ad)", "<VAST><Ad id=1></VAST>", "<vmap:VMAP/>", "<html/>", "<VAST><Error>a&b</Error></VAST>",
        ]
    )
    func others(text: String) { #expect(self.shared(text, as: .vast) == nil) }

    @Test("nothing is read unless it is asked for")
    func notAsked() {
        let text = Array("<VAST version=\"4.0\">\(Self.ad)</VAST>".utf8)
        #expect(LintTreeReader.read(text, from: SourcePlace(line: 1, column: 1)).ads == nil)
    }

    @Test(
        "they are the same in every third-party tag",
        .enabled(if: access(LintFilesTests.corpus, R_OK) == 0, "the folder of third-party files is missing")
    )
    func corpus() throws {
        var count = 0
        for path in LintFilesTests.files(below: LintFilesTests.corpus, "xml") {
            let all = try #require(LintFilesTests.bytes(path), "\(path)")
            let bytes = Array(all.drop(while: \.isWhiteSpace))
            let lines = all.prefix(all.count - bytes.count).count { $0 == 0x0A }
            let read = LintTreeReader.read(bytes, from: SourcePlace(line: lines + 1, column: 1), as: .vast)
            guard let ads = read.ads else { continue }
            #expect(try VASTDocument(parsing: all).ads == ads, "\(path)")
            count += 1
        }
        #expect(count > 100)
    }
}
