import AdCore
import AdRuntime
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("Smartico over real sockets", .timeLimit(.minutes(1)))
struct LiveTests {
    @Test("a popup comes after the login, is shown, and is counted once")
    func popup() async throws {
        let world = try LiveWorld()
        var ear = LiveEar(world.smartico)
        var ads = world.smartico.ads.makeAsyncIterator()
        world.smartico.logIn(userID: "u-popup")
        let popup = try #require(await ads.next())
        #expect(popup.isLoaded && popup.detail("kind") == "popup")
        let page = LivePage()
        try await popup.show(on: page)
        #expect(page.posts.count == 1 && page.posts.first?["bcid"]?.number == 3)
        #expect(page.posts.first?["engagement_uid"]?.string == popup.detail("engagement_uid"))
        #expect(await ear.caughtUp())
        let bill = world.sandbox.bill()
        #expect(bill.views == 1 && bill.repeats == 0 && bill.refused == 0)
        #expect(world.classes == [3, 5, 7, 1101, 1003])
        #expect(world.sandbox.hits().allSatisfy { $0.isCounted })
    }

    @Test("a popup leads into the widget while it is open: two pages on two stages, each closed by itself")
    func deepLink() async throws {
        let world = try LiveWorld()
        var ear = LiveEar(world.smartico)
        var ads = world.smartico.ads.makeAsyncIterator()
        world.smartico.logIn(userID: "u-popup")
        let popup = try #require(await ads.next())
        let page = LivePage()
        try await popup.show(on: page)
        let name = AdJSON.text(popup.detail("engagement_uid"))
        page.say(["bcid": 6, "cid": 1102, "engagement_uid": name])
        page.say(["bcid": 4, "dp": "dp:gf_levels"])
        let widget = try #require(await ads.next())
        #expect(widget.page?.text.hasSuffix("&dp=dp%3Agf_levels") == true)
        let widgetPage = LivePage()
        try await widget.show(on: widgetPage)
        #expect(popup.isShowing && widget.isShowing)
        let answer = try await world.services.transport.send(AdHTTPRequest(.get, try #require(widget.page)))
        #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self).contains("PAGE_READY"))
        page.say(["bcid": 4, "dp": "dp:cashier"])
        #expect(await ear.deepLink() == "dp:cashier")
        let closing = popup.events
        page.say(["bcid": 2])
        let isClosed = await closing.contains {
            if case .closed(let end) = $0 { end.reason == .creative } else { false }
        }
        #expect(isClosed)
        #expect(widget.isShowing)
        #expect(await ear.caughtUp())
        let bill = world.sandbox.bill()
        #expect(bill.views == 1 && bill.clicks == 1 && bill.repeats == 0)
    }

    @Test("what is pushed later comes too: popups and mini-games, in order")
    func pushes() async throws {
        let world = try LiveWorld()
        var ear = LiveEar(world.smartico)
        var ads = world.smartico.ads.makeAsyncIterator()
        world.smartico.logIn(userID: "u-7")
        #expect(await ear.identified())
        #expect(world.sandbox.push(.game, to: "u-7") == 1)
        #expect(world.sandbox.push(.popup, to: "u-7", count: 2) == 1)
        let game = try #require(await ads.next())
        #expect(game.page?.text.hasSuffix("&dp=dp%3Agf_saw%26id%3D3%26standalone%3Dtrue") == true)
        try await game.show(on: LivePage())
        let first = try #require(await ads.next())
        let second = try #require(await ads.next())
        #expect(first.detail("engagement_uid") != second.detail("engagement_uid"))
        #expect([first, second].allSatisfy { $0.detail("kind") == "popup" })
    }

    @Test("a page that says more to the server than may wait costs the connection, and the session connects again")
    func pageFlood() async throws {
        let world = try LiveWorld(mostUnsent: 64 << 10)
        var ear = LiveEar(world.smartico)
        var ads = world.smartico.ads.makeAsyncIterator()
        world.smartico.logIn(userID: "u-popup")
        let popup = try #require(await ads.next())
        let page = LivePage()
        try await popup.show(on: page)
        #expect(await ear.caughtUp())
        // More than may wait for the socket, and, each with its id, more than may wait for a connection.
        let much = String(repeating: "x", count: (256 << 10) - 40)
        for _ in 0..<20 where world.ends.isEmpty { page.say(["bcid": 6, "cid": 1102, "x": .string(much)]) }
        #expect(try #require(await ear.disconnected()).cause == .overflow)
        #expect(await ear.identified())
        #expect(await ear.caughtUp())
        #expect(world.ends == [.overflow] && world.connections == 2)
        #expect(Set(world.observer.sessionIssues).isSubset(of: ["forward.dropped", "page.flood"]))
        page.say(["bcid": 6, "cid": 1102, "engagement_uid": AdJSON.text(popup.detail("engagement_uid"))])
        #expect(await ear.caughtUp())
        let bill = world.sandbox.bill()
        #expect(bill.views == 1 && bill.clicks == 1 && bill.repeats == 0, "the page is heard on")
    }

    @Test("the same popup twice is one ad")
    func twice() async throws {
        let world = try LiveWorld()
        var ear = LiveEar(world.smartico)
        world.smartico.logIn(userID: "u-twice")
        #expect(await ear.identified())
        #expect(await ear.caughtUp())
        #expect(world.observer.names.count { $0 == "loaded" } == 1)
        #expect(world.observer.sessionIssues == ["push.repeated"])
    }

    @Test("pings are answered for as long as the connection stands")
    func pings() async throws {
        let world = try LiveWorld(pingInterval: .milliseconds(20))
        var ear = LiveEar(world.smartico)
        world.smartico.logIn(userID: "u-7")
        #expect(await ear.identified())
        // After two that are not answered the server would go.
        while world.classes.count(where: { $0 == 2 }) < 8 { #expect(await ear.caughtUp()) }
        #expect(world.connections == 1)
        #expect(world.sandbox.hits().allSatisfy { $0.isCounted }, "each pong has its ping's id")
    }

    @Test("a logout is a socket without a user, and another login another socket with one")
    func users() async throws {
        let world = try LiveWorld()
        var ear = LiveEar(world.smartico)
        world.smartico.logIn(userID: "u-7")
        #expect(await ear.identified())
        world.smartico.logOut()
        world.smartico.logIn(userID: "u-8")
        #expect(await ear.identified())
        #expect(await ear.caughtUp())
        #expect(world.classes.last == 1003 && world.classes.count { $0 == 5 } == 2)
        #expect(world.sandbox.push(.popup, to: "u-8") == 1)
    }

    @Test(
        "whatever goes wrong with a socket, the session goes on or connects again, and says so",
        arguments: Sandbox.SocketFault.allCases
    )
    func fault(_ fault: Sandbox.SocketFault) async throws {
        let world = try LiveWorld(patience: .seconds(1), faults: [Sandbox.Fault(.socket(fault))])
        var ear = LiveEar(world.smartico)
        world.smartico.logIn(userID: "u-7")
        #expect(await ear.identified())
        #expect(await ear.caughtUp())
        // Whether it connects again, how the first connection ended, and what the trace says.
        let (connections, end, trace): (Int, SocketEnd.Cause?, Set<String>) =
            switch fault {
            case .noPing: (1, nil, [])
            case .wrongOrder: (1, nil, ["message.unexpected"])
            case .flood: (1, nil, ["push.flood"])
            case .binary: (1, nil, ["message.binary"])
            case .deepJSON, .brokenJSON: (1, nil, ["message.noJSON"])
            case .refuseInit, .refuseIdentify: (2, nil, ["server.refused"])
            case .silence: (2, nil, ["server.noAnswer"])
            case .dropMidFrame: (2, .lost, [])
            case .invalidUTF8: (2, .fault(code: 1007), [])
            case .masked: (2, .fault(code: 1002), [])
            case .tooLong: (1, nil, ["message.tooLong"])
            }
        #expect(world.connections == connections)
        #expect(world.ends.first == end)
        #expect(Set(world.observer.sessionIssues) == trace)
        let offered = world.observer.names.count { $0 == "loaded" }
        #expect(offered == (fault == .flood ? 8 : fault == .wrongOrder ? 1 : 0), "and nothing grows")
        #expect(world.sandbox.push(.popup, to: "u-7") == 1, "the session lives")
    }

    @Test(
        "what a user's id asks to go wrong after the introduction is survived too",
        arguments: ["binary", "deepJSON", "brokenJSON", "noPing", "flood", "wrongOrder", "tooLong"]
    )
    func word(_ word: String) async throws {
        let world = try LiveWorld()
        var ear = LiveEar(world.smartico)
        world.smartico.logIn(userID: "u-\(word)")
        #expect(await ear.identified())
        #expect(await ear.caughtUp())
        #expect(world.connections == 1)
    }

    @Test(
        "where it goes wrong each time, it is tried again and again, with pauses",
        arguments: ["dropMidFrame", "masked", "refuseIdentify"]
    )
    func again(_ word: String) async throws {
        let world = try LiveWorld(patience: .seconds(1))
        var ear = LiveEar(world.smartico)
        world.smartico.logIn(userID: "u-\(word)")
        let first = try #require(await ear.disconnected())
        let second = try #require(await ear.disconnected())
        #expect(first.cause == second.cause && world.connections == 2)
        #expect(world.classes == [3, 5, 3, 5])
    }
}
