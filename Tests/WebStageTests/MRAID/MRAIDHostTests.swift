import AdCore
import Testing

@testable import WebStage

/// A host, and what it did.
struct HostBench {
    var host: MRAIDHost
    private(set) var actions: [MRAIDAction] = []
    private var number = 0

    static let screen = Size(width: 390, height: 844)

    static func room(
        _ placement: MRAIDPlacement,
        _ size: RequestedSize = .adaptive,
        screen: Size = HostBench.screen
    ) -> MRAIDGeometries {
        let container: AdContainer =
            placement == .inline ? AdContainer(width: screen.width, screen: screen) : .fullScreen(screen)
        let room = StageRoom(screen: screen, size: CreativeLayout(size, in: container))
        return MRAIDGeometries(room, placement == .inline ? .inline : .full)
    }

    init(
        _ placement: MRAIDPlacement = .inline,
        _ size: RequestedSize = .fixed(Size(width: 320, height: 50)),
        growth: MRAIDGrowth = .always
    ) {
        self.host = MRAIDHost(placement, in: HostBench.room(placement, size), growth: growth)
    }

    /// One that is in a state, if there is a way to it.
    static func inState(_ state: MRAIDState, _ placement: MRAIDPlacement) throws -> HostBench? {
        var bench = HostBench(placement)
        if state == .loading { return bench }
        bench.hear(.loaded(.main))
        switch state {
        case .loading, .default: break
        case .expanded: try bench.call(.expand)
        case .resized:
            try bench.call(.setResizeProperties)
            try bench.call(.resize)
        case .hidden: try bench.call(.close)
        }
        bench.actions = []
        return bench.host.state == state ? bench : nil
    }

    @discardableResult
    mutating func hear(_ input: MRAIDInput) -> [MRAIDAction] {
        let new = self.host.handle(input)
        self.actions += new
        // Whoever judges addresses does so at once.
        for case .open(_, let commandID) in new { self.hear(.openDecided(commandID, refusal: nil)) }
        return new
    }

    @discardableResult
    mutating func call(
        _ method: MRAIDMethod,
        from part: MRAIDDocument = .main,
        at now: Duration = .zero
    ) throws -> MRAIDReply.Outcome? {
        self.number += 1
        let before = self.replies.count
        self.hear(.call(try MRAIDSamples.call(method, self.number), from: part, at: now))
        return self.replies.dropFirst(before).first?.outcome
    }

    @discardableResult
    mutating func say(_ message: String, from part: MRAIDDocument = .main) throws -> MRAIDReply.Outcome? {
        self.number += 1
        let before = self.replies.count
        let call = try #require(MRAIDCall(try AdJSON(parsing: "{\"n\":\(self.number),\(message)}")))
        self.hear(.call(call, from: part))
        return self.replies.dropFirst(before).first?.outcome
    }

    var replies: [MRAIDReply] {
        self.actions.compactMap { if case .send(_, let news) = $0 { news.reply } else { nil } }
    }

    /// What a page heard, as in `stateChange expanded`.
    func events(_ part: MRAIDDocument = .main) -> [String] {
        self.actions.flatMap { action -> [String] in
            guard case .send(part, let news) = action else { return [] }
            return news.events.map { $0.map { $0.string ?? $0.text() }.joined(separator: " ") }
        }
    }

    mutating func forget() { self.actions = [] }

    var page: MRAIDSnapshot { self.host.initialSnapshot(of: .main) }
}

extension MRAIDReply.Outcome? {
    var isRefused: Bool { if case .refused = self { true } else { false } }
}

@Suite("The host of an MRAID ad")
struct MRAIDHostTests {
    /// What becomes of a command in each state: d done, i ignored, r refused; - where there is no such state.
    private static let table: [(MRAIDMethod, inline: String, interstitial: String)] = [
        // loading, default, expanded, resized, hidden
        (.open, "ddddd", "dd--d"),
        (.close, "rdddd", "rd--d"),
        (.unload, "ddddd", "dd--d"),
        (.expand, "rdidr", "ri--r"),
        (.resize, "rrrdr", "rr--r"),
        (.setExpandProperties, "ddddd", "dd--d"),
        (.setOrientationProperties, "ddddd", "dd--d"),
        (.setResizeProperties, "ddddd", "dd--d"),
        (.useCustomClose, "iiiii", "ii--i"),
        (.playVideo, "rrrrr", "rr--r"),
        (.storePicture, "rrrrr", "rr--r"),
        (.createCalendarEvent, "rrrrr", "rr--r"),
        (.initVpaid, "rrrrr", "rr--r"),
    ]

