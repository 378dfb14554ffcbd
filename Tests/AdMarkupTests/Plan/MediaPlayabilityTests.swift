import AdCore
import TestSupport
import Testing

@testable import AdLint
@testable import AdMarkup

@Suite("Playability of a media file")
struct MediaPlayabilityTests {
    private func choice(_ attributes: String, _ name: String = "v.mp4", type: String = "video/mp4") throws
        -> MediaChoice
    {
        let file = "<MediaFile type=\"\(type)\" \(attributes)><![CDATA[https://m.example/\(name)]]></MediaFile>"
        let document = try VASTDocument(parsing: Text.document(Text.inline("ad", creatives: Text.linear(media: file))))
        return MediaChoice(of: try #require(document.ads.first?.creatives.first?.linear), by: VideoPolicy())
    }

    private func repaired(_ choice: MediaChoice) -> [MediaRepair.Attribute] {
        choice.repairs.entries.map(\.repair.attribute)
    }

    @Test(
        "an unclear codec is ignored, and the file is played",
        arguments: [
            "H.264", "h 264", "0", "AVC", "MPEG-4", "mp4", "N/A", "null", "undefined", "-", "?", "video/mp4", "avc1,?",
            "codec", "MPEG4/AAC", "x", "H264 Baseline", "1", "true", "\u{1F3AC}",
        ]
    )
    func unclear(codec: String) throws {
        let choice = try self.choice("codec=\"\(codec)\"")
        #expect(choice.files.count == 1 && choice.failure == nil)
        #expect(self.repaired(choice) == [.codec])
    }

    @Test(
        "a codec of RFC 6381 or WebM is accepted without a repair",
        arguments: [
            "avc1", "avc1.42E01E, mp4a.40.2", "AVC1.42E01E", "avc3.640028", "vp8", "vp9, opus", "vp09.00.10.08",
            "av01.0.04M.08",
            "mp4a.40.5", " avc1.4d401f ", "",
        ]
    )
    func clear(codec: String) throws {
        let choice = try self.choice("codec=\"\(codec)\"")
        #expect(choice.files.count == 1 && choice.repairs.entries.isEmpty)
    }

    @Test(
        "a codec that can't be decoded refuses the file, however it is written",
        arguments: [
            "vp6", "VP 6", "VP6F", "flv1", "Sorenson Spark", "H.263", "hev1.1.6.L93.B0", "hvc1", "HVC1.1.6", "H.265",
            "h265",
            "HEVC", "x265", "avc1.42E01E, ac-3", "mp4v.20.9", "DivX", "WMV3", "vc-1", "ProRes", "theora", "avc1;ec-3",
            "hev1 ", "dvh1.05.06",
        ]
    )
    func undecodable(codec: String) throws {
        let choice = try self.choice("codec=\"\(codec)\"")
        #expect(choice.files.isEmpty)
        #expect(choice.failure?.code == 405)
        #expect(choice.failure?.message.contains("encode it with H.264 and AAC") == true)
    }

    @Test("a stage defines the codecs that it can't decode")
    func policy() throws {
        let linear = try #require(
            VASTDocument(
                parsing: Text.document(
                    Text.inline(
                        "ad",
                        creatives: Text.linear(
                            media: "<MediaFile type='video/mp4' codec='av01.0.04M.08'>https://m.example/v</MediaFile>"
                                + "<MediaFile type='video/mp4' codec='hvc1'>https://m.example/h</MediaFile>"
                        )
                    )
                )
            ).ads.first?.creatives.first?.linear
        )
        var policy = VideoPolicy()
        policy.undecodableCodecs = [.av1]
        #expect(MediaChoice(of: linear, by: policy).files.map(\.url.text) == ["https://m.example/h"])
        #expect(MediaChoice(of: linear, by: VideoPolicy()).files.map(\.url.text) == ["https://m.example/v"])
    }

    @Test(
        "a progressive file declared as streaming is played as progressive",
        arguments: [("v.mp4", "video/mp4"), ("v.webm?a=1", "video/webm"), ("v", "video/mp4"), ("v.mp4", "")]
    )
    func streaming(name: String, type: String) throws {
        let choice = try self.choice("delivery=\"Streaming\"", name, type: type)
        #expect(choice.files.count == 1)
        #expect(self.repaired(choice) == [.delivery])
    }

