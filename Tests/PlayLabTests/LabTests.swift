import AdCore
import Testing
import WebStage

@testable import LoopbackServer
@testable import PlayLab

@Suite("The lab", .timeLimit(.minutes(1)))
struct LabTests {
    @Test("an ad is started, listed and read; unknown ads and paths are named")
    func start() {
        let scene = LabScene()
        let id = scene.start()
        #expect(id == "a1")
        #expect(scene.host.runs[0].order.source == .document(Array("<p>ad</p>".utf8), name: "pasted"))
        scene.host.runs[0].ad.set(.state, ["state": "shown", "title": "An ad"])
        let row = scene.send("GET", "/ads").json["ads"]?.array?.first
        #expect(row?["title"] == "An ad" && row?["state"] == "shown" && row?["command"] == "show a1")
        #expect(scene.send("GET", "/ads/a1").json["id"] == "a1")
        #expect(scene.send("GET", "/ads/a1").json["source"]?["text"] == "<p>ad</p>")
        #expect(scene.send("GET", "/ads/a9").status == 404)
        #expect(scene.send("GET", "/ads/a1/dreams").status == 404)
        #expect(scene.send("DELETE", "/ads").status == 405)
        #expect(scene.send("GET", "/../etc/passwd").status == 404)
        #expect(scene.send("GET", "/options").json["version"] == "1")
    }

    @Test("the list has the start of what was pasted, and the ad the whole")
    func long() {
        let scene = LabScene()
        let text = "<p>" + String(repeating: "long ", count: 1000)
        _ = scene.start(text)
        let listed = scene.send("GET", "/ads").json["ads"]?.array?.first?["source"]?["text"]?.string
        #expect(listed == text.excerpt(200))
        #expect(scene.send("GET", "/ads/a1").json["source"]?["text"]?.string == text)
    }

    @Test("an ad that is not kept any more releases its run")
    func released() {
        let scene = LabScene()
        _ = scene.start()
        let ad = scene.host.runs[0].ad
        ad.finish()
        #expect(ad.bytes == 10 + "<p>ad</p>".utf8.count)
        for _ in 0...Lab.maxEnded {
            _ = scene.start()
            scene.host.runs.last?.ad.finish()
        }
        _ = scene.start()
        #expect(ad.run == nil)
        #expect(scene.send("GET", "/ads/a1").status == 404)
    }

    @Test("what was sent is downloaded under the name that the command has")
    func original() {
        let scene = LabScene()
        _ = scene.start()
        let file: AdJSON = ["kind": "file", "name": "a/\"b\r\nü.zip", "data": "UEsDBA=="]
        _ = scene.send("POST", "/ads", body: ["source": file])
        _ = scene.send("POST", "/ads", body: ["source": ["kind": "bundled", "name": "leaf"]])
        let pasted = scene.send("GET", "/ads/a1/original")
        #expect(pasted.bytes == Array("<p>ad</p>".utf8))
        #expect(pasted.headers["Content-Disposition"] == "attachment; filename=\"pasted.txt\"")
        #expect(scene.send("GET", "/ads/a1/command").json["file"] == "pasted.txt")
        let sent = scene.send("GET", "/ads/a2/original")
        #expect(sent.headers["Content-Disposition"] == "attachment; filename=\"_b _.zip\"")
        #expect(scene.send("GET", "/ads/a2/command").json["file"] == "_b _.zip")
        // The last one is a zip without files, as of an empty folder (APPNOTE.TXT 4.3.16).
        for (name, data) in [("a/-", "UEsDBA=="), ("..", "UEsDBA=="), (".", "UEsDBA=="), ("/", "UEsFBg==")] {
            let source: AdJSON = ["kind": "file", "name": .string(name), "data": .string(data)]
            let id = scene.send("POST", "/ads", body: ["source": source]).json["id"]?.string ?? ""
            #expect(scene.send("GET", "/ads/\(id)/command").json["file"] == "ad.zip")
            scene.host.runs.last?.ad.finish()
        }
        #expect(scene.send("GET", "/ads/a3/original").status == 404)
        #expect(scene.send("GET", "/ads/a3/command").json["file"] == .null)
    }

    @Test("the data of a file is not listed")
    func data() {
        let scene = LabScene()
        _ = scene.send("POST", "/ads", body: ["source": ["kind": "file", "name": "a.zip", "data": "UEsDBA=="]])
        let source = scene.send("GET", "/ads/a1").json["source"]
        #expect(source?["name"] == "a.zip" && source?["data"] == nil)
    }

