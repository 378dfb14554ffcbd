import AdCore
import LoopbackServer
import Testing

@testable import SandboxSSP

@Suite("YABBI's ad request")
struct YabbiEndpointTests {
    @Test("an ad has exactly the fields of YABBI's protocol")
    func fields() throws {
        var state = Samples.state()
        let response = state.request("POST", "/yabbi/load", Samples.load("leaf"))
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "application/json")
        #expect(
            response.text == #"""
                {"type":1,"adm":"<a href=\"http://127.0.0.1:9/landing?from=leaf\"><img src=\"http://127.0.0.1:9/creatives/leaf.svg\"></a>","closeTimeout":1500,"width":320,"height":50,"tracker":{"view":"http://127.0.0.1:9/t/yabbi/view?ad=1&unit=leaf","click":"http://127.0.0.1:9/t/yabbi/click?ad=1&unit=leaf"}}
                """#
        )
    }

    @Test("the type is the creative's kind", arguments: [("leaf", 1), ("river", 2), ("prize", 3)])
    func types(unit: String, type: Double) {
        var state = Samples.state()
        #expect(state.request("POST", "/yabbi/load", Samples.load(unit)).json?["type"]?.number == type)
    }

    @Test("every ad has its own trackers")
    func serials() {
        var state = Samples.state()
        let views = (0..<3).map { _ in
            state.request("POST", "/yabbi/load", Samples.load("leaf")).json?["tracker"]?["view"]?.string
        }
        #expect(Set(views).count == 3)
    }

    @Test(
        "the error names a missing field",
        arguments: ["ifa", "pubID", "unitID", "bundle", "userAgent", "appName", "geo"]
    )
    func missing(field: String) {
        var state = Samples.state()
        let response = state.request("POST", "/yabbi/load", Samples.load("leaf", [field: .none]))
        #expect(response.status == 400)
        #expect(response.json?["error"]?.string == "\"\(field)\" is missing")
        #expect(response.json?["field"]?.string == field)
    }

    @Test(
        "the error names a field with a wrong type or value",
        arguments: [
            ("ifa", AdJSON.null, "ifa"), ("pubID", 7, "pubID"), ("pubID", "", "pubID"), ("unitID", ["leaf"], "unitID"),
            ("bundle", nil, "bundle"), ("userAgent", false, "userAgent"), ("appName", [:], "appName"),
            ("geo", "home", "geo"), ("geo", [:], "geo.latitude"), ("geo", ["latitude": 1], "geo.longitude"),
            ("geo", ["latitude": 91, "longitude": 1, "precision": 1], "geo.latitude"),
            ("geo", ["latitude": "1", "longitude": 1, "precision": 1], "geo.latitude"),
            ("geo", ["latitude": 1, "longitude": 181, "precision": 1], "geo.longitude"),
            ("geo", ["latitude": 1, "longitude": 1, "precision": -1], "geo.precision"),
        ] as [(String, AdJSON, String)]
    )
    func illTyped(field: String, value: AdJSON, named: String) {
        var state = Samples.state()
        let response = state.request("POST", "/yabbi/load", Samples.load("leaf", [field: value]))
        #expect(response.status == 400)
        #expect(response.json?["field"]?.string == named)
        #expect(response.json?["error"]?.string?.hasPrefix("\"\(named)\" ") == true)
    }

    @Test("a position, empty user ids and unknown fields are accepted")
    func lenient() {
        var state = Samples.state()
        let geo: AdJSON = ["latitude": .double(55.75), "longitude": .double(37.61), "precision": 100]
        let body = Samples.load("leaf", ["geo": geo, "ifa": "", "userAgent": "", "more": 1])
        #expect(state.request("POST", "/yabbi/load", body).status == 200)
    }

    @Test("a body that is not a JSON object is refused", arguments: ["", "[]", "{", "null", "\u{1}", "<html>"])
    func notAnObject(body: String) {
        var state = Samples.state()
        let response = state.request("POST", "/yabbi/load", bytes: Array(body.utf8))
        #expect(response.status == 400)
        #expect(response.json?["error"]?.string?.hasPrefix("the body ") == true)
    }

    @Test("an unknown placement is an error that lists the available ones")
    func unknown() throws {
        var state = Samples.state()
        let response = state.request("POST", "/yabbi/load", Samples.load("leave"))
        #expect(response.status == 404)
        let message = try #require(response.json?["error"]?.string)
        for name in ["leave", "leaf", "river", "nofill", "bad-huge"] { #expect(message.contains(name)) }
        #expect(!message.contains("nofill-nbr"))
    }

    @Test("each kind of no fill has its own response")
    func noFill() {
        var state = Samples.state()
        let none = state.request("POST", "/yabbi/load", Samples.load("nofill"))
        #expect(none.status == 204 && none.bytes.isEmpty)
        let empty = state.request("POST", "/yabbi/load", Samples.load("nofill-empty"))
        #expect(empty.status == 200 && empty.bytes.isEmpty)
        let markup = state.request("POST", "/yabbi/load", Samples.load("nofill-adm"))
        #expect(markup.status == 200 && markup.json?["adm"]?.string == "" && markup.json?["type"]?.number == 1)
    }

    @Test("each error scenario differs from a valid response only in its own fields")
    func bad() throws {
        var state = Samples.state()
        func answer(_ unit: String) -> ServerResponse { state.request("POST", "/yabbi/load", Samples.load(unit)) }
        let good = try #require(answer("slow").json)
        func difference(_ unit: String) throws -> [String] {
            let bad = try #require(answer(unit).json)
            return ["type", "adm", "closeTimeout", "width", "height"].filter { bad[$0] != good[$0] }
        }
        #expect(try difference("bad-type") == ["type"])
        #expect(try difference("bad-adm-mismatch") == ["type"])
        #expect(try difference("bad-close-timeout") == ["closeTimeout"])
        #expect(try difference("bad-close-timeout-huge") == ["closeTimeout"])
        #expect(try difference("bad-size") == ["width", "height"])
        #expect(try difference("bad-empty-tracker") == [])
        #expect(answer("bad-type").json?["type"]?.number == 9)
        #expect(answer("bad-adm-mismatch").json?["type"]?.number == 2)
        #expect(answer("bad-close-timeout").json?["closeTimeout"]?.number == -5000)
        #expect(answer("bad-close-timeout-huge").json?["closeTimeout"]?.number == 1e300)
        #expect(answer("bad-size").json?["width"] == "320" && answer("bad-size").json?["height"] == "NaN")
        #expect(answer("bad-empty-tracker").json?["tracker"] == ["view": "", "click": ""])
        #expect(answer("bad-500").status == 500)
        #expect(answer("bad-html-instead").headers["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(answer("bad-html-instead").status == 200)
        let broken = answer("broken")
        #expect(broken.status == 200 && broken.json == nil && broken.text.hasPrefix(#"{"type":1,"#))
    }

    @Test("the scenario slow delays its ad")
    func slow() {
        var state = Samples.state()
        let response = state.request("POST", "/yabbi/load", Samples.load("slow"))
        #expect(response.delay == .seconds(3))
        #expect(response.json?["type"]?.number == 1)
    }

    @Test("the scenario bad-huge is one valid JSON value of 50 MB that is not held in memory")
    func huge() {
        var state = Samples.state()
        let response = state.request("POST", "/yabbi/load", Samples.load("bad-huge"))
        guard case .filled(let before, _, let times, let after) = response.body else {
            Issue.record("the body is held in memory")
            return
        }
        #expect(times == 50 << 20)
        let small = try? AdJSON(parsing: before + after)
        #expect(small?["adm"]?.string == "" && small?["tracker"] != nil)
    }

    @Test("only POST is allowed")
    func method() {
        var state = Samples.state()
        let response = state.request("GET", "/yabbi/load")
        #expect(response.status == 405)
        #expect(response.headers["Allow"] == "POST")
    }
}
