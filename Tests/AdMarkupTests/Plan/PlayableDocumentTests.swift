import AdCore
import LibC
import Testing

@testable import AdLint
@testable import AdMarkup

/// Third-party VAST files, if they are next to the project; they are not part of it.
private let corpus: String = {
    let root = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
    return "/\(root)/shared/corpus"
}()

@Suite("Documents with a progressive file are played, and the linter and the player agree")
struct PlayableDocumentTests {
    /// Third-party files with a progressive file that are not played, with the error code.
    private static let refused = [
        // An audio ad (VAST 4.3 §3.3.2, `adType`).
        "iab/VAST 4.1 Samples/Audio_DAAST_Sample.xml": 200,
        // A conditional ad (VAST 4.0 §3.3.2, `conditionalAd`).
        "iab/VAST 4.1 Samples/Conditional_Ad-test.xml": 408,
    ]

    /// A sample with a progressive file, and whether it can be played.
    struct Sample: Sendable, CustomStringConvertible {
        let description: String
        let text: String
        var isPlayed = true

        init(_ what: String, media: String, _ inside: String = "", ad: String = "", isPlayed: Bool = true) {
            let creatives = Text.linear(media: media) + inside
            self.description = what
            self.text = Text.document(Text.inline("ad", ad: ad, creatives: creatives))
            self.isPlayed = isPlayed
        }
    }

    private static func file(_ attributes: String, _ name: String = "v.mp4", type: String = "video/mp4") -> String {
        "<MediaFile type=\"\(type)\" \(attributes)>https://m.example/\(name)</MediaFile>"
    }

    private static let whole = file("delivery=\"progressive\" width=\"640\" height=\"360\"")

    static let samples: [Sample] = {
        let codecs = ["", "H.264", "0", "AVC", "MPEG-4", "mp4", "N/A", "null", "avc1.42E01E,mp4a.40.2", "vp9"].map {
            Sample("codec \($0)", media: file("delivery=\"progressive\" codec=\"\($0)\""))
        }
        let strange = ["hev1", "vp6", "FLV1", "H.265"].flatMap { codec in
            [
                Sample("only \(codec)", media: file("codec=\"\(codec)\""), isPlayed: false),
                Sample("\(codec) beside a file that plays", media: file("codec=\"\(codec)\"") + whole),
            ]
        }
        let flash = file("delivery=\"progressive\"", "v.flv", type: "video/x-flv")
        let vpaid = file("apiFramework=\"VPAID\"", "v.js", type: "application/javascript")
        let list = file("delivery=\"streaming\"", "v.m3u8", type: "application/x-mpegURL")
        let simid = "<InteractiveCreativeFile apiFramework=\"SIMID\">https://m.example/s.html</InteractiveCreativeFile>"
        let companions =
            "<CompanionAds required=\"all\"><Companion><StaticResource creativeType=\"image/png\">nowhere</StaticResource></Companion></CompanionAds>"
        let others = [
            Sample("streaming", media: file("delivery=\"streaming\"")),
            Sample("streaming WebM", media: file("delivery=\"streaming\"", "v.webm", type: "video/webm")),
            Sample("apiFramework VAST", media: file("apiFramework=\"VAST\"")),
            Sample("VPAID on a video", media: file("apiFramework=\"VPAID\"")),
            Sample("no type", media: file("delivery=\"progressive\"", type: "")),
            Sample("a type that is none", media: file("", type: "mp4")),
            Sample("Flash beside it", media: flash + whole),
            Sample("VPAID beside it", media: vpaid + whole),
            Sample("a playlist beside it", media: list + whole),
            Sample("SIMID beside it", media: simid + whole),
            Sample(
                "another file with an invalid URL",
                media: whole + "<MediaFile type=\"video/mp4\">v</MediaFile>"
            ),
            Sample("Flash alone", media: flash, isPlayed: false),
            Sample("VPAID alone", media: vpaid, isPlayed: false),
            Sample("a playlist alone", media: list, isPlayed: false),
            Sample("SIMID alone", media: simid, isPlayed: true),
            Sample("no file", media: "", isPlayed: false),
            Sample(
                "an invalid URL",
                media: "<MediaFile type=\"video/mp4\">v</MediaFile>",
                isPlayed: false
            ),
            Sample("an audio ad", media: whole, ad: "adType=\"audio\"", isPlayed: false),
            Sample("a conditional ad", media: whole, ad: "conditionalAd=\"true\"", isPlayed: false),
            Sample(
                "a required companion that can't be displayed",
                media: whole,
                Text.creative(companions),
                isPlayed: false
            ),
        ]
        return codecs + strange + others
    }()