    @Test("an order that the command refuses starts nothing, and names the field")
    func refused() {
        let scene = LabScene(refusing: LabError("expected a size", field: "size"))
        let response = scene.send("POST", "/ads", body: ["source": ["kind": "bundled", "name": "leaf"]])
        #expect(response.status == 400 && response.json["field"] == "size")
        #expect(scene.send("GET", "/ads").json["ads"] == [])
        #expect(scene.send("POST", "/ads", body: nil).status == 400)
    }

    @Test("only so many ads run: others are refused until one ends")
    func limit() {
        let scene = LabScene()
        for _ in 0..<Lab.maxRunning { _ = scene.start() }
        for run in scene.host.runs { run.ad.touch() }
        let source: AdJSON = ["kind": "markup", "text": "x"]
        #expect(scene.send("POST", "/ads", body: ["source": source]).status == 429)
        scene.host.runs[3].ad.finish()
        #expect(scene.send("POST", "/ads", body: ["source": source]).status == 201)
    }

    @Test("an ad that no page follows is ended after a while; one that is followed is not")
    func idle() {
        let scene = LabScene()
        _ = scene.start()
        _ = scene.start()
        let followed = scene.send("GET", "/ads/a2/events")
        scene.lab.endIdle(at: .now + Lab.idleTime - .seconds(5))
        #expect(scene.host.runs.allSatisfy { !$0.ad.hasEnded })
        scene.lab.endIdle(at: .now + Lab.idleTime + .seconds(5))
        #expect(scene.host.runs.map(\.ad.hasEnded) == [true, false])
        withExtendedLifetime(followed) {}
    }

    @Test("ended ads are kept up to a limit, the newest first")
    func kept() {
        let scene = LabScene()
        for _ in 0..<(Lab.maxEnded + 10) {
            _ = scene.start()
            scene.host.runs.last?.ad.finish()
        }
        let ids = scene.send("GET", "/ads").json["ads"]?.array?.compactMap { $0["id"]?.string } ?? []
        #expect(ids.count <= Lab.maxEnded + 1 && ids.first == "a\(Lab.maxEnded + 10)")
    }

    @Test("pictures: the newest at once, a kept one by its number, and 410 after the end")
    func pictures() {
        let scene = LabScene()
        let id = scene.start()
        let ad = scene.host.runs[0].ad
        let waiting = scene.send("GET", "/ads/\(id)/frame?after=0").later
        #expect(waiting?.poll() == nil)
        ad.add(picture: [1, 2, 3], at: 40)
        let response = waiting?.poll()
        #expect(response?.status == 200 && response?.headers["x-frame"] == "1" && response?.headers["x-time"] == "40")
        #expect(scene.send("GET", "/ads/\(id)/frame?n=1").body == .bytes([1, 2, 3]))
        #expect(scene.send("GET", "/ads/\(id)/frame?n=7").status == 404)
        let next = scene.send("GET", "/ads/\(id)/frame?after=1").later
        #expect(next?.poll() == nil)
        ad.finish()
        #expect(next?.poll()?.status == 410)
    }

    @Test("a listed picture is kept, although others follow at once")
    func listed() {
        let scene = LabScene()
        let id = scene.start()
        let ad = scene.host.runs[0].ad
        ad.add(picture: [1], at: 0)
        ad.publishStrip()
        #expect(ad.part(.strip)?["frames"] == [["n": 1, "t": 0]])
        for time in 1...20 { ad.add(picture: [2], at: Int64(time)) }
        #expect(scene.send("GET", "/ads/\(id)/frame?n=1").body == .bytes([1]))
    }

    @Test("inputs and actions reach the ad in their order")
    func inputs() {
        let scene = LabScene()
        let id = scene.start()
        for type in ["press", "move", "release"] {
            let body: AdJSON = ["type": .string(type), "x": 3, "y": 4]
            #expect(scene.send("POST", "/ads/\(id)/input", body: body).status == 204)
        }
        let steps: [BrowserStage.PointerStep] = [.press, .move, .release]
        #expect(scene.host.runs[0].inputs == steps.map { .point($0, x: 3, y: 4) })
        #expect(scene.send("POST", "/ads/\(id)/do", body: ["action": "cover"]).status == 204)
        #expect(scene.send("POST", "/ads/\(id)/do", body: ["action": "end"]).status == 204)
        #expect(scene.host.runs[0].actions == [.step("cover")] && scene.host.runs[0].ad.hasEnded)
        #expect(scene.send("POST", "/ads/\(id)/input", body: ["type": "fly"]).status == 400)
        let unknown = scene.send("POST", "/ads/\(id)/do", body: ["action": "fly"])
        #expect(unknown.status == 400 && unknown.json["field"] == "action")
    }