    @Test("a playlist is a stream, whatever its type", arguments: ["v.m3u8", "v.mpd?x=.mp4"])
    func lists(name: String) throws {
        #expect(try self.choice("delivery=\"streaming\"", name).failure?.code == 403)
    }

    @Test(
        "apiFramework is ignored on a video, and refuses an executable file",
        arguments: [
            ("VAST", nil), ("none", nil), ("OMID", nil), ("html5", nil), ("VPAID", 901), ("vpaid-2.0", 901),
            ("FlashVPAID", 901), ("SIMID", 403), ("MRAID-2", 403),
        ] as [(String, Int?)]
    )
    func frameworks(framework: String, code: Int?) throws {
        for name in ["v.mp4", "v.webm?a=1", "v"] {
            let video = try self.choice("apiFramework=\"\(framework)\"", name)
            #expect(video.failure == nil)
            #expect(self.repaired(video) == [.apiFramework])
        }
        for (name, type) in [("v.js", "application/javascript"), ("v.swf", "video/mp4"), ("v.js", "video/mp4")] {
            guard let code else { continue }
            #expect(try self.choice("apiFramework=\"\(framework)\"", name, type: type).failure?.code == code)
        }
    }

    @Test(
        "an unspecific type is replaced by that of the file extension",
        arguments: [
            ("mp4", "v", "video/mp4"), ("webm", "v", "video/webm"), ("video", "v.webm", "video/webm"),
            ("application/octet-stream", "v.mp4", "video/mp4"), ("video/x-mp4", "v", "video/mp4"), ("video", "v", nil),
            ("video/x-flv", "v.mp4", nil), ("video/quicktime", "v.mp4", nil),
        ] as [(String, String, String?)]
    )
    func types(type: String, name: String, played: String?) throws {
        let choice = try self.choice("", name, type: type)
        #expect(choice.files.map(\.type) == [played].compactMap { $0 })
        #expect(choice.failure?.code == (played == nil ? 403 : nil))
    }

    @Test("an unknown mediaType is ignored")
    func projection() throws {
        #expect(try self.repaired(self.choice("mediaType=\"flat\"")) == [.mediaType])
        #expect(try self.choice("mediaType=\"360\"").failure?.code == 405)
    }

    // MARK: Invalid input

    @Test("a codec of a megabyte is ignored, with a short message")
    func megabyte() throws {
        let start = ProcessorTime.now
        for codec in [String(repeating: "hev1,", count: 200_000), String(repeating: "x", count: 1 << 20)] {
            let choice = try self.choice("codec=\"\(codec)\"")
            #expect(choice.files.count == 1)
            #expect(self.repaired(choice) == [.codec])
            #expect(choice.repairs.entries.allSatisfy { $0.message.utf8.count < 200 })
        }
        let text = Text.document(
            Text.inline(
                "ad",
                creatives: Text.linear(
                    media:
                        "<MediaFile type='video/mp4' codec='\(String(repeating: "y", count: 1 << 20))'>https://m.example/v</MediaFile>"
                )
            )
        )
        #expect(Lint.check(text).findings.contains { $0.rule == .mediaCodecUnclear })
        #expect(ProcessorTime.now - start < .timeout(20))
    }

    @Test("of ten thousand files the best are tried, and the issues about the others are limited")
    func many() throws {
        let start = ProcessorTime.now
        let files = (0..<10_000).map { number in
            let codec = number.isMultiple(of: 2) ? "hev1" : "odd \(number)"
            return
                "<MediaFile type='video/mp4' delivery='streaming' bitrate='\(number)' codec='\(codec)'>https://m.example/\(number)</MediaFile>"
        }
        let text = Text.document(Text.inline("ad", creatives: Text.linear(media: files.joined())))
        let outcome = try PlanScene().plan(text)
        guard case .media(let played)? = outcome.spots.first?.content else {
            Testing.Issue.record("no file is played")
            return
        }
        #expect(played.count == MediaChoice.maxFiles)
        #expect(played.first?.url.text == "https://m.example/9999")
        #expect(outcome.issues.filter { $0 == "vast.media.many" }.count == 1)
        #expect(outcome.issues.count < 200)
        let report = Lint.check(text)
        #expect(report.findings.count <= 2000 && report.findings.contains { $0.rule == .mediaFileUnplayable })
        #expect(ProcessorTime.now - start < .timeout(40))
    }
}
