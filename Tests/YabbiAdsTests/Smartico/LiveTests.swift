import AdCore
import AdRuntime
import SandboxSSP
import Testing
import YabbiAds
import YabbiTesting

@Suite("Smartico session over real sockets", .timeLimit(.minutes(1)))
struct LiveTests {
    @Test("a popup arrives after the login, is shown, and its impression is counted once")
    func popup() async throws {
        let fixture = try SmarticoFixture()
        var sessionEvents = SessionEventWaiter(fixture.smartico)
        var ads = fixture.smartico.ads.makeAsyncIterator()
        fixture.smartico.logIn(userID: "u-popup")
        let popup = try #require(await ads.next())
        #expect(popup.isLoaded && popup.detail("kind") == "popup")
        let page = ScriptedPage()
        try await popup.show(on: page)
        #expect(page.posts.count == 1 && page.posts.first?["bcid"]?.number == 3)
        #expect(page.posts.first?["engagement_uid"]?.string == popup.detail("engagement_uid"))
        #expect(await sessionEvents.caughtUp())
        let bill = fixture.sandbox.bill()
        #expect(bill.views == 1 && bill.repeats == 0 && bill.refused == 0)
        #expect(fixture.classes == [3, 5, 7, 1101, 1003])
        #expect(fixture.sandbox.hits().allSatisfy { $0.isCounted })
    }

