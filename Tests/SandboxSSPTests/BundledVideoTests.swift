import AdCore
import AdMarkup
import Testing

@testable import SandboxSSP

/// The creatives that the package brings.
enum Bundled {
    static let catalogue: CreativeCatalogue = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        do {
            return try CreativeCatalogue.load(directory: "/\(root)/Creatives")
        } catch {
            Issue.record("the bundled creatives can't be read: \(error)")
            return CreativeCatalogue()
        }
    }()

    static func state() -> SandboxState { SandboxState(base: Samples.base, catalogue: self.catalogue) }

    /// Which of them are films, and of these which are meant to go wrong.
    static func films(wrong: Bool) -> [String] {
        self.catalogue.creatives.filter { $0.tags.contains(.video) && $0.tags.contains(.fault) == wrong }.map(\.name)
    }

    /// Every address of the sandbox in a text, without the address of the sandbox itself.
    static func addresses(in text: String) -> [String] {
        text.split(separator: Samples.base, omittingEmptySubsequences: false).dropFirst().map { rest in
            // Whichever comes first: the end of a CDATA section, or of an attribute in the markup in it.
            let section = rest.firstRange(of: "]]>").map { rest[..<$0.lowerBound] } ?? rest
            return String(section.prefix { $0 != "\"" })
        }
    }
}

@Suite("The bundled films, as units")
struct BundledVideoTests {
    private static func yabbi(_ unit: String, _ state: inout SandboxState) throws -> AdJSON {
        try #require(state.request("POST", "/yabbi/load", Samples.load(unit)).json)
    }

    private static func openRTB(_ unit: String, _ state: inout SandboxState) throws -> AdJSON {
        let response = state.request("POST", "/openrtb2/auction", Samples.bid(unit))
        return try #require(response.json?["seatbid"]?.array?.first?["bid"]?.array?.first)
    }

