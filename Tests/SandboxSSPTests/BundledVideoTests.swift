import AdCore
import AdMarkup
import LoopbackServer
import Testing

@testable import SandboxSSP

/// The creatives of the package.
enum Bundled {
    static let catalogue: CreativeCatalogue = {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        do {
            return try CreativeCatalogue.load(directory: "/\(root)/Creatives")
        } catch {
            Issue.record("can't read the bundled creatives: \(error)")
            return CreativeCatalogue()
        }
    }()

    static func state() -> SandboxState { SandboxState(base: Samples.base, catalogue: self.catalogue) }

    /// The names of the video creatives, either the invalid ones or the others.
    static func videos(invalid: Bool) -> [String] {
        self.catalogue.creatives.filter { $0.tags.contains(.video) && $0.tags.contains(.fault) == invalid }.map(\.name)
    }

    /// The names of the creatives with a prefix.
    static func names(of prefix: String) -> [String] {
        self.catalogue.creatives.map(\.name).filter { $0.hasPrefix(prefix) }
    }

    /// The paths of all sandbox URLs in a text.
    static func addresses(in text: String) -> [String] {
        text.split(separator: Samples.base, omittingEmptySubsequences: false).dropFirst().map { rest in
            // A URL ends at the end of its CDATA section or of its attribute, whichever comes first.
            let section = rest.firstRange(of: "]]>").map { rest[..<$0.lowerBound] } ?? rest
            return String(section.prefix { $0 != "\"" })
        }
    }
}

@Suite("The bundled videos, as placements")
struct BundledVideoTests {
    private static func yabbi(_ unit: String, _ state: inout SandboxState) throws -> AdJSON {
        try #require(state.request("POST", "/yabbi/load", Samples.load(unit)).json)
    }

    private static func openRTB(_ unit: String, _ state: inout SandboxState) throws -> AdJSON {
        let response = state.request("POST", "/openrtb2/auction", Samples.bid(unit))
        return try #require(response.json?["seatbid"]?.array?.first?["bid"]?.array?.first)
    }