    @Test("an ad is played exactly when the linter reports no error about it", arguments: samples)
    func own(sample: Sample) throws {
        let bytes = Array(sample.text.utf8)
        let document = try VASTDocument(parsing: bytes)
        #expect(PlayableDocumentTests.played(document) == [sample.isPlayed])
        #expect(PlayableDocumentTests.unplayable(bytes).count == (sample.isPlayed ? 0 : 1))
    }

    @Test("ads in a VMAP document are checked, and wrappers are not")
    func plans() throws {
        let bad = Text.document(Text.inline("ad", creatives: Text.linear(media: "")))
        let plan = """
            <VMAP version="1.0"><AdBreak timeOffset="start" breakType="linear"><AdSource><VASTAdData>\(bad)</VASTAdData>
            </AdSource></AdBreak></VMAP>
            """
        #expect(PlayableDocumentTests.unplayable(Array(plan.utf8)).count == 1)
        let wrapper = Text.document(Text.wrapper("w", to: "https://s.example/"))
        #expect(PlayableDocumentTests.unplayable(Array(wrapper.utf8)).isEmpty)
    }

    @Test(
        "every third-party document with a progressive file is played, or is in the table",
        .enabled(if: access(corpus, R_OK) == 0, "there is no folder of other people's files beside the project")
    )
    func others() throws {
        var documents = 0
        var refused: [String: Int] = [:]
        for path in PlayableDocumentTests.files(below: corpus) {
            let bytes = try #require(PlayableDocumentTests.bytes(path), "\(path)")
            guard let document = try? VASTDocument(parsing: bytes) else { continue }
            let ads = document.ads.filter { $0.inline != nil }
            guard !ads.isEmpty else { continue }
            let name = String(path.dropFirst(corpus.count + 1))
            // The linter reports as many ads as the player refuses.
            let isPlayed = PlayableDocumentTests.played(document)
            let found = PlayableDocumentTests.unplayable(bytes)
            #expect(found.count == isPlayed.count { !$0 }, "\(name): \(found)")
            for (ad, isPlayed) in zip(ads, isPlayed) where PlayableDocumentTests.hasWholeFile(ad) {
                documents += 1
                if !isPlayed { refused[name] = PlayableDocumentTests.code(ad) }
            }
        }
        #expect(documents > 80)
        #expect(refused == PlayableDocumentTests.refused)
    }

    /// Whether an ad has a progressive MP4 or WebM file.
    private static func hasWholeFile(_ ad: VASTAd) -> Bool {
        ad.creatives.compactMap(\.linear).flatMap(\.mediaFiles).contains { file in
            ["video/mp4", "video/webm"].contains(file.type?.asciiLowercased ?? "")
        }
    }

    private static func spot(_ ad: VASTAd) -> Result<BuiltSpot, VASTError> {
        let values = MacroValues()
        var builder = SpotBuilder(
            VASTResolvedAd([], ad),
            policy: VideoPolicy(),
            isRewarded: false,
            values: values,
            moment: values
        )
        return builder.build()
    }

    /// Whether the player builds a spot, for each inline ad.
    private static func played(_ document: VASTDocument) -> [Bool] {
        document.ads.filter { $0.inline != nil }.map { (try? self.spot($0).get()) != nil }
    }

    private static func code(_ ad: VASTAd) -> Int? {
        if case .failure(let error) = self.spot(ad) { error.code } else { nil }
    }

    private static func unplayable(_ bytes: [UInt8]) -> [LintFinding] {
        Lint.check(bytes).findings.filter { LintRule.unplayable.contains($0.rule) }
    }

    private static func files(below folder: String) -> [String] {
        guard let pointer = popen("find '\(folder)' -name '*.xml'", "r") else { return [] }
        defer { pclose(pointer) }
        var paths: [String] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), pointer) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            paths.append(text.trimmed)
        }
        return paths.sorted()
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }
}