    /// The ads of a unit, its own and those that it has to be asked for.
    private static func document(_ unit: String) throws -> VASTDocument {
        var state = Bundled.state()
        return try VASTDocument(parsing: #require(self.yabbi(unit, &state)["adm"]?.string))
    }

    @Test("all are there")
    func names() {
        #expect(
            Bundled.films(wrong: false) == [
                "video-inline", "video-short", "video-wrapper", "video-pod", "video-pod-gap", "video-rewarded",
                "video-overlay", "video-vmap",
            ]
        )
        #expect(
            Bundled.films(wrong: true) == [
                "vast-broken", "vast-empty", "vast-endless", "vast-cycle", "vast-wrapper-404", "vast-slow", "vast-html",
                "vast-vpaid", "vast-unsupported", "vast-media-404",
            ]
        )
        let others = Bundled.catalogue.creatives.filter { $0.tags.isEmpty }
        #expect(others.count == 11)
        #expect(others.allSatisfy { $0.kind == .banner })
    }

    @Test(
        "each goes out as a film over both protocols",
        arguments: Bundled.films(wrong: false) + Bundled.films(wrong: true)
    )
    func served(unit: String) throws {
        var state = Bundled.state()
        let answer = try Self.yabbi(unit, &state)
        #expect(answer["type"]?.number == (unit == "video-rewarded" ? 3 : 2))
        #expect(answer["tracker"]?["view"]?.string == "\(Samples.base)/t/yabbi/view?ad=1&unit=\(unit)")
        #expect(answer["tracker"]?["click"]?.string == "\(Samples.base)/t/yabbi/click?ad=1&unit=\(unit)")
        let markup = try #require(answer["adm"]?.string)
        #expect(!markup.contains("${"))

        let bid = try Self.openRTB(unit, &state)
        #expect(bid["mtype"]?.number == 2)
        #expect(bid["exp"]?.number == 1800)
        let priced = try #require(bid["adm"]?.string)
        let pixel = "\(Samples.base)/t/openrtb/impression?ad=2&unit=\(unit)&price=${AUCTION_PRICE}"
        // Where there is no ad there is nothing to count.
        #expect(priced.contains("<Impression><![CDATA[\(pixel)]]></Impression>") == (unit != "vast-empty"))
        #expect(MarkupKind(sniffing: markup) == (unit == "video-vmap" ? .vmap : .vast))
        #expect(MarkupKind(sniffing: priced) == MarkupKind(sniffing: markup))
    }

    @Test("every document is read without a complaint, but for the one that breaks off")
    func clean() throws {
        var state = Bundled.state()
        let names = Bundled.catalogue.files.keys.filter { $0.hasPrefix("vast/") }
        #expect(names.count == 22)
        for name in names.sorted() {
            let unit = String(name.dropFirst(5).dropLast(4))
            let response = state.request("GET", "/vast/" + unit)
            #expect(response.headers["content-type"] == "application/xml")
            if unit == "video-vmap" {
                #expect(try VMAPDocument(parsing: response.bytes).issues.isEmpty)
            } else {
                let document = try VASTDocument(parsing: response.bytes)
                #expect(document.issues.isEmpty == (unit != "vast-broken"), "\(unit): \(document.issues)")
                #expect(document.ads.isEmpty == (unit == "vast-empty"))
            }
        }
    }

    @Test("every address in them is served, but for those that are meant to lead nowhere")
    func addresses() throws {
        var state = Bundled.state()
        var dead: Set<String> = []
        for name in Bundled.catalogue.files.keys.filter({ $0.hasPrefix("vast/") }).sorted() {
            let unit = String(name.dropFirst(5).dropLast(4))
            let text = state.request("GET", "/vast/" + unit).text
            #expect(!text.contains("${"))
            for address in Bundled.addresses(in: text) {
                if state.request("GET", address).status != 200 { dead.insert(address) }
                guard address.hasPrefix("/t/") else { continue }
                // Each tracker says whose it is: the unit, which of its ads or wrappers, the event.
                let parts = address.prefix { $0 != "?" }.split(separator: "/")
                guard parts.count == 5 else {
                    #expect(unit == "vast-broken" && address == "/t/va", "\(address)")
                    continue
                }
                #expect(parts[1] == "vast" && unit.hasPrefix(parts[2]), "\(address) in \(unit)")
            }
        }
        #expect(
            dead == [
                "/vast/404", "/creatives/media/missing.mp4", "/creatives/media/old.flv", "/creatives/media/old.wmv",
                "/creatives/media/program.js",
            ]
        )
    }

    @Test("the ad that has nearly everything has it")
    func inline() throws {
        let ad = try #require(Self.document("video-inline").ads.first)
        let linear = try #require(ad.creatives.first?.linear)
        #expect(linear.duration == .seconds(15))
        #expect(linear.skipOffset?.time(in: linear.duration) == .seconds(5))
        #expect(linear.mediaFiles.count == 3)
        #expect(linear.icons.count == 1)
        #expect(ad.impressions.count == 2)
        #expect(ad.verifications.count == 1)
        #expect(ad.viewable.count == 1)
        #expect(ad.inline?.expires == 1800)
        #expect(ad.creatives.last?.companions?.items.first?.clicks.tracking.count == 1)
    }

    @Test("three wrappers lead to an ad over HTTP, each with trackers of its own")
    func wrappers() throws {
        var state = Bundled.state()
        var document = try Self.document("video-wrapper")
        var versions: [String?] = []
        var impressions: [String] = []
        while let url = document.ads.first?.wrapper?.tagURL?.text {
            versions.append(document.version)
            impressions += document.ads.flatMap(\.impressions).map(\.url.text)
            document = try VASTDocument(parsing: state.request("GET", String(url.dropFirst(Samples.base.count))).bytes)
        }
        impressions += document.ads.flatMap(\.impressions).map(\.url.text)
        #expect(versions == ["4.2", "3.0", "2.0"])
        #expect(
            impressions
                == ["wrapper-1", "wrapper-2", "wrapper-3", "inline"].map {
                    "\(Samples.base)/t/vast/video-wrapper/\($0)/impression"
                }
        )
        #expect(document.ads.first?.inline != nil)
        #expect(state.hits().map { $0["path"] } == ["2", "3", "inline"].map { .string("/vast/video-wrapper-\($0)") })
    }

    @Test("a pod is two ads and a spare one", arguments: ["video-pod", "video-pod-gap"])
    func pods(unit: String) throws {
        let ads = try Self.document(unit).ads
        #expect(ads.count == 3)
        #expect(Set(ads.compactMap(\.sequence)) == [1, 2])
        #expect(ads.last?.sequence == nil)
    }

    @Test("the one with a reward can't be skipped and has a page at its end")
    func rewarded() throws {
        let ad = try #require(Self.document("video-rewarded").ads.first)
        #expect(ad.creatives.first?.linear?.skipOffset == nil)
        let companion = try #require(ad.creatives.last?.companions?.items.first)
        guard case .html(let page) = try #require(companion.resources.first) else {
            Issue.record("the end card is no page")
            return
        }
        #expect(MarkupKind(sniffing: page) == .html)
    }

    @Test("the overlay has a picture and a companion, and no film")
    func overlay() throws {
        let ad = try #require(Self.document("video-overlay").ads.first)
        let strip = try #require(ad.creatives.first?.nonLinear?.items.first)
        #expect(strip.minimum == .seconds(5))
        #expect(strip.clicks.tracking.count == 1)
        #expect(ad.creatives.last?.companions?.items.count == 1)
        #expect(ad.creatives.allSatisfy { $0.linear == nil })
    }

    @Test("the plan has a break whose ad is there, and one whose ad is to be asked for")
    func plan() throws {
        var state = Bundled.state()
        let markup = try #require(Self.yabbi("video-vmap", &state)["adm"]?.string)
        let plan = try VMAPDocument(parsing: markup)
        #expect(plan.breaks.map(\.id) == ["preroll", "midroll"])
        guard case .vast(let document) = plan.breaks[0].source?.content,
            case .tag(let url, _) = plan.breaks[1].source?.content
        else {
            Issue.record("the breaks have other sources")
            return
        }
        #expect(document.ads.count == 1)
        #expect(url.text == "\(Samples.base)/vast/video-vmap-midroll")
        let due = plan.due(from: .zero, to: .seconds(60))
        #expect(due.map(\.at) == [.zero, .seconds(10)])
    }

    @Test("the one that breaks off keeps the ad that was whole, and says what is wrong")
    func broken() throws {
        let document = try Self.document("vast-broken")
        #expect(document.ads.map(\.id) == ["whole"])
        #expect(Set(document.issues.map(\.code)) == ["vast.ad.truncated", "xml.repaired"])
    }

    @Test("the empty one can be told so")
    func empty() throws {
        let document = try Self.document("vast-empty")
        #expect(document.ads.isEmpty)
        #expect(document.errorURLs.map(\.text) == ["\(Samples.base)/t/vast/vast-empty/response/error?code=[ERRORCODE]"])
    }

    @Test(
        "what goes wrong behind a wrapper goes wrong there",
        arguments: [
            ("vast-endless", "/vast/endless?n=2"), ("vast-cycle", "/vast/vast-cycle"),
            ("vast-wrapper-404", "/vast/404"), ("vast-slow", "/vast/slow?ms=60000"), ("vast-html", "/vast/html"),
        ]
    )
    func behind(unit: String, path: String) throws {
        let ad = try #require(Self.document(unit).ads.first)
        #expect(ad.wrapper?.tagURL?.text == Samples.base + path)
        #expect(ad.errors.map(\.text) == ["\(Samples.base)/t/vast/\(unit)/wrapper-1/error?code=[ERRORCODE]"])
    }

    @Test("what can't be played has films of kinds that nobody plays, or none")
    func unplayable() throws {
        func files(_ unit: String) throws -> [VASTMediaFile] {
            try #require(Self.document(unit).ads.first?.creatives.first?.linear).mediaFiles
        }
        #expect(try files("vast-vpaid").map(\.isVPAID) == [true])
        #expect(try files("vast-unsupported").map(\.type) == ["video/x-flv", "video/x-ms-wmv"])
        #expect(try files("vast-media-404").map(\.type) == ["video/mp4"])
    }
}

