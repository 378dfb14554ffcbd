import AdCore
import Testing

@testable import WebStage

@Suite("The bridge between an MRAID ad and its host")
struct MRAIDBridgeTests {
    private static let root = EngineTarget(name: "root")
    private static let page = EngineTarget(name: "page")

    private static func bridge(_ document: String = "<script src=mraid.js></script>") -> MRAIDBridge {
        MRAIDBridge(self.plan(document))
    }

    private static func plan(_ document: String = "<script src=mraid.js></script>") -> StagePlan {
        let screen = Size(width: 390, height: 844)
        let size = CreativeLayout(.fixed(Size(width: 320, height: 50)), in: AdContainer(width: 390, screen: screen))
        let geometry = StageGeometry(screen: screen, size: size)
        return StagePlan(name: "ad", layout: .inline, geometry: geometry, document: document)
    }

    /// A bridge with the object injected, for the frame F.
    private static func open() -> MRAIDBridge {
        var bridge = self.bridge()
        _ = bridge.prepare(.main, self.root, frame: "F")
        return bridge
    }

    private static func message(
        _ payload: String,
        from sender: EngineWorld? = .page(frame: "F"),
        channel: EngineChannel = .mraid
    ) -> EngineMessage { EngineMessage(channel, payload, from: sender) }

    private static let close = #"{"n":1,"c":"close"}"#

    @Test("only commands of the main world of the creative's own frame are read")
    func worlds() {
        let bridge = Self.open()
        #expect(bridge.call(Self.message(Self.close), in: Self.root) != nil)
        // A nested frame in the same process, the host's world, a replaced document.
        for sender in [EngineWorld.page(frame: "G"), .host(frame: "F"), nil] {
            #expect(bridge.call(Self.message(Self.close, from: sender), in: Self.root) == nil)
        }
        // A nested frame in another process, the host page, another channel.
        #expect(bridge.call(Self.message(Self.close), in: EngineTarget(name: "inner")) == nil)
        #expect(bridge.call(Self.message(Self.close), in: Self.page) == nil)
        #expect(bridge.call(Self.message(Self.close, channel: .creative), in: Self.root) == nil)
    }

    @Test(
        "an invalid message is ignored",
        arguments: [
            "", "close", "[", "[]", "null", "{}", #"{"n":"1","c":"close"}"#,
            #"{"n":1,"c":"close","x":""# + String(repeating: "x", count: 70_000) + "\"}",
            String(repeating: "[", count: 60_000),
        ]
    )
    func noise(payload: String) { #expect(Self.open().call(Self.message(payload), in: Self.root) == nil) }

    @Test("an ad gets the position that it may have, and says that it supports it; without one there is none")
    func location() {
        var plan = Self.plan()
        #expect(Self.script(of: plan).contains(#""location":null"#))
        plan.location = AdContext.Location(latitude: 59.5, longitude: -18, precision: 40)
        #expect(Self.script(of: plan).contains(#""location":{"lat":59.5,"lon":-18,"type":1,"accuracy":40}"#))
    }

    private static func script(of plan: StagePlan) -> String {
        var bridge = MRAIDBridge(plan)
        let outputs = bridge.prepare(.main, self.root, frame: "F")
        for case .send(.addScript(let script, in: _)) in outputs { return script.source }
        return ""
    }

    @Test("commands of a creative without the object are ignored")
    func closed() {
        var bridge = Self.bridge("<p>hello</p>")
        #expect(bridge.prepare(.main, Self.root, frame: "F").isEmpty)
        #expect(bridge.call(Self.message(Self.close), in: Self.root) == nil)
        #expect(bridge.send(.main, MRAIDUpdate()).isEmpty)
    }

    @Test("an update is sent as an argument, never as code")
    func send() throws {
        let update = MRAIDUpdate(events: [["error", "'); evil('\u{2028}", "open"]])
        guard
            case .send(.call(let function, let argument, let world, Self.root)) = Self.open().send(.main, update).first
        else {
            Issue.record("nothing was sent")
            return
        }
        #expect(world == .page(frame: "F") && !function.contains("evil"))
        #expect(try AdJSON(parsing: argument)["events"] == [["error", "'); evil('\u{2028}", "open"]])
    }

    @Test(
        "mraid.js is recognized by its file name, on any server",
        arguments: [
            ("https://ad.yabbi-creative.invalid/mraid.js", true), ("https://cdn.example/a/b/MRAID.js?v=2#x", true),
            ("https://cdn.example/mraid.json", false), ("https://cdn.example/mymraid.js", false),
            ("mraid.js", true), ("js/MRAID.JS#x", true), ("mraid.js/", false),
            ("https://cdn.example/?mraid.js", false), ("https://cdn.example/a.js?/mraid.js", false),
        ]
    )
    func script(url: String, isIt: Bool) { #expect(MRAIDScript.isNamed(by: url) == isIt) }

    private static func request(_ url: String, frame: String, load: String, in target: EngineTarget) -> EngineRequest {
        EngineRequest(EngineRequestID(number: "1", target: target), url: url, kind: .document, frame: frame, load: load)
    }

    @Test("an expanded page may load its URL and redirects of it, and then nothing else")
    func expandedPage() {
        var bridge = Self.open()
        let page = Self.page
        let first = bridge.expect("https://second.example/", beside: "https://ad.yabbi-creative.invalid/")
        var part = bridge.expect("https://second.example/", beside: "https://ad.yabbi-creative.invalid/")
        #expect(first.name != part.name)
        func decide(_ url: String, _ frame: String, _ load: String, in target: EngineTarget) -> ExpandedPage.Decision? {
            part.decide(Self.request(url, frame: frame, load: load, in: target), page: page)
        }
        // An older page, a request of the creative itself, the URL without its name, and then the right request.
        #expect(decide(first.name, "A", "1", in: page) == nil)
        #expect(decide(part.name, "F", "2", in: Self.root) == nil)
        #expect(decide("https://second.example/", "A", "3", in: page) == nil)
        #expect(decide(part.name, "B", "4", in: page) == .redirect("https://second.example/"))
        #expect(decide("https://second.example/", "B", "4", in: page) == .load)
        #expect(decide("https://moved.example/", "B", "4", in: page) == .load)
        #expect(decide("https://second.example/", "B", "5", in: page) == .stop)
        #expect(decide("https://second.example/", "C", "4", in: page) == nil)
    }
}
