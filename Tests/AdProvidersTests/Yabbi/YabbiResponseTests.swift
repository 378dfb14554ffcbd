import AdCore
import AdProviders
import Testing

@Suite("YABBI responses")
struct YabbiResponseTests {
    private func batch(_ body: String, status: Int = 200, for placement: YabbiPlacement = .banner(unit: "u")) throws
        -> OfferBatch
    {
        try Responses.yabbi.offers(
            from: Responses.response(body, status: status),
            for: placement,
            in: Responses.context
        )
    }

    private func offer(_ body: String, for placement: YabbiPlacement = .banner(unit: "u")) throws -> Offer {
        try #require(try self.batch(body, for: placement).offers.first)
    }

    @Test("the example response becomes an offer with its rules and its two trackers")
    func whole() throws {
        let offer = try self.offer(Responses.whole)
        #expect(offer.rules.kind == .banner)
        #expect(offer.rules.closeDelay == .seconds(5))
        #expect(offer.size == .fixed(Size(width: 320, height: 50)))
        let html = try #require(offer.creative.html)
        #expect(html.markup.contains("https://shop.example/"))
        #expect(html.document.contains(html.markup))
        #expect(offer.beacons.map(\.event) == [.view, .click])
        #expect(offer.beacons.map(\.call.isBilling) == [true, false])
        #expect(offer.beacons.map(\.call.address.text) == ["https://t.example/v?id=1", "https://t.example/c?id=1"])
        #expect(offer.beacons.allSatisfy { $0.call.headers["User-Agent"] == "Agent/1" })
        #expect(offer.issues.isEmpty)
    }