    @Test("each command has exactly one reply in each state", arguments: MRAIDMethod.allCases, MRAIDPlacement.allCases)
    func replies(method: MRAIDMethod, placement: MRAIDPlacement) throws {
        let row = try #require(Self.table.first { $0.0 == method })
        let wanted = placement == .inline ? row.inline : row.interstitial
        for (state, letter) in zip(MRAIDState.allCases, wanted) {
            guard var bench = try HostBench.inState(state, placement) else {
                #expect(letter == "-", "\(state)")
                continue
            }
            let outcome = try bench.call(method)
            #expect(bench.replies.count == 1, "\(method) in \(state)")
            switch outcome {
            case .done: #expect(letter == "d", "\(method) in \(state)")
            case .ignored: #expect(letter == "i", "\(method) in \(state)")
            case .refused(let reason): #expect(letter == "r" && !reason.isEmpty, "\(method) in \(state): \(reason)")
            case nil: Issue.record("\(method) in \(state) had no reply")
            }
        }
    }

    @Test("what is refused changes nothing", arguments: MRAIDState.allCases, MRAIDPlacement.allCases)
    func refused(state: MRAIDState, placement: MRAIDPlacement) throws {
        for method in MRAIDMethod.allCases {
            guard var bench = try HostBench.inState(state, placement) else { return }
            guard case .refused = try bench.call(method) else { continue }
            #expect(bench.host.state == state && bench.actions.count == 1 && bench.events().isEmpty, "\(method)")
        }
    }

    @Test("an unknown command is refused by its name")
    func unknown() throws {
        var bench = HostBench()
        bench.hear(.loaded(.main))
        bench.forget()
        #expect(try bench.say(#""c":"fly""#) == .refused("unknown method"))
        #expect(bench.replies.map(\.name) == ["fly"])
    }

    @Test("a number that came already is no command")
    func number() throws {
        var bench = HostBench()
        bench.hear(.loaded(.main))
        let call = try MRAIDSamples.call(.expand, 5)
        bench.hear(.call(call, from: .main))
        bench.forget()
        #expect(bench.hear(.call(call, from: .main)).isEmpty)
        #expect(bench.hear(.call(try MRAIDSamples.call(.close, 4), from: .main)).isEmpty)
        #expect(bench.host.state == .expanded)
    }