    /// The VAST document of a placement.
    private static func document(_ unit: String) throws -> VASTDocument {
        var state = Bundled.state()
        return try VASTDocument(parsing: #require(self.yabbi(unit, &state)["adm"]?.string))
    }

    @Test("all bundled creatives are in the catalogue")
    func names() {
        #expect(
            Bundled.videos(invalid: false) == [
                "video-inline", "video-short", "video-wrapper", "video-pod", "video-pod-gap", "video-rewarded",
                "video-overlay", "video-captions", "video-vmap",
            ] + Bundled.names(of: "omid-") + Bundled.names(of: "simid-")
                + Bundled.names(of: "vpaid-").filter { $0 != "vpaid-failing" }
        )
        #expect(["omid-", "simid-", "vpaid-"].map { Bundled.names(of: $0).count } == [6, 8, 5])
        #expect(
            Bundled.videos(invalid: true) == [
                "vast-broken", "vast-empty", "vast-endless", "vast-cycle", "vast-wrapper-404", "vast-slow", "vast-html",
                "vast-vpaid", "vast-unsupported", "vast-media-404", "vpaid-failing",
            ]
        )
        let others = Bundled.catalogue.creatives.filter { $0.tags.isEmpty }
        #expect(others.count == 11)
        #expect(others.allSatisfy { $0.kind == .banner })
    }

    @Test(
        "each video is served in both protocols",
        arguments: Bundled.videos(invalid: false) + Bundled.videos(invalid: true)
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
        // Without an ad there is no place for an impression.
        #expect(priced.contains("<Impression><![CDATA[\(pixel)]]></Impression>") == (unit != "vast-empty"))
        #expect(MarkupKind(sniffing: markup) == (unit == "video-vmap" ? .vmap : .vast))
        #expect(MarkupKind(sniffing: priced) == MarkupKind(sniffing: markup))
    }

    @Test("every document is parsed without issues, except the truncated one")
    func clean() throws {
        var state = Bundled.state()
        let names = Bundled.catalogue.files.keys.filter { $0.hasPrefix("vast/") }
        #expect(names.count == 42)
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

    @Test("every URL in the documents is served, except the intentionally broken ones")
    func addresses() throws {
        var state = Bundled.state()
        var broken: Set<String> = []
        for name in Bundled.catalogue.files.keys.filter({ $0.hasPrefix("vast/") }).sorted() {
            let unit = String(name.dropFirst(5).dropLast(4))
            let text = state.request("GET", "/vast/" + unit).text
            #expect(!text.contains("${"))
            for address in Bundled.addresses(in: text) {
                if state.request("GET", address).status != 200 { broken.insert(address) }
                guard address.hasPrefix("/t/") else { continue }
                // A tracker path has the placement, the ad or wrapper, and the event.
                let parts = address.prefix { $0 != "?" }.split(separator: "/")
                guard parts.count == 5 else {
                    #expect(unit == "vast-broken" && address == "/t/va", "\(address)")
                    continue
                }
                #expect(parts[1] == "vast" && unit.hasPrefix(parts[2]), "\(address) in \(unit)")
            }
        }
        #expect(
            broken == [
                "/vast/404", "/creatives/media/missing.mp4", "/creatives/media/old.flv", "/creatives/media/old.wmv",
                "/creatives/media/program.js",
            ]
        )
    }

    @Test("the full-featured ad has all its elements")
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

    @Test("three wrappers resolve to an ad over HTTP, each with its own trackers")
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

    @Test("a pod has two ads and a fallback ad", arguments: ["video-pod", "video-pod-gap"])
    func pods(unit: String) throws {
        let ads = try Self.document(unit).ads
        #expect(ads.count == 3)
        #expect(Set(ads.compactMap(\.sequence)) == [1, 2])
        #expect(ads.last?.sequence == nil)
    }

    @Test("the rewarded video has no skip offset, and an end card")
    func rewarded() throws {
        let ad = try #require(Self.document("video-rewarded").ads.first)
        #expect(ad.creatives.first?.linear?.skipOffset == nil)
        let companion = try #require(ad.creatives.last?.companions?.items.first)
        guard case .html(let page) = try #require(companion.resources.first) else {
            Issue.record("the end card is not HTML")
            return
        }
        #expect(MarkupKind(sniffing: page) == .html)
    }

    @Test("the overlay has an image and a companion, and no video")
    func overlay() throws {
        let ad = try #require(Self.document("video-overlay").ads.first)
        let strip = try #require(ad.creatives.first?.nonLinear?.items.first)
        #expect(strip.minimum == .seconds(5))
        #expect(strip.clicks.tracking.count == 1)
        #expect(ad.creatives.last?.companions?.items.count == 1)
        #expect(ad.creatives.allSatisfy { $0.linear == nil })
    }

    @Test("the VMAP has one ad break with inline VAST and one with an ad tag URL")
    func plan() throws {
        var state = Bundled.state()
        let markup = try #require(Self.yabbi("video-vmap", &state)["adm"]?.string)
        let plan = try VMAPDocument(parsing: markup)
        #expect(plan.breaks.map(\.id) == ["preroll", "midroll"])
        guard case .vast(let document) = plan.breaks[0].source?.content,
            case .tag(let url, _) = plan.breaks[1].source?.content
        else {
            Issue.record("the ad breaks have other sources")
            return
        }
        #expect(document.ads.count == 1)
        #expect(url.text == "\(Samples.base)/vast/video-vmap-midroll")
        let due = plan.due(from: .zero, to: .seconds(60))
        #expect(due.map(\.at) == [.zero, .seconds(10)])
    }

    @Test("the truncated document keeps the complete ad and has issues")
    func broken() throws {
        let document = try Self.document("vast-broken")
        #expect(document.ads.map(\.id) == ["whole"])
        #expect(Set(document.issues.map(\.code)) == ["vast.ad.truncated", "xml.repaired"])
    }

    @Test("the empty document has an error URL")
    func empty() throws {
        let document = try Self.document("vast-empty")
        #expect(document.ads.isEmpty)
        #expect(document.errorURLs.map(\.text) == ["\(Samples.base)/t/vast/vast-empty/response/error?code=[ERRORCODE]"])
    }

    @Test(
        "an error behind a wrapper occurs at the wrapper's VASTAdTagURI",
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

    @Test("the unplayable videos have no playable media files")
    func unplayable() throws {
        func files(_ unit: String) throws -> [VASTMediaFile] {
            try #require(Self.document(unit).ads.first?.creatives.first?.linear).mediaFiles
        }
        #expect(try files("vast-vpaid").map(\.isVPAID) == [true])
        #expect(try files("vast-unsupported").map(\.type) == ["video/x-flv", "video/x-ms-wmv"])
        #expect(try files("vast-media-404").map(\.type) == ["video/mp4"])
    }
}

@Suite("The bundled videos, as files")
struct BundledMediaTests {
    private static let media = Bundled.catalogue.files.filter { $0.key.hasPrefix("media/") }

    @Test("each file is small and has the format of its extension")
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

    @Test("an MP4 has its index before its media data, so that it can be streamed")
    func fast() throws {
        for (name, bytes) in Self.media where name.hasSuffix(".mp4") {
            let text = String(decoding: bytes, as: Unicode.ASCII.self)
            let index = try #require(text.firstRange(of: "moov"))
            let media = try #require(text.firstRange(of: "mdat"))
            #expect(index.lowerBound < media.lowerBound, "\(name)")
        }
    }

    @Test("each file is served completely and in ranges", arguments: ["pluvello.mp4", "pluvello.webm"])
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

        // A browser's first request, the end of the file, and a seek position.
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

    @Test("the calls of a video's trackers are recorded with their queries")
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
