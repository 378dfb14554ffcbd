import AdCore
import Testing

@testable import WebStage

/// An MRAID host with a log of its actions.
struct HostBench {
    var host: MRAIDHost
    private(set) var actions: [MRAIDAction] = []
    private var number = 0

    static let screen = Size(width: 390, height: 844)

    static func geometries(
        _ placement: MRAIDPlacement,
        _ size: RequestedSize = .adaptive,
        screen: Size = HostBench.screen
    ) -> MRAIDGeometries {
        let container: AdContainer =
            placement == .inline ? AdContainer(width: screen.width, screen: screen) : .fullScreen(screen)
        let geometry = StageGeometry(screen: screen, size: CreativeLayout(size, in: container))
        return MRAIDGeometries(geometry, placement == .inline ? .inline : .full)
    }

    init(
        _ placement: MRAIDPlacement = .inline,
        _ size: RequestedSize = .fixed(Size(width: 320, height: 50)),
        expansionPolicy: MRAIDExpansionPolicy = .always
    ) {
        self.host = MRAIDHost(placement, in: HostBench.geometries(placement, size), expansionPolicy: expansionPolicy)
    }

    /// A host in a state; nil if the placement has no such state.
    static func inState(_ state: MRAIDState, _ placement: MRAIDPlacement) throws -> HostBench? {
        var bench = HostBench(placement)
        if state == .loading { return bench }
        bench.handle(.loaded(.main))
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
    mutating func handle(_ input: MRAIDInput) -> [MRAIDAction] {
        let new = self.host.handle(input)
        self.actions += new
        // `open` commands are allowed at once.
        for case .open(_, let commandID) in new { self.handle(.openDecided(commandID, refusal: nil)) }
        return new
    }

    @discardableResult
    mutating func call(
        _ method: MRAIDMethod,
        from document: MRAIDDocument = .main,
        at now: Duration = .zero
    ) throws -> MRAIDReply.Outcome? {
        self.number += 1
        let before = self.replies.count
        self.handle(.call(try MRAIDSamples.call(method, self.number), from: document, at: now))
        return self.replies.dropFirst(before).first?.outcome
    }

    @discardableResult
    mutating func send(_ message: String, from document: MRAIDDocument = .main) throws -> MRAIDReply.Outcome? {
        self.number += 1
        let before = self.replies.count
        let call = try #require(MRAIDCall(try AdJSON(parsing: "{\"n\":\(self.number),\(message)}")))
        self.handle(.call(call, from: document))
        return self.replies.dropFirst(before).first?.outcome
    }

    var replies: [MRAIDReply] {
        self.actions.compactMap { if case .send(_, let update) = $0 { update.reply } else { nil } }
    }

    /// The events that a document was sent, as in `stateChange expanded`.
    func events(_ document: MRAIDDocument = .main) -> [String] {
        self.actions.flatMap { action -> [String] in
            guard case .send(document, let update) = action else { return [] }
            return update.events.map { $0.map { $0.string ?? $0.text() }.joined(separator: " ") }
        }
    }

    mutating func clearActions() { self.actions = [] }

    var page: MRAIDSnapshot { self.host.initialSnapshot(of: .main) }
}

extension MRAIDReply.Outcome? {
    var isRefused: Bool { if case .refused = self { true } else { false } }
}

@Suite("MRAID host")
struct MRAIDHostTests {
    /// The outcome of each command in each state: d done, i ignored, r refused, - no such state.
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

    @Test("a refused command changes nothing", arguments: MRAIDState.allCases, MRAIDPlacement.allCases)
    func refused(state: MRAIDState, placement: MRAIDPlacement) throws {
        guard try HostBench.inState(state, placement) != nil else {
            #expect(placement == .interstitial && (state == .expanded || state == .resized))
            return
        }
        var refused = 0
        for method in MRAIDMethod.allCases {
            var bench = try #require(try HostBench.inState(state, placement))
            guard case .refused = try bench.call(method) else { continue }
            refused += 1
            #expect(bench.host.state == state && bench.actions.count == 1 && bench.events().isEmpty, "\(method)")
        }
        #expect(refused > 0)
    }

    @Test("an unknown command is refused with its name")
    func unknown() throws {
        var bench = HostBench()
        bench.handle(.loaded(.main))
        bench.clearActions()
        #expect(try bench.send(#""c":"fly""#) == .refused("unknown method"))
        #expect(bench.replies.map(\.name) == ["fly"])
    }