    @Test("the stream of events of one ad has nothing of another")
    func apart() {
        let scene = LabScene()
        _ = scene.start()
        _ = scene.start()
        scene.host.runs[0].ad.append("{\"of\":\"first\"}")
        scene.host.runs[1].ad.append("{\"of\":\"second\"}")
        #expect(scene.send("GET", "/ads/a1/events").pieces == "id: 1\ndata: {\"of\":\"first\"}\n\n")
        let resumed = scene.send("GET", "/ads/a2/events", headers: ["last-event-id": "1"])
        #expect(resumed.pieces.isEmpty)
    }

    @Test("a page of an earlier lab gets what comes next, whatever number it has")
    func laterNumber() {
        let scene = LabScene()
        let id = scene.start()
        scene.host.runs[0].ad.append("{\"n\":1}")
        for after in [Int.max, 7] {
            let stream = scene.send("GET", "/ads/\(id)/events?after=\(after)")
            #expect(stream.pieces.isEmpty)
            scene.host.runs[0].ad.append("{\"n\":2}")
            #expect(stream.pieces.contains("data: {\"n\":2}"))
        }
        #expect(scene.send("GET", "/ads/\(id)/events?after=-5").pieces.hasPrefix("id: 1\n"))
    }

    @Test("ads and files of other runs are compared; what is neither, or can't be read, is named")
    func compare() async throws {
        let scene = LabScene()
        let id = scene.start()
        func compared(_ a: AdJSON, _ b: AdJSON) async -> ServerResponse {
            let response = scene.send("POST", "/compare", body: ["a": a, "b": b])
            guard let later = response.later else { return response }
            while !Task.isCancelled {
                if let known = later.poll() { return known }
                await Task.yield()
            }
            return response
        }
        let file: AdJSON = ["name": "report.html", "data": "PHA+"]
        #expect(await compared(file, .string(id)).json["pair"] == ["report.html of 3", "show a1"])
        let empty = await compared(["name": "x", "data": ""], .string(id))
        #expect(empty.status == 400 && empty.json["error"] == "x is empty")
        let wrong = await compared(.string(id), ["name": "x", "data": "§"])
        #expect(wrong.status == 400 && wrong.json["field"] == "b")
        #expect(await compared("a9", .string(id)).status == 404)
        #expect(await compared(.null, .string(id)).json["field"] == "a")
    }

    @Test("two hundred pages follow one ad: each gets every event and the newest picture, and none is left behind")
    func manyPages() {
        let scene = LabScene()
        let id = scene.start()
        let ad = scene.host.runs[0].ad
        var streams = (0..<200).map { _ in scene.send("GET", "/ads/\(id)/events") }
        var pictures = (0..<200).compactMap { _ in scene.send("GET", "/ads/\(id)/frame?after=0").later }
        ad.append("{\"n\":1}")
        ad.add(picture: [1], at: 0)
        #expect(streams.allSatisfy { $0.pieces.contains("{\"n\":1}") })
        #expect(pictures.count == 200 && pictures.allSatisfy { $0.poll()?.headers["x-frame"] == "1" })
        #expect(ad.isWatched)
        (streams, pictures) = ([], [])
        #expect(!ad.isWatched)
    }

    @Test("a page that does not read its events costs no memory: the oldest are dropped, with a note")
    func slowPage() {
        let scene = LabScene()
        let id = scene.start()
        let ad = scene.host.runs[0].ad
        let stream = scene.send("GET", "/ads/\(id)/events")
        let line = "{\"text\":\"" + String(repeating: "x", count: 2_000) + "\"}"
        for _ in 0..<20_000 { ad.append(line) }
        #expect(ad.bytes < LabAd.maxLineBytes + 1_000)
        #expect(stream.pieces.hasPrefix("data: {\"event\":\"omitted\""))
    }

    @Test("after its end the lab starts nothing more")
    func over() {
        let scene = LabScene()
        _ = scene.start()
        scene.lab.end()
        #expect(scene.host.runs[0].ad.hasEnded)
        #expect(scene.send("POST", "/ads", body: ["source": ["kind": "markup", "text": "x"]]).status == 503)
    }
}