    @Test("a popup opens the widget while it is on screen, and each page closes separately")
    func deepLink() async throws {
        let fixture = try SmarticoFixture()
        var sessionEvents = SessionEventWaiter(fixture.smartico)
        var ads = fixture.smartico.ads.makeAsyncIterator()
        fixture.smartico.logIn(userID: "u-popup")
        let popup = try #require(await ads.next())
        let page = ScriptedPage()
        try await popup.show(on: page)
        let name = AdJSON.text(popup.detail("engagement_uid"))
        page.send(["bcid": 6, "cid": 1102, "engagement_uid": name])
        page.send(["bcid": 4, "dp": "dp:gf_levels"])
        let widget = try #require(await ads.next())
        #expect(widget.page?.text.hasSuffix("&dp=dp%3Agf_levels") == true)
        let widgetPage = ScriptedPage()
        try await widget.show(on: widgetPage)
        #expect(popup.isShowing && widget.isShowing)
        let answer = try await fixture.services.transport.send(AdHTTPRequest(.get, try #require(widget.page)))
        #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self).contains("PAGE_READY"))
        page.send(["bcid": 4, "dp": "dp:cashier"])
        #expect(await sessionEvents.deepLink() == "dp:cashier")
        let closing = popup.events
        page.send(["bcid": 2])
        let isClosed = await closing.contains {
            if case .closed(let end) = $0 { end.reason == .creative } else { false }
        }
        #expect(isClosed)
        #expect(widget.isShowing)
        #expect(await sessionEvents.caughtUp())
        let bill = fixture.sandbox.bill()
        #expect(bill.views == 1 && bill.clicks == 1 && bill.repeats == 0)
    }

    @Test("later pushes arrive in order: popups and mini-games")
    func pushes() async throws {
        let fixture = try SmarticoFixture()
        var sessionEvents = SessionEventWaiter(fixture.smartico)
        var ads = fixture.smartico.ads.makeAsyncIterator()
        fixture.smartico.logIn(userID: "u-7")
        #expect(await sessionEvents.identified())
        #expect(fixture.sandbox.push(.game, to: "u-7") == 1)
        #expect(fixture.sandbox.push(.popup, to: "u-7", count: 2) == 1)
        let game = try #require(await ads.next())
        #expect(game.page?.text.hasSuffix("&dp=dp%3Agf_saw%26id%3D3%26standalone%3Dtrue") == true)
        try await game.show(on: ScriptedPage())
        let first = try #require(await ads.next())
        let second = try #require(await ads.next())
        #expect(first.detail("engagement_uid") != second.detail("engagement_uid"))
        #expect([first, second].allSatisfy { $0.detail("kind") == "popup" })
    }

    @Test("a page that sends too much ends the connection, and the session reconnects")
    func pageFlood() async throws {
        let fixture = try SmarticoFixture(mostUnsent: 64 << 10)
        var sessionEvents = SessionEventWaiter(fixture.smartico)
        var ads = fixture.smartico.ads.makeAsyncIterator()
        fixture.smartico.logIn(userID: "u-popup")
        let popup = try #require(await ads.next())
        let page = ScriptedPage()
        try await popup.show(on: page)
        #expect(await sessionEvents.caughtUp())
        // More bytes than may be unsent on the socket, and, as each has its id, more than may wait for a connection.
        let filler = String(repeating: "x", count: (256 << 10) - 40)
        for _ in 0..<20 where fixture.ends.isEmpty { page.send(["bcid": 6, "cid": 1102, "x": .string(filler)]) }
        #expect(try #require(await sessionEvents.disconnected()).cause == .overflow)
        #expect(await sessionEvents.identified())
        #expect(await sessionEvents.caughtUp())
        #expect(fixture.ends == [.overflow] && fixture.connections == 2)
        #expect(Set(fixture.observer.sessionIssues).isSubset(of: ["forward.dropped", "page.flood"]))
        page.send(["bcid": 6, "cid": 1102, "engagement_uid": AdJSON.text(popup.detail("engagement_uid"))])
        #expect(await sessionEvents.caughtUp())
        let bill = fixture.sandbox.bill()
        #expect(bill.views == 1 && bill.clicks == 1 && bill.repeats == 0, "later messages of the page arrive")
    }

    @Test("a popup that is pushed twice is one ad")
    func twice() async throws {
        let fixture = try SmarticoFixture()
        var sessionEvents = SessionEventWaiter(fixture.smartico)
        fixture.smartico.logIn(userID: "u-twice")
        #expect(await sessionEvents.identified())
        #expect(await sessionEvents.caughtUp())
        #expect(fixture.observer.names.count { $0 == "loaded" } == 1)
        #expect(fixture.observer.sessionIssues == ["push.repeated"])
    }

    @Test("every ping is answered")
    func pings() async throws {
        let fixture = try SmarticoFixture(pingInterval: .milliseconds(20))
        var sessionEvents = SessionEventWaiter(fixture.smartico)
        fixture.smartico.logIn(userID: "u-7")
        #expect(await sessionEvents.identified())
        // After two unanswered pings the server would close the connection.
        while fixture.classes.count(where: { $0 == 2 }) < 8 { #expect(await sessionEvents.caughtUp()) }
        #expect(fixture.connections == 1)
        #expect(fixture.sandbox.hits().allSatisfy { $0.isCounted }, "each pong has the uuid of its ping")
    }

    @Test("a logout opens a socket without a user, and a login another one")
    func users() async throws {
        let fixture = try SmarticoFixture()
        var sessionEvents = SessionEventWaiter(fixture.smartico)
        fixture.smartico.logIn(userID: "u-7")
        #expect(await sessionEvents.identified())
        fixture.smartico.logOut()
        fixture.smartico.logIn(userID: "u-8")
        #expect(await sessionEvents.identified())
        #expect(await sessionEvents.caughtUp())
        #expect(fixture.classes.last == 1003 && fixture.classes.count { $0 == 5 } == 2)
        #expect(fixture.sandbox.push(.popup, to: "u-8") == 1)
    }

    @Test(
        "after each socket fault the session goes on or reconnects, with an issue",
        arguments: Sandbox.SocketFault.allCases
    )
    func fault(_ fault: Sandbox.SocketFault) async throws {
        let fixture = try SmarticoFixture(timeout: .seconds(1), faults: [Sandbox.Fault(.socket(fault))])
        var sessionEvents = SessionEventWaiter(fixture.smartico)
        fixture.smartico.logIn(userID: "u-7")
        #expect(await sessionEvents.identified())
        #expect(await sessionEvents.caughtUp())
        // The number of connections, the end of the first one, and the issues.
        let (connections, end, issues): (Int, SocketEnd.Cause?, Set<String>) =
            switch fault {
            case .noPing: (1, nil, [])
            case .wrongOrder: (1, nil, ["message.unexpected"])
            case .flood: (1, nil, ["push.flood"])
            case .binary: (1, nil, ["message.binary"])
            case .deepJSON, .brokenJSON: (1, nil, ["message.noJSON"])
            case .refuseInit, .refuseIdentify: (2, nil, ["server.refused"])
            case .silence: (2, nil, ["server.noAnswer"])
            case .dropMidFrame: (2, .lost, [])
            case .invalidUTF8: (2, .violation(code: 1007), [])
            case .masked: (2, .violation(code: 1002), [])
            case .tooLong: (1, nil, ["message.tooLong"])
            }
        #expect(fixture.connections == connections)
        #expect(fixture.ends.first == end)
        #expect(Set(fixture.observer.sessionIssues) == issues)
        let offered = fixture.observer.names.count { $0 == "loaded" }
        #expect(offered == (fault == .flood ? 8 : fault == .wrongOrder ? 1 : 0), "offers are bounded")
        #expect(fixture.sandbox.push(.popup, to: "u-7") == 1, "the session works")
    }

    @Test(
        "faults after the login, chosen by the user's id, don't end the session",
        arguments: ["binary", "deepJSON", "brokenJSON", "noPing", "flood", "wrongOrder", "tooLong"]
    )
    func word(_ word: String) async throws {
        let fixture = try SmarticoFixture()
        var sessionEvents = SessionEventWaiter(fixture.smartico)
        fixture.smartico.logIn(userID: "u-\(word)")
        #expect(await sessionEvents.identified())
        #expect(await sessionEvents.caughtUp())
        #expect(fixture.connections == 1)
    }

    @Test(
        "a connection that fails each time is retried, with pauses",
        arguments: ["dropMidFrame", "masked", "refuseIdentify"]
    )
    func again(_ word: String) async throws {
        let fixture = try SmarticoFixture(timeout: .seconds(1))
        var sessionEvents = SessionEventWaiter(fixture.smartico)
        fixture.smartico.logIn(userID: "u-\(word)")
        let first = try #require(await sessionEvents.disconnected())
        let second = try #require(await sessionEvents.disconnected())
        #expect(first.cause == second.cause && fixture.connections == 2)
        #expect(fixture.classes == [3, 5, 3, 5])
    }
}
