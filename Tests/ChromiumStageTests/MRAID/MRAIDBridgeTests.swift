import AdCore
import Testing

@testable import ChromiumStage

@Suite("The way between an MRAID ad and its host")
struct MRAIDBridgeTests {
    private static let root = DevToolsSession(name: "root")
    private static let page = DevToolsSession(name: "page")

    private static func bridge(_ document: String = "<script src=mraid.js></script>") -> MRAIDBridge {
        let screen = Size(width: 390, height: 844)
        let size = SizeDecision(.fixed(Size(width: 320, height: 50)), in: AdContainer(width: 390, screen: screen))
        let room = StageRoom(screen: screen, size: size)
        return MRAIDBridge(StagePlan(name: "ad", layout: .inline, room: room, document: document))
    }

    /// One whose creative's main world is 7.
    private static func open() -> MRAIDBridge {
        var bridge = self.bridge()
        _ = bridge.arm(.main, self.root, frame: "F")
        bridge.note(self.world(7, "F", in: self.root))
        return bridge
    }

    private static func world(_ number: Int, _ frame: String, isDefault: Bool = true, in session: DevToolsSession)
        -> DevToolsEvent
    {
        let data: JSON = ["isDefault": .bool(isDefault), "frameId": .string(frame)]
        let context: JSON = ["id": .int(number), "auxData": data]
        return DevToolsEvent(
            session: session,
            method: "Runtime.executionContextCreated",
            params: ["context": context]
        )
    }

    private static func said(
        _ payload: String,
        _ world: Int = 7,
        name: String = "__yabbi_mraid",
        in session: DevToolsSession = MRAIDBridgeTests.root
    ) -> DevToolsEvent {
        let params: JSON = ["name": .string(name), "payload": .string(payload), "executionContextId": .int(world)]
        return DevToolsEvent(session: session, method: "Runtime.bindingCalled", params: params)
    }

    private static let close = #"{"n":1,"c":"close"}"#

    @Test("the creative's own main world is heard, and nobody else")
    func worlds() {
        var bridge = Self.open()
        #expect(bridge.call(Self.said(Self.close)) != nil)
        // A frame in it with the same process, a world of ours, a frame with its own, our page, another name.
        bridge.note(Self.world(8, "G", in: Self.root))
        bridge.note(Self.world(9, "F", isDefault: false, in: Self.root))
        #expect(bridge.call(Self.said(Self.close, 8)) == nil)
        #expect(bridge.call(Self.said(Self.close, 9)) == nil)
        #expect(bridge.call(Self.said(Self.close, in: DevToolsSession(name: "inner"))) == nil)
        #expect(bridge.call(Self.said(Self.close, in: Self.page)) == nil)
        #expect(bridge.call(Self.said(Self.close, name: "__yabbi_page")) == nil)
        // The document that was there before has no say any more.
        bridge.note(Self.world(10, "F", in: Self.root))
        #expect(bridge.call(Self.said(Self.close)) == nil && bridge.call(Self.said(Self.close, 10)) != nil)
    }

    @Test(
        "what is no command is not heard",
        arguments: [
            "", "close", "[", "[]", "null", "{}", #"{"n":"1","c":"close"}"#,
            #"{"n":1,"c":"close","x":""# + String(repeating: "x", count: 70_000) + "\"}",
            String(repeating: "[", count: 60_000),
        ]
    )
    func noise(payload: String) { #expect(Self.open().call(Self.said(payload)) == nil) }

    @Test("a creative that was given nothing is not heard")
    func closed() {
        var bridge = Self.bridge("<p>hello</p>")
        #expect(bridge.arm(.main, Self.root, frame: "F").isEmpty)
        bridge.note(Self.world(7, "F", in: Self.root))
        #expect(bridge.call(Self.said(Self.close)) == nil && bridge.tell(.main, MRAIDNews()).isEmpty)
    }

    @Test("what a page is told is an argument, and never code")
    func tell() throws {
        let news = MRAIDNews(events: [["error", "'); evil('\u{2028}", "open"]])
        guard case .say(let command) = Self.open().tell(.main, news).first else {
            Issue.record("nothing was said")
            return
        }
        #expect(command.method == "Runtime.callFunctionOn" && command.session == Self.root)
        #expect(command.params["executionContextId"] == 7)
        #expect(command.params["functionDeclaration"]?.string?.contains("evil") == false)
        let text = try #require(command.params["arguments"]?.array?.first?["value"]?.string)
        #expect(try JSON(parsing: text)["events"] == [["error", "'); evil('\u{2028}", "open"]])
    }

    @Test(
        "the host's script is known by its name, on any server",
        arguments: [
            ("https://ad.yabbi-creative.invalid/mraid.js", true), ("https://cdn.example/a/b/MRAID.js?v=2#x", true),
            ("https://cdn.example/mraid.json", false), ("https://cdn.example/mymraid.js", false),
            ("mraid.js", true), ("js/MRAID.JS#x", true), ("mraid.js/", false),
            ("https://cdn.example/?mraid.js", false), ("https://cdn.example/a.js?/mraid.js", false),
        ]
    )
    func script(url: String, isIt: Bool) { #expect(MRAIDScript.isNamed(by: url) == isIt) }

    private static func request(
        _ url: String,
        _ kind: String = "Document",
        frame: String,
        load: String,
        in session: DevToolsSession
    ) throws -> PausedRequest {
        let params: JSON = [
            "requestId": "1", "request": ["url": .string(url), "method": "GET"], "resourceType": .string(kind),
            "frameId": .string(frame), "networkId": .string(load),
        ]
        return try #require(
            PausedRequest(DevToolsEvent(session: session, method: "Fetch.requestPaused", params: params))
        )
    }

    @Test("another page may load what it was asked for, wherever that is moved, and nothing after it")
    func second() throws {
        var bridge = Self.open()
        let page = Self.page
        let first = bridge.expect("https://second.example/", beside: "https://ad.yabbi-creative.invalid/")
        var part = bridge.expect("https://second.example/", beside: "https://ad.yabbi-creative.invalid/")
        #expect(first.name != part.name)
        func judge(_ url: String, _ frame: String, _ load: String, in session: DevToolsSession) throws
            -> SecondPart.Verdict?
        {
            part.judge(try Self.request(url, frame: frame, load: load, in: session), page: page)
        }
        // One that was taken back, one that the creative asks for itself, and the right one.
        #expect(try judge(first.name, "A", "1", in: page) == nil)
        #expect(try judge(part.name, "F", "2", in: Self.root) == nil)
        #expect(try judge("https://second.example/", "A", "3", in: page) == nil)
        #expect(try judge(part.name, "B", "4", in: page) == .lead("https://second.example/"))
        #expect(try judge("https://second.example/", "B", "4", in: page) == .load)
        #expect(try judge("https://moved.example/", "B", "4", in: page) == .load)
        #expect(try judge("https://second.example/", "B", "5", in: page) == .stop)
        #expect(try judge("https://second.example/", "C", "4", in: page) == nil)
    }
}
