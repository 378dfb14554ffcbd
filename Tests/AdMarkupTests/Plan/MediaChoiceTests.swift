import AdCore
import TestSupport
import Testing

@testable import AdMarkup

@Suite("Choice of the media file")
struct MediaChoiceTests {
    private func choice(_ files: String, _ change: (inout VideoPolicy) -> Void = { _ in }) throws -> MediaChoice {
        var policy = VideoPolicy()
        change(&policy)
        let document = try VASTDocument(parsing: Text.document(Text.inline("ad", creatives: Text.linear(media: files))))
        return MediaChoice(of: try #require(document.ads.first?.creatives.first?.linear), by: policy)
    }

    private func file(_ attributes: String, _ name: String = "v.mp4", type: String? = "video/mp4") -> String {
        let type = type.map { "type=\"\($0)\"" } ?? ""
        return "<MediaFile \(type) \(attributes)><![CDATA[https://m.example/\(name)]]></MediaFile>"
    }

    private func names(_ choice: MediaChoice) -> [String] {
        choice.files.map { String($0.url.text.dropFirst("https://m.example/".count)) }
    }

    @Test("the file that fits the container best is first; a much too small one is worse than a too large one")
    func container() throws {
        let files = [(320, 180), (640, 360), (1280, 720), (3840, 2160)].map { size in
            self.file("width=\"\(size.0)\" height=\"\(size.1)\" bitrate=\"500\"", "\(size.0)")
        }
        func order(_ width: Double, _ height: Double, _ ratio: Double = 1) throws -> [String] {
            let choice = try self.choice(files.joined()) {
                $0.container = Size(width: width, height: height)
                $0.pixelRatio = ratio
            }
            return self.names(choice)
        }
        #expect(try order(320, 180).first == "320")
        #expect(try order(640, 360).first == "640")
        #expect(try order(640, 360).last == "3840")
        // A container of 640 points with two pixels each.
        #expect(try order(640, 360, 2) == ["1280", "3840", "640", "320"])
        #expect(try order(1280, 720).first == "1280")
        #expect(try order(3840, 2160) == ["3840", "1280", "640", "320"])
        // Without a container the size is ignored.
        #expect(try self.names(self.choice(files.joined())) == ["320", "640", "1280", "3840"])
    }

    @Test("files above the bitrate limit are last, the lowest bitrate first; within it the highest is first")
    func budget() throws {
        let files = [300, 1500, 900, 2500, 1200].map { self.file("bitrate=\"\($0)\"", "\($0)") }.joined()
        #expect(try self.names(self.choice(files)) == ["2500", "1500", "1200", "900", "300"])
        #expect(
            try self.names(self.choice(files) { $0.maximumBitrate = 1200 }) == ["1200", "900", "300", "1500", "2500"]
        )
        #expect(
            try self.names(self.choice(files) { $0.maximumBitrate = 100 }) == ["300", "900", "1200", "1500", "2500"]
        )
        // A file without a bitrate counts as within the limit.
        let silent = self.file("bitrate=\"900\"", "told") + self.file("", "silent")
        #expect(try self.names(self.choice(silent) { $0.maximumBitrate = 500 }) == ["silent", "told"])
    }

    @Test("the rank depends on the bitrate limit, then the size, then the type, then the bitrate")
    func precedence() throws {
        func order(_ files: String...) throws -> [String] {
            try self.names(
                self.choice(files.joined()) {
                    $0.maximumBitrate = 1000
                    $0.container = Size(width: 640, height: 360)
                }
            )
        }
        let fits = "width=\"640\" height=\"360\""
        let small = "width=\"160\" height=\"90\""
        #expect(
            try order(self.file("\(fits) bitrate=\"2000\"", "dear"), self.file("\(small) bitrate=\"100\"", "small"))
                == ["small", "dear"]
        )
        #expect(
            try order(self.file("\(small)", "small"), self.file("\(fits)", "webm", type: "video/webm")) == [
                "webm", "small",
            ]
        )
        #expect(
            try order(
                self.file("\(fits) bitrate=\"900\"", "webm", type: "video/webm"),
                self.file("\(fits) bitrate=\"100\"", "mp4")
            )
                == ["mp4", "webm"]
        )
        #expect(
            try order(self.file("\(fits) bitrate=\"500\"", "1"), self.file("\(fits) bitrate=\"500\"", "2")) == [
                "1", "2",
            ]
        )
    }

    @Test("a varying bitrate counts with its maximum")
    func varying() throws {
        let choice = try self.choice(self.file("minBitrate=\"100\" maxBitrate=\"800\""))
        #expect(choice.files.map(\.bitrate) == [800])
    }

    @Test(
        "a missing type is taken from the file extension",
        arguments: [
            ("a.mp4", "video/mp4"), ("a.MP4?x=.webm", "video/mp4"), ("a.m4v", "video/mp4"), ("a.webm", "video/webm"),
            ("a.mp4/", nil), ("a", nil), ("a.mov", nil), ("mp4", nil), ("a.m3u8", nil), ("a?b=c.mp4", nil),
        ] as [(String, String?)]
    )
    func inferred(name: String, type: String?) throws {
        for told in [nil, "", " "] {
            let choice = try self.choice(self.file("", name, type: told))
            #expect(choice.files.map(\.type) == [type].compactMap { $0 })
            #expect(choice.refused.map(\.error.code) == (type == nil ? [403] : []))
        }
    }

    @Test(
        "types are compared without parameters and case",
        arguments: ["video/mp4", "VIDEO/MP4", " video/mp4 ", "video/mp4; codecs=avc1", "video/mp4;x"]
    )
    func types(type: String) throws {
        #expect(try self.choice(self.file("", type: type)).files.map(\.type) == ["video/mp4"])
    }

    @Test(
        "an unplayable file has a reason and a code",
        arguments: [
            ("apiFramework=\"VPAID\"", "v.js", "application/javascript", 901, "VPAID"),
            ("apiFramework=\"vpaid\"", "v.swf", "video/mp4", 901, "VPAID"),
            ("apiFramework=\"SIMID\"", "v.html", "text/html", 403, "SIMID"),
            ("", "v.flv", "video/x-flv", 403, "video/x-flv"),
            ("", "v", nil, 403, "has no usable type"),
            ("delivery=\"streaming\"", "v.m3u8", "video/mp4", 403, "stream"),
            ("apiFramework=\"VPAID 2.0\"", "v.js", "application/javascript", 901, "VPAID"),
            ("", "v.m3u8", "application/x-mpegURL", 403, "stream"),
            ("", "v.mpd", "application/dash+xml", 403, "stream"),
            ("codec=\"hev1.1.6\"", "v.mp4", "video/mp4", 405, "hev1"),
            ("codec=\"avc1.42E01E, ac-3\"", "v.mp4", "video/mp4", 405, "ac-3"),
            ("mediaType=\"360\"", "v.mp4", "video/mp4", 405, "360"),
            ("mediaType=\"3D\"", "v.mp4", "video/mp4", 405, "3D"),
        ] as [(String, String, String?, Int, String)]
    )
    func refusals(attributes: String, name: String, type: String?, code: Int, words: String) throws {
        let choice = try self.choice(self.file(attributes, name, type: type))
        #expect(choice.files.isEmpty)
        #expect(choice.refused.map(\.error.code) == [code])
        #expect(choice.refused.first?.error.message.contains(words) == true)
        #expect(choice.refused.first?.error.line != nil)
        #expect(choice.failure?.code == code)
        #expect(choice.failure?.message.hasPrefix("the only media file ") == true)
    }

    @Test(
        "an unclear attribute refuses no file",
        arguments: [
            "apiFramework=\"\"", "codec=\"\"", "codec=\",\"", "mediaType=\"\"", "mediaType=\"2d\"", "delivery=\"\"",
            "delivery=\"progressive\"", "codec=\"H264\"", "codec=\"avc1.4d401f,mp4a.40.2\"", "scalable=\"false\"",
            "width=\"0\" height=\"0\"", "width=\"9999\"",
        ]
    )
    func silence(attributes: String) throws {
        let choice = try self.choice(self.file(attributes)) { $0.container = Size(width: 320, height: 180) }
        #expect(choice.files.count == 1)
        #expect(choice.failure == nil)
    }

    @Test(
        "an invalid URL is 401",
        arguments: ["v.mp4", "ftp://m.example/v.mp4", "https://", "https://u@m.example/v.mp4", "about:blank"]
    )
    func addresses(text: String) throws {
        let choice = try self.choice("<MediaFile type=\"video/mp4\">\(text)</MediaFile>")
        #expect(choice.refused.map(\.error.code) == [401])
        #expect(choice.failure?.code == 401)
    }

    @Test("streams and http URLs are played if the policy allows them")
    func choices() throws {
        let stream = self.file("", "v.m3u8", type: "application/vnd.apple.mpegurl")
        #expect(try self.choice(stream) { $0.playsStreams = true }.files.count == 1)
        #expect(try self.choice(self.file("", "v.m3u8", type: nil)) { $0.playsStreams = true }.files.count == 1)
        let open = "<MediaFile type=\"video/mp4\">http://m.example/v.mp4</MediaFile>"
        #expect(try self.choice(open).files.count == 1)
        let refused = try self.choice(open) { $0.allowsInsecure = false }
        #expect(refused.refused.map(\.error.code) == [403])
        #expect(refused.refused.first?.error.message.contains("https") == true)
    }

    @Test("a file that may not be scaled must fit")
    func scaling() throws {
        func code(_ attributes: String) throws -> Int? {
            try self.choice(self.file(attributes)) { $0.container = Size(width: 320, height: 180) }.failure?.code
        }
        #expect(try code("width=\"640\" height=\"360\" scalable=\"false\"") == 203)
        #expect(try code("width=\"640\" height=\"100\" scalable=\"false\"") == 203)
        #expect(try code("width=\"320\" height=\"180\" scalable=\"false\"") == nil)
        #expect(try code("width=\"640\" height=\"360\" scalable=\"true\"") == nil)
        #expect(try code("width=\"640\" height=\"360\"") == nil)
    }

    @Test("of several reasons the code is the common one, or else 405, or else 403")
    func overall() throws {
        let vpaid = self.file("apiFramework=\"VPAID\"", "v.js", type: "application/javascript")
        let flash = self.file("", type: "video/x-flv")
        let strange = self.file("codec=\"hev1\"")
        #expect(try self.choice(vpaid + vpaid).failure?.code == 901)
        #expect(try self.choice(vpaid + flash).failure?.code == 403)
        #expect(try self.choice(flash + strange).failure?.code == 405)
        let many = try self.choice(flash + strange + vpaid + vpaid)
        #expect(many.failure?.message.hasPrefix("none of the 4 media files can be played: media file 1 is ") == true)
        // The message has at most three reasons and the fix of the first.
        #expect(many.failure?.message.split(separator: ";").count == 4)
        #expect(try self.choice("").failure?.code == 401)
        let program =
            "<InteractiveCreativeFile apiFramework=\"SIMID\">https://m.example/s.html</InteractiveCreativeFile>"
        #expect(try self.choice(program).failure?.code == 902)
        #expect(try self.choice(vpaid + self.file("")).failure == nil)
    }

    @Test("macros in URLs are replaced")
    func macros() throws {
        var values = MacroValues()
        values[.appBundle] = .text("com.example")
        let document = try VASTDocument(
            parsing: Text.document(
                Text.inline("ad", creatives: Text.linear(media: self.file("", "[APPBUNDLE]/[IFA].mp4")))
            )
        )
        let linear = try #require(document.ads.first?.creatives.first?.linear)
        let choice = MediaChoice(of: linear, by: VideoPolicy(), values: values)
        #expect(choice.files.map(\.url.text) == ["https://m.example/com.example/-1.mp4"])
    }

    @Test("the ranking is a strict order for random files and containers", arguments: 1...40 as ClosedRange<UInt64>)
    func property(seed: UInt64) throws {
        var random = Mutator(seed: seed)
        var policy = VideoPolicy()
        policy.container = Bool.random(using: &random) ? Size(width: 400, height: 300) : nil
        policy.maximumBitrate = Bool.random(using: &random) ? 700 : nil
        policy.pixelRatio = [0, 1, 2.5, .infinity].randomElement(using: &random) ?? 1
        var files = (0..<12).map { number -> String in
            let width = Int.random(in: 0...2000, using: &random)
            let height = Int.random(in: 0...2000, using: &random)
            let bitrate = [100, 700, 701, 5000].randomElement(using: &random) ?? 0
            let type = ["video/mp4", "video/webm"].randomElement(using: &random)
            return self.file("width=\"\(width)\" height=\"\(height)\" bitrate=\"\(bitrate)\"", "\(number)", type: type)
        }
        let first = try self.choice(files.joined()) { $0 = policy }
        #expect(first.files.count == 12, "seed \(seed)")
        let isOver = first.files.map { ($0.bitrate ?? 0) > policy.maximumBitrate ?? .max }
        let within = isOver.prefix { !$0 }.count
        #expect(isOver[within...].allSatisfy { $0 }, "seed \(seed)")
        // In reverse order, only equal files may change places.
        files.reverse()
        let second = try self.choice(files.joined()) { $0 = policy }
        #expect(Set(first.files) == Set(second.files), "seed \(seed)")
    }
}