    @Test(
        "a response without an ad is no fill, not an error",
        arguments: [
            ("", 204), ("ignored", 204), ("", 200), (" \n", 200), (Responses.with("adm", #""""#), 200),
            (Responses.with("adm", #""  \n ""#), 200), (Responses.with("adm", "null"), 200),
            (Responses.with("adm", nil), 200),
            ("{}", 200), (#"{"adm": null}"#, 200), (#"{"type": 1}"#, 200),
            (Responses.with("adm", #""<!-- nothing -->""#), 200),
            (Responses.with("adm", #""<img src='https://t.example/p' width=1 height=1>""#), 200),
        ]
    )
    func noFill(body: String, status: Int) throws {
        #expect(try self.batch(body, status: status).offers.isEmpty)
    }

    @Test(
        "markup without visible content is no fill, with an issue",
        arguments: [
            ("<!-- nothing -->", ["adm.blank"]), ("<img src='https://t.example/p' width=1 height=1>", ["adm.blank"]),
            ("", []), (" \\n ", []),
        ]
    )
    func blank(markup: String, codes: [String]) throws {
        let batch = try self.batch(Responses.with("adm", "\"\(markup)\""))
        #expect(batch.offers.isEmpty)
        #expect(batch.issues.map(\.code) == codes)
    }

    @Test("repairs of the JSON are recorded, with and without an ad")
    func repairs() throws {
        let body = #"{"type":1,"adm":"<p>\ud800</p>","adm":"<p>x</p>","tracker":{"view":"","click":""}}"#
        let batch = try self.batch(body)
        #expect(try #require(batch.offers.first?.creative.html).markup == "<p>x</p>")
        #expect(batch.issues.map(\.code) == ["json.surrogate", "json.duplicate"])
        #expect(try self.batch(#"{"adm":"<p>x</p>","adm":""}"#).issues.map(\.code) == ["json.duplicate"])
        #expect(
            try self.batch(#"{"type":1,"adm":"<!-- -->","type":1,"tracker":{}}"#).issues.map(\.code).last
                == "json.duplicate"
        )
    }

    @Test(
        "a tracker value that is not an object is an issue",
        arguments: ["[\"http://e.example\"]", "\"x\""]
    )
    func trackerKind(json: String) throws {
        let issues = try self.offer(Responses.with("tracker", json)).issues
        #expect(issues.map(\.code) == ["tracker.noObject", "tracker.noObject"])
        #expect(issues.allSatisfy { $0.place == .field("tracker") && $0.message.contains("where an object should be") })
        let absent = try self.offer(Responses.with("tracker", "null")).issues
        #expect(absent.map(\.code) == ["tracker.view.missing", "tracker.click.missing"])
    }

    @Test(
        "an unusable response is a typed error that says why",
        arguments: [
            ("oops", 500, AdError.Code.serverStatus, "500"),
            ("", 404, .serverStatus, "404"),
            ("<html><body>Login</body></html>", 200, .unreadableResponse, "HTML"),
            (#"{"type": 1, "adm": "<p>"#, 200, .unreadableResponse, "not JSON"),
            ("[]", 200, .unreadableResponse, "an array"),
            ("NaN", 200, .unreadableResponse, "not JSON"),
            ("\u{FEFF}\n <!DOCTYPE html><p>Portal</p>", 200, .unreadableResponse, "HTML"),
            ("{} {}", 200, .unreadableResponse, "after the value"),
            (#"{"error": "no such publisher", "status": 3}"#, 200, .incompleteOffer, "error, status"),
            (Responses.with("adm", "5"), 200, .unreadableResponse, "adm is a number"),
            (Responses.with("adm", "{}"), 200, .unreadableResponse, "adm is an object"),
            (Responses.with("adm", "[1]"), 200, .unreadableResponse, "adm is an array"),
            (Responses.with("adm", "false"), 200, .unreadableResponse, "adm is a boolean"),
            (Responses.with("type", "true"), 200, .incompleteOffer, "type"),
            (Responses.with("type", "0"), 200, .unknownType, "0"),
            (Responses.with("type", "-1"), 200, .unknownType, "-1"),
            (Responses.with("type", "1e300"), 200, .unknownType, "1e+300"),
            (Responses.with("type", nil), 200, .incompleteOffer, "type"),
            (Responses.with("type", "null"), 200, .incompleteOffer, "type"),
            (Responses.with("type", #""banner""#), 200, .incompleteOffer, "type"),
            (Responses.with("type", "9"), 200, .unknownType, "9"),
            (Responses.with("type", "1.5"), 200, .unknownType, "1.5"),
            (Responses.with("type", "2"), 200, .formatMismatch, "type 2 (video)"),
            (Responses.with("adm", #""<VAST version='4.2'></VAST>""#), 200, .markupMismatch, "VAST"),
            (Responses.with("adm", #""{\"json\": 1}""#), 200, .markupMismatch, "JSON"),
        ]
    )
    func errors(body: String, status: Int, code: AdError.Code, hint: String) {
        #expect {
            try self.batch(body, status: status)
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == code && error.message.contains(hint)
        }
    }

    @Test("HTML in a video response is a mismatch whose message names both", arguments: [2, 3])
    func videoMismatch(type: Int) {
        let placement: YabbiPlacement = type == 2 ? .interstitial(unit: "u") : .rewarded(unit: "u")
        #expect {
            try self.batch(Responses.with("type", "\(type)"), for: placement)
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == .markupMismatch && error.message.contains("type \(type)")
                && error.message.contains("HTML")
        }
    }

    @Test(
        "each format accepts only its types",
        arguments: [
            (AdFormat.banner, 1, true), (.interstitial, 1, true), (.rewarded, 1, false), (.banner, 2, false),
            (.banner, 3, false), (.interstitial, 3, false), (.rewarded, 2, false),
        ]
    )
    func formats(format: AdFormat, type: Int, suits: Bool) throws {
        let placements: [AdFormat: YabbiPlacement] = [
            .banner: .banner(unit: "u"), .interstitial: .interstitial(unit: "u"), .rewarded: .rewarded(unit: "u"),
        ]
        let placement = try #require(placements[format])
        do throws(AdError) {
            let response = Responses.response(Responses.with("type", "\(type)"))
            _ = try Responses.yabbi.offers(from: response, for: placement, in: Responses.context)
            #expect(suits)
        } catch {
            #expect(!suits && error.code == .formatMismatch)
        }
    }

    @Test("HTML in an interstitial placement is an interstitial")
    func interstitial() throws {
        #expect(try self.offer(Responses.whole, for: .interstitial(unit: "u")).rules.kind == .interstitial)
    }

    @Test(
        "each repair is recorded with its field",
        arguments: [
            ("closeTimeout", "-5", "closeTimeout.negative"), ("closeTimeout", "1e300", "closeTimeout.huge"),
            ("closeTimeout", "1e308", "closeTimeout.huge"), ("closeTimeout", "600001", "closeTimeout.huge"),
            ("closeTimeout", nil, "closeTimeout.missing"), ("closeTimeout", "null", "closeTimeout.missing"),
            ("closeTimeout", "{}", "closeTimeout.noNumber"), ("closeTimeout", #""NaN""#, "closeTimeout.noNumber"),
            ("closeTimeout", #""-Infinity""#, "closeTimeout.noNumber"),
            ("closeTimeout", "-1e308", "closeTimeout.negative"),
            ("closeTimeout", #""soon""#, "closeTimeout.noNumber"), ("closeTimeout", "1e999", "closeTimeout.range"),
            ("closeTimeout", #""2000""#, "closeTimeout.text"), ("width", #""320""#, "width.text"),
            ("width", "-320", "width.impossible"), ("height", #""NaN""#, "height.noNumber"),
            ("width", "1e9", "width.impossible"), ("height", "[]", "height.noNumber"), ("type", #""1""#, "type.text"),
            ("width", #""0x140""#, "width.noNumber"), ("width", #""inf""#, "width.noNumber"),
            ("width", nil, "width.missing"), ("height", "null", "height.missing"), ("width", "true", "width.noNumber"),
            ("tracker", #""https://t.example/v""#, "tracker.noObject"),
            ("tracker", #"{"view": "javascript:alert(1)", "click": ""}"#, "tracker.view.noURL"),
            ("tracker", #"{"view": "", "click": "https://t.example/c"}"#, "tracker.view.missing"),
            ("tracker", #"{"view": "https://t.example/v", "click": "nowhere"}"#, "tracker.click.noURL"),
            ("tracker", #"{"view": 5, "click": "https://t.example/c"}"#, "tracker.view.noText"),
            ("tracker", "null", "tracker.view.missing"), ("tracker", nil, "tracker.view.missing"),
        ] as [(String, String?, String)]
    )
    func repairs(field: String, json: String?, code: String) throws {
        let offer = try self.offer(Responses.with(field, json))
        #expect(offer.issues.contains { $0.code == code && $0.place.description.hasPrefix(field) }, "\(offer.issues)")
        if case .fixed(let size) = offer.size { #expect(size.width > 0 && size.height > 0) }
    }

    @Test("a negative closeTimeout is 0, a huge one ten minutes, a decimal one exact, a missing one nil")
    func timeouts() throws {
        #expect(try self.offer(Responses.with("closeTimeout", "-5")).rules.closeDelay == .zero)
        #expect(try self.offer(Responses.with("closeTimeout", "1e300")).rules.closeDelay == .seconds(600))
        #expect(try self.offer(Responses.with("closeTimeout", "1500.5")).rules.closeDelay == .microseconds(1_500_500))
        #expect(try self.offer(Responses.with("closeTimeout", nil)).rules.closeDelay == nil)
        for (json, seconds) in [("45000", 45), ("600000", 600), ("600001", 600), ("1e12", 600), ("1e308", 600)] {
            let offer = try self.offer(Responses.with("closeTimeout", json))
            #expect(offer.rules.closeDelay == .seconds(seconds), "\(json)")
            #expect(offer.issues.map(\.code) == (Double(json) ?? 0 > 600_000 ? ["closeTimeout.huge"] : []), "\(json)")
        }
        let huge = try self.offer(Responses.with("closeTimeout", "1e308")).issues
        #expect(huge.map(\.message) == ["closeTimeout is 1e+308 ms; the maximum of ten minutes is used"])
    }

    @Test("a missing or zero side makes the size adaptive", arguments: ["width", "height"])
    func adaptive(side: String) throws {
        for json in [nil, "0", "null", "-1"] { #expect(try self.offer(Responses.with(side, json)).size == .adaptive) }
    }

    @Test("without trackers there are no beacons, and nothing else changes")
    func noTrackers() throws {
        let offer = try self.offer(Responses.with("tracker", "{}"))
        #expect(offer.beacons.isEmpty)
        #expect(offer.issues.count == 2)
    }

    @Test(
        "an invalid tracker address becomes a dead beacon, with an issue",
        arguments: [
            (#""javascript:alert(1)""#, "tracker.view.noURL"), (#""/view?id=1""#, "tracker.view.noURL"),
            (#""t.example/view""#, "tracker.view.noURL"), ("5", "tracker.view.noText"), ("true", "tracker.view.noText"),
            (#"["https://t.example/v"]"#, "tracker.view.noText"),
        ]
    )
    func deadTrackers(json: String, code: String) throws {
        let offer = try self.offer(Responses.with("tracker", #"{"view": \#(json), "click": "https://t.example/c"}"#))
        let view = try #require(offer.beacons.first)
        #expect(offer.beacons.map(\.event) == [.view, .click])
        let problem = try #require(view.call.address.uncallableReason)
        #expect(problem.hasPrefix("the address can't be called: it"))
        #expect(offer.issues.map(\.code) == [code])
        #expect(
            offer.issues.first?.message.hasSuffix("the beacon of the view is never sent, and listed as dead") == true
        )
    }

    @Test("a missing tracker object means no beacons, with an issue", arguments: ["null", #""""#])
    func missingTrackers(json: String) throws {
        let offer = try self.offer(Responses.with("tracker", #"{"view": \#(json), "click": "https://t.example/c"}"#))
        #expect(offer.beacons.map(\.event) == [.click] && offer.issues.map(\.code) == ["tracker.view.missing"])
    }

    @Test(
        "a response in another encoding is decoded, with an issue that names it",
        arguments: [
            ("utf-16le", true, nil), ("utf-16le", false, nil), ("utf-16be", true, nil), ("utf-16be", false, nil),
            ("windows-1252", false, "application/json; charset=iso-8859-1"),
            ("windows-1252", false, "application/json;charset=\"ISO-8859-1\""),
            ("windows-1251", false, "application/json; charset=windows-1251"),
        ] as [(String, Bool, String?)]
    )
    func encodings(name: String, hasMark: Bool, contentType: String?) throws {
        let word = name == "windows-1251" ? "Папоротник" : "Fougère"
        let text = Responses.with("adm", #""<p>\#(word)</p>""#)
        var bytes: [UInt8] = []
        switch name {
        case "utf-16le":
            bytes = (hasMark ? [0xFF, 0xFE] : []) + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        case "utf-16be":
            bytes = (hasMark ? [0xFE, 0xFF] : []) + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        case "windows-1251":
            bytes = text.unicodeScalars.map { UInt8($0.value < 0x80 ? $0.value : $0.value - 0x350) }
        default: bytes = text.unicodeScalars.map { UInt8($0.value) }
        }
        var headers: AdHTTPHeaders = [:]
        headers["Content-Type"] = contentType
        let response = AdHTTPResponse(status: 200, headers: headers, body: bytes, url: Responses.endpoint)
        let batch = try Responses.yabbi.offers(from: response, for: .banner(unit: "u"), in: Responses.context)
        #expect(batch.offers.first?.creative.html?.markup == "<p>\(word)</p>")
        #expect(batch.issues.map(\.code) == ["answer.encoding"])
        #expect(batch.issues.first?.message.contains(name) == true)
    }

    @Test(
        "valid UTF-8 is read as UTF-8, whatever the content type says, without an issue",
        arguments: [nil, "application/json", "application/json; charset=utf-8", "application/json; charset=ISO-8859-1"]
    )
    func wrongCharset(contentType: String?) throws {
        var headers: AdHTTPHeaders = [:]
        headers["Content-Type"] = contentType
        let body = Array(Responses.with("adm", #""<p>Папоротник</p>""#).utf8)
        let response = AdHTTPResponse(status: 200, headers: headers, body: body, url: Responses.endpoint)
        let batch = try Responses.yabbi.offers(from: response, for: .banner(unit: "u"), in: Responses.context)
        #expect(batch.offers.first?.creative.html?.markup == "<p>Папоротник</p>" && batch.issues.isEmpty)
    }

    @Test("an unknown encoding is read as UTF-8, and half a character of UTF-16 is dropped")
    func brokenEncodings() throws {
        let unknown = AdHTTPResponse(
            status: 200,
            headers: ["Content-Type": "application/json; charset=x-frondolo"],
            body: Array(Responses.with("adm", "\"<p>\u{1}é</p>\"").utf8).map {
                $0 == 0xC3 ? 0xFF : $0 == 1 ? 0x20 : $0
            },
            url: Responses.endpoint
        )
        let batch = try Responses.yabbi.offers(from: unknown, for: .banner(unit: "u"), in: Responses.context)
        #expect(batch.offers.count == 1 && batch.issues.map(\.code).contains("encoding.unknown"))
        let units = Responses.whole.utf16.flatMap { unit in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        let half: [UInt8] = [0xFE, 0xFF] + units + [0x00]
        let cut = AdHTTPResponse(status: 200, body: half, url: Responses.endpoint)
        let other = try Responses.yabbi.offers(from: cut, for: .banner(unit: "u"), in: Responses.context)
        #expect(other.offers.count == 1 && other.issues.map(\.code) == ["answer.encoding", "encoding.replaced"])
    }

    @Test("an ad larger than its place is shown, with an issue")
    func misfit() throws {
        let room = Size(width: 320, height: 50)
        for (width, height, hasIssue) in [
            (320, 50, false), (300, 50, false), (728, 90, true), (320, 51, true), (0, 90, false),
        ] {
            let body = Responses.with("width", "\(width)").replacing("\"height\": 50", with: "\"height\": \(height)")
            let offer = try self.offer(body, for: .banner(unit: "u", size: room))
            #expect(offer.issues.map(\.code) == (hasIssue ? ["size.larger"] : []), "\(width)x\(height)")
            #expect(try self.offer(body, for: .banner(unit: "u")).issues.isEmpty)
        }
    }

    @Test("a trailing comma is removed, with an issue that names its line")
    func comma() throws {
        let batch = try self.batch("{\"type\": 1,\n\"adm\": \"<p>See me</p>\", \"tracker\": {\"view\": \"\",},\n}")
        #expect(batch.offers.count == 1)
        #expect(batch.issues.map { "\($0.code) \($0.place)" } == ["json.comma line 2", "json.comma line 2"])
    }

    @Test("the error of malformed JSON names the line")
    func line() {
        #expect {
            try self.batch("{\n  \"type\": 1,\n  \"adm\" \"x\"\n}")
        } throws: { error in
            guard let error = error as? AdError else { return false }
            return error.code == .unreadableResponse && error.place.line == 3
        }
    }

    @Test(
        "VAST of a video type is proposed unchanged, with the response's rules and trackers",
        arguments: [(2, "<VAST version='4.2'/>"), (3, "\n<?xml version='1.0'?>\n<!-- x --><VAST version='3.0'/>")]
    )
    func video(type: Int, markup: String) throws {
        let placement: YabbiPlacement = type == 2 ? .interstitial(unit: "u") : .rewarded(unit: "u")
        let answer: AdJSON = [
            "type": .int(Int64(type)), "adm": .string(markup), "width": 640, "height": 360, "closeTimeout": 5000,
            "tracker": ["view": "https://t.example/v", "click": "https://t.example/c"],
        ]
        guard case .video(let video) = try self.batch(answer.text(), for: placement).proposals.first else {
            Issue.record("the proposal is not a video")
            return
        }
        #expect(video.markup == markup)
        #expect(video.isRewarded == (type == 3))
        #expect(video.closeDelay == .seconds(5))
        #expect(video.beacons.map(\.event) == [.view, .click])
        #expect(video.context == Responses.context)
    }

    @Test("an integer may be written as a decimal, without an issue")
    func decimals() throws {
        let offer = try self.offer(Responses.with("type", "1.0"))
        #expect(offer.issues.isEmpty)
        #expect(try self.offer(Responses.with("width", "320.5")).size == .fixed(Size(width: 320.5, height: 50)))
    }

    @Test("unknown fields are ignored")
    func unknownFields() throws {
        let offer = try self.offer(Responses.with("later", #"{"deep": [1, null]}"#))
        #expect(offer.issues.isEmpty)
        #expect(offer.size == .fixed(Size(width: 320, height: 50)))
    }

    @Test("a size of 0 is adaptive, without an issue")
    func zeroes() throws {
        let offer = try self.offer(Responses.with("width", "0"))
        #expect(offer.size == .adaptive)
        #expect(offer.issues.isEmpty)
    }

    @Test("an error quotes a body as one short line without control characters")
    func quote() {
        let body = "Bad\u{1B}[31m \r\n\t gate\u{202E}way " + String(repeating: "e\u{301}", count: 5000)
        do throws(AdError) {
            let response = Responses.response(body, status: 502)
            _ = try Responses.yabbi.offers(from: response, for: .banner(unit: "u"), in: Responses.context)
            Issue.record("a response with status 502 is an error")
        } catch {
            #expect(error.code == .serverStatus)
            #expect(error.message.contains("502: Bad [31m gate way "))
            #expect(error.message.unicodeScalars.count < 300)
            #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
        }
    }

    @Test("a binary body is not quoted")
    func binary() {
        #expect {
            try self.batch("\u{0}\u{1}PNG", status: 500)
        } throws: { error in
            (error as? AdError)?.message == "the server responded with status 500"
        }
    }

    @Test("an issue quotes a bounded text, however many bytes a character has")
    func longCharacters() throws {
        let text = "e" + String(repeating: "\u{301}", count: 100_000)
        let offer = try self.offer(Responses.with("width", "\"\(text)\""))
        #expect(offer.issues.allSatisfy { $0.message.utf8.count < 500 })
    }

    @Test("markup beyond a limit is an error that names the limit")
    func tooDeep() {
        let markup = String(repeating: "<div>", count: 200_000)
        #expect {
            try self.batch(Responses.with("adm", "\"\(markup)\""))
        } throws: { error in
            (error as? AdError)?.code == .unsupportedCreative
        }
    }

    @Test("the delivery guarantee decides whether an unconfirmed beacon is sent again", arguments: [true, false])
    func guarantee(resends: Bool) throws {
        let guarantee: DeliveryGuarantee = resends ? .atLeastOnce : .atMostOnce
        let provider = YabbiProvider(endpoint: Responses.endpoint, app: Responses.app, guarantee: guarantee)
        let batch = try provider.offers(
            from: Responses.response(Responses.whole),
            for: .banner(unit: "u"),
            in: Responses.context
        )
        #expect(batch.offers.first?.beacons.map(\.call.guarantee) == [guarantee, guarantee])
        #expect(batch.offers.first?.beacons.allSatisfy { $0.call.successRule == .success } == true)
        #expect(provider.openMode == .systemBrowser)
    }
}