    @Test("a repeated command number is ignored")
    func number() throws {
        var bench = HostBench()
        bench.handle(.loaded(.main))
        let call = try MRAIDSamples.call(.expand, 5)
        bench.handle(.call(call, from: .main))
        bench.clearActions()
        #expect(bench.handle(.call(call, from: .main)).isEmpty)
        #expect(bench.handle(.call(try MRAIDSamples.call(.close, 4), from: .main)).isEmpty)
        #expect(bench.host.state == .expanded)
    }

    @Test("a loaded page gets stateChange and then ready, once")
    func ready() {
        var bench = HostBench()
        bench.handle(.exposureChanged(.none))
        #expect(bench.actions.isEmpty)
        bench.handle(.loaded(.main))
        bench.handle(.loaded(.main))
        #expect(
            bench.events() == ["stateChange default", "ready", "exposureChange 0 null null", "audioVolumeChange 100"]
        )
    }

    @Test("an unchanged value is not sent again")
    func same() {
        var bench = HostBench()
        bench.handle(.loaded(.main))
        bench.clearActions()
        let seen = MRAIDExposure(percentage: 50, visible: MRAIDRect(x: 0, y: 0, width: 320, height: 25))
        for _ in 0..<3 { bench.handle(.exposureChanged(seen)) }
        for _ in 0..<3 { bench.handle(.volume(20)) }
        for _ in 0..<3 { bench.handle(.volume(nil)) }
        for _ in 0..<3 { bench.handle(.exposureChanged(.none)) }
        bench.handle(.geometryChanged(HostBench.geometries(.inline, .fixed(Size(width: 320, height: 50)))))
        bench.handle(.collapse)
        #expect(
            bench.events() == [
                #"exposureChange 50 {"x":0,"y":0,"width":320,"height":25} null"#, "viewableChange true",
                "audioVolumeChange 20", "audioVolumeChange null", "exposureChange 0 null null", "viewableChange false",
            ]
        )
    }

    @Test("volume and exposure are limited to 0...100")
    func bounds() {
        var bench = HostBench()
        bench.handle(.loaded(.main))
        bench.clearActions()
        bench.handle(.volume(900))
        bench.handle(.volume(-3))
        bench.handle(.volume(.nan))
        bench.handle(.volume(.nan))
        bench.handle(.volume(0))
        bench.handle(.exposureChanged(MRAIDExposure(percentage: 400, visible: nil)))
        #expect(
            bench.events() == [
                "audioVolumeChange 0", "audioVolumeChange null", "audioVolumeChange 0", "exposureChange 100 null null",
                "viewableChange true",
            ]
        )
    }

    @Test(
        "an ad expands over the screen and is collapsed by close or by the collapse button",
        arguments: [true, false]
    )
    func expand(byItself: Bool) throws {
        var bench = HostBench()
        bench.handle(.loaded(.main))
        bench.clearActions()
        try bench.call(.expand)
        #expect(bench.events() == ["sizeChange 390 844", "stateChange expanded"])
        #expect(bench.actions.contains(.setLayout(.screen)) && bench.host.layout == .screen)
        #expect(bench.page.currentPosition == MRAIDRect(x: 0, y: 0, width: 390, height: 844))
        bench.clearActions()
        if byItself { try bench.call(.close) } else { bench.handle(.collapse) }
        #expect(bench.events() == ["sizeChange 320 50", "stateChange default"])
        #expect(bench.actions.contains(.setLayout(.defaultPosition)) && !bench.actions.contains(.requestClose))
    }

    @Test("each close in the default state asks the app to close the ad")
    func close() throws {
        var bench = HostBench()
        bench.handle(.loaded(.main))
        bench.clearActions()
        try bench.call(.close)
        #expect(bench.events() == ["stateChange hidden"] && bench.actions.count { $0 == .requestClose } == 1)
        try bench.call(.close)
        #expect(bench.actions.count { $0 == .requestClose } == 2)
    }

    @Test("an ad that forces an orientation and forbids changes keeps the forced one")
    func forcedAndLocked() throws {
        var bench = HostBench(.interstitial, .adaptive)
        bench.handle(.loaded(.main))
        try bench.send(
            #""c":"setOrientationProperties","allowOrientationChange":false,"forceOrientation":"landscape""#
        )
        #expect(bench.host.forcedOrientation == .landscape)
        try bench.send(#""c":"setOrientationProperties","forceOrientation":"none""#)
        #expect(bench.host.forcedOrientation == .landscape)
    }

    @Test("after unload an ad is collapsed and its commands are ignored")
    func unload() throws {
        var bench = try #require(try HostBench.inState(.expanded, .inline))
        #expect(try bench.call(.unload) == .done)
        #expect(bench.actions.contains(.requestClose) && bench.actions.contains(.setLayout(.defaultPosition)))
        bench.clearActions()
        for method in MRAIDMethod.allCases { try bench.call(method) }
        bench.handle(.exposureChanged(MRAIDExposure(percentage: 10, visible: nil)))
        #expect(bench.actions.isEmpty)
    }

    @Test("each command of a flood gets a reply, and commands beyond the limit are refused")
    func flood() throws {
        var bench = HostBench()
        bench.handle(.loaded(.main))
        bench.clearActions()
        var replies = 0
        for number in 1...MRAIDHost.commandLimit {
            let actions = bench.host.handle(.call(try MRAIDSamples.call(.useCustomClose, number), from: .main))
            replies += actions.count
        }
        let last = bench.host.handle(.call(try MRAIDSamples.call(.expand, 1 << 40), from: .main))
        let reply = MRAIDReply(number: 1 << 40, name: "expand", outcome: .refused("too many commands"))
        #expect(last == [.send(.main, MRAIDUpdate(reply: reply))])
        #expect(bench.host.state == .default && replies == MRAIDHost.commandLimit)
        let end = bench.host.handle(.call(try MRAIDSamples.call(.unload, 1 << 41), from: .main))
        #expect(end.contains(.requestClose), "what ends the ad is never too much")
    }

    @Test("the number of pending open commands is limited, and each gets one reply")
    func opens() throws {
        var host = MRAIDHost(.inline, in: HostBench.geometries(.inline))
        var pending: [MRAIDCommandID] = []
        var refused = 0
        for number in 1...20 {
            for action in host.handle(.call(try MRAIDSamples.call(.open, number), from: .main)) {
                if case .open(_, let commandID) = action { pending.append(commandID) }
                if case .send(.main, let update) = action, case .refused = update.reply?.outcome { refused += 1 }
            }
        }
        #expect(pending.count == MRAIDHost.openLimit && refused == 20 - MRAIDHost.openLimit)
        for commandID in pending {
            #expect(host.handle(.openDecided(commandID, refusal: "without a gesture")).count == 1)
            #expect(host.handle(.openDecided(commandID, refusal: nil)).isEmpty)
        }
    }

    @Test("in a two-part creative both documents get their own state and events")
    func twoPart() throws {
        var bench = HostBench()
        bench.handle(.loaded(.main))
        bench.handle(.exposureChanged(MRAIDExposure(percentage: 100, visible: nil)))
        bench.clearActions()
        let address = "https://second.example/page.html"
        #expect(try bench.send(#""c":"expand","url":"https://second.example/page.html""#) == .done)
        #expect(bench.actions.contains(.openExpandedPage(address)) && bench.host.hasExpandedPage)
        #expect(bench.events() == ["stateChange expanded", "exposureChange 0 null null", "viewableChange false"])
        #expect(bench.host.initialSnapshot(of: .expandedPage).state == .loading)
        bench.handle(.loaded(.expandedPage))
        #expect(
            bench.events(.expandedPage) == [
                "stateChange expanded", "ready", "exposureChange 100 null null", "audioVolumeChange 100",
            ]
        )
        bench.clearActions()
        #expect(try bench.call(.resize, from: .expandedPage) == .refused("an expanded ad can't be resized"))
        #expect(try bench.call(.expand, from: .expandedPage) == .ignored)
        bench.clearActions()
        #expect(try bench.call(.close, from: .expandedPage) == .done)
        #expect(bench.actions.contains(.closeExpandedPage) && bench.host.state == .default)
        #expect(bench.events() == ["stateChange default", "exposureChange 100 null null", "viewableChange true"])
        bench.clearActions()
        #expect(try bench.call(.close, from: .expandedPage) == nil)
        #expect(bench.actions.isEmpty)
    }

    @Test("an expanded page that fails to load causes an error event and collapses the ad")
    func expandedPageFailed() throws {
        var bench = HostBench()
        bench.handle(.loaded(.main))
        try bench.send(#""c":"expand","url":"https://second.example/""#)
        bench.clearActions()
        bench.handle(.expandedPageFailed("it is not there"))
        #expect(bench.events() == ["stateChange default", "error it is not there expand"])
        #expect(bench.actions.contains(.closeExpandedPage))
        bench.clearActions()
        bench.handle(.expandedPageFailed("late"))
        #expect(bench.actions.isEmpty)
    }
}