    @Test("a page that is loaded gets its state, then that it is ready, once")
    func ready() {
        var bench = HostBench()
        bench.hear(.exposureChanged(.none))
        #expect(bench.actions.isEmpty)
        bench.hear(.loaded(.main))
        bench.hear(.loaded(.main))
        #expect(
            bench.events() == ["stateChange default", "ready", "exposureChange 0 null null", "audioVolumeChange 100"]
        )
    }

    @Test("what did not change is not sent")
    func same() {
        var bench = HostBench()
        bench.hear(.loaded(.main))
        bench.forget()
        let seen = MRAIDExposure(percentage: 50, visible: MRAIDRect(x: 0, y: 0, width: 320, height: 25))
        for _ in 0..<3 { bench.hear(.exposureChanged(seen)) }
        for _ in 0..<3 { bench.hear(.volume(20)) }
        for _ in 0..<3 { bench.hear(.volume(nil)) }
        for _ in 0..<3 { bench.hear(.exposureChanged(.none)) }
        bench.hear(.roomChanged(HostBench.room(.inline, .fixed(Size(width: 320, height: 50)))))
        bench.hear(.collapse)
        #expect(
            bench.events() == [
                #"exposureChange 50 {"x":0,"y":0,"width":320,"height":25} null"#, "viewableChange true",
                "audioVolumeChange 20", "audioVolumeChange null", "exposureChange 0 null null", "viewableChange false",
            ]
        )
    }

    @Test("the volume and the exposure stay within what can be")
    func bounds() {
        var bench = HostBench()
        bench.hear(.loaded(.main))
        bench.forget()
        bench.hear(.volume(900))
        bench.hear(.volume(-3))
        bench.hear(.exposureChanged(MRAIDExposure(percentage: 400, visible: nil)))
        #expect(
            bench.events() == ["audioVolumeChange 0", "exposureChange 100 null null", "viewableChange true"]
        )
    }

    @Test("an ad expands over the screen and comes back, by itself and by our button", arguments: [true, false])
    func expand(byItself: Bool) throws {
        var bench = HostBench()
        bench.hear(.loaded(.main))
        bench.forget()
        try bench.call(.expand)
        #expect(bench.events() == ["sizeChange 390 844", "stateChange expanded"])
        #expect(bench.actions.contains(.setLayout(.screen)) && bench.host.layout == .screen)
        #expect(bench.page.currentPosition == MRAIDRect(x: 0, y: 0, width: 390, height: 844))
        bench.forget()
        if byItself { try bench.call(.close) } else { bench.hear(.collapse) }
        #expect(bench.events() == ["sizeChange 320 50", "stateChange default"])
        #expect(bench.actions.contains(.setLayout(.slot)) && !bench.actions.contains(.requestClose))
    }

    @Test("close in the ad's own place asks the app for the end, as often as it is called")
    func close() throws {
        var bench = HostBench()
        bench.hear(.loaded(.main))
        bench.forget()
        try bench.call(.close)
        #expect(bench.events() == ["stateChange hidden"] && bench.actions.count { $0 == .requestClose } == 1)
        try bench.call(.close)
        #expect(bench.actions.count { $0 == .requestClose } == 2)
    }

    @Test("commands of an ad that has unloaded itself are ignored, and it is small again")
    func unload() throws {
        var bench = try #require(try HostBench.inState(.expanded, .inline))
        #expect(try bench.call(.unload) == .done)
        #expect(bench.actions.contains(.requestClose) && bench.actions.contains(.setLayout(.slot)))
        bench.forget()
        for method in MRAIDMethod.allCases { try bench.call(method) }
        bench.hear(.exposureChanged(MRAIDExposure(percentage: 10, visible: nil)))
        #expect(bench.actions.isEmpty)
    }

    @Test("a flood of commands is replied to, and executed up to the limit")
    func flood() throws {
        var bench = HostBench()
        bench.hear(.loaded(.main))
        bench.forget()
        var replies = 0
        for number in 1...MRAIDHost.commandLimit {
            let news = bench.host.handle(.call(try MRAIDSamples.call(.useCustomClose, number), from: .main))
            replies += news.count
        }
        let last = bench.host.handle(.call(try MRAIDSamples.call(.expand, 1 << 40), from: .main))
        let reply = MRAIDReply(number: 1 << 40, name: "expand", outcome: .refused("too many commands"))
        #expect(last == [.send(.main, MRAIDUpdate(reply: reply))])
        #expect(bench.host.state == .default && replies == MRAIDHost.commandLimit)
    }

    @Test("only so many addresses wait to be judged, and each has one reply")
    func opens() throws {
        var host = MRAIDHost(.inline, in: HostBench.room(.inline))
        var tickets: [MRAIDCommandID] = []
        var refused = 0
        for number in 1...20 {
            for action in host.handle(.call(try MRAIDSamples.call(.open, number), from: .main)) {
                if case .open(_, let commandID) = action { tickets.append(commandID) }
                if case .send(.main, let news) = action, case .refused = news.reply?.outcome { refused += 1 }
            }
        }
        #expect(tickets.count == MRAIDHost.openLimit && refused == 20 - MRAIDHost.openLimit)
        for commandID in tickets {
            #expect(host.handle(.openDecided(commandID, refusal: "without a gesture")).count == 1)
            #expect(host.handle(.openDecided(commandID, refusal: nil)).isEmpty)
        }
    }

    @Test("a page that expands to another gets that, and the other has a host of its own")
    func twoPart() throws {
        var bench = HostBench()
        bench.hear(.loaded(.main))
        bench.hear(.exposureChanged(MRAIDExposure(percentage: 100, visible: nil)))
        bench.forget()
        let address = "https://second.example/page.html"
        #expect(try bench.say(#""c":"expand","url":"https://second.example/page.html""#) == .done)
        #expect(bench.actions.contains(.openExpandedPage(address)) && bench.host.hasExpandedPage)
        #expect(bench.events() == ["stateChange expanded", "exposureChange 0 null null", "viewableChange false"])
        #expect(bench.host.initialSnapshot(of: .expandedPage).state == .loading)
        bench.hear(.loaded(.expandedPage))
        #expect(
            bench.events(.expandedPage) == [
                "stateChange expanded", "ready", "exposureChange 100 null null", "audioVolumeChange 100",
            ]
        )
        bench.forget()
        #expect(try bench.call(.resize, from: .expandedPage) == .refused("an expanded ad can't be resized"))
        #expect(try bench.call(.expand, from: .expandedPage) == .ignored)
        bench.forget()
        #expect(try bench.call(.close, from: .expandedPage) == .done)
        #expect(bench.actions.contains(.closeExpandedPage) && bench.host.state == .default)
        #expect(bench.events() == ["stateChange default", "exposureChange 100 null null", "viewableChange true"])
        bench.forget()
        #expect(try bench.call(.close, from: .expandedPage) == nil)
        #expect(bench.actions.isEmpty)
    }

    @Test("a page that could not be loaded is an error, and the ad is back in its place")
    func expandedPageFailed() throws {
        var bench = HostBench()
        bench.hear(.loaded(.main))
        try bench.say(#""c":"expand","url":"https://second.example/""#)
        bench.forget()
        bench.hear(.expandedPageFailed("it is not there"))
        #expect(bench.events() == ["stateChange default", "error it is not there expand"])
        #expect(bench.actions.contains(.closeExpandedPage))
        bench.forget()
        bench.hear(.expandedPageFailed("late"))
        #expect(bench.actions.isEmpty)
    }
}