@Suite("The bundled films, as files")
struct BundledMediaTests {
    private static let media = Bundled.catalogue.files.filter { $0.key.hasPrefix("media/") }

    @Test("each is small, and what its name says")
    func small() {
        #expect(Self.media.count == 7)
        for (name, bytes) in Self.media {
            #expect(bytes.count <= 300_000, "\(name) has \(bytes.count) bytes")
            if name.hasSuffix(".mp4") {
                #expect(bytes[4..<8].elementsEqual("ftyp".utf8))
            } else {
                #expect(bytes.prefix(4) == [0x1A, 0x45, 0xDF, 0xA3])
            }
        }
    }

    @Test("an mp4 says what is in it before the pictures come, so that it plays from its first bytes")
    func fast() throws {
        for (name, bytes) in Self.media where name.hasSuffix(".mp4") {
            let text = String(decoding: bytes, as: Unicode.ASCII.self)
            let index = try #require(text.firstRange(of: "moov"))
            let pictures = try #require(text.firstRange(of: "mdat"))
            #expect(index.lowerBound < pictures.lowerBound, "\(name)")
        }
    }

    @Test("each is served whole and in parts over HTTP", arguments: ["pluvello.mp4", "pluvello.webm"])
    func parts(name: String) throws {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = Bundled.catalogue
        let sandbox = try Sandbox.start(configuration)
        let bytes = try #require(Self.media["media/" + name])
        let path = "/creatives/media/" + name
        let type = "video/" + (name.split(separator: ".").last ?? "")

        let whole = try fetch(sandbox.port, "GET", path)
        #expect(whole.status == 200)
        #expect(whole.headers["content-type"] == type)
        #expect(whole.headers["accept-ranges"] == "bytes")
        #expect(whole.body == bytes)

        let head = try fetch(sandbox.port, "HEAD", path)
        #expect(head.status == 200)
        #expect(head.headers["content-length"] == "\(bytes.count)")

        // What a browser asks for at first, then the end, then from where it was sought to.
        for (range, part) in [
            ("bytes=0-", 0..<bytes.count), ("bytes=-500", bytes.count - 500..<bytes.count),
            ("bytes=100000-", 100_000..<bytes.count), ("bytes=1000-1999", 1000..<2000),
        ] {
            let answer = try fetch(sandbox.port, "GET", path, headers: ["Range": range])
            #expect(answer.status == 206)
            #expect(answer.headers["content-type"] == type)
            #expect(answer.headers["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)")
            #expect(answer.body == Array(bytes[part]))
        }
        #expect(try fetch(sandbox.port, "GET", path, headers: ["Range": "bytes=\(bytes.count)-"]).status == 416)
    }

    @Test("what a film's trackers are told is counted, codes and all")
    func trackers() throws {
        var configuration = Sandbox.Configuration()
        configuration.catalogue = Bundled.catalogue
        let sandbox = try Sandbox.start(configuration)
        let paths = [
            "/t/vast/video-inline/inline/impression?cb=12345678", "/t/vast/video-inline/inline/start",
            "/t/vast/vast-html/wrapper-1/error?code=101", "/t/vast/video-inline/inline/skip?playhead=00:00:06.000",
        ]
        for path in paths { #expect(try fetch(sandbox.port, "GET", path).status == 200) }
        let hits = sandbox.hits()
        #expect(hits.map { $0.path + ($0.query.isEmpty ? "" : "?" + $0.query) } == paths)
        let listed = try fetch(sandbox.port, "GET", "/sandbox/hits?path=/t/vast/vast-html/").json?["hits"]?.array
        #expect(listed?.map { $0["query"] } == ["code=101"])
    }
}
