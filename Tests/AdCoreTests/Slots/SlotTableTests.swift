import Testing

@testable import AdCore

/// Compares what a slot does in each state with a table.
@Suite("SlotMachine: every state × every input")
struct SlotTableTests {
    /// A state and how a slot gets there.
    private struct Scene {
        let name: String
        let slot: SlotDriver

        init(_ name: String, _ slot: SlotDriver) {
            self.name = name
            self.slot = slot
        }
    }

    private static let interval = SlotMachine.Input.refreshEvery(.seconds(30))

    private static let scenes = [
        Scene("empty", SlotDriver(.banner, interval)),
        Scene("due while hidden", SlotDriver(.banner, interval, .visible(ratio: 0), .start)),
        Scene("loading", SlotDriver(.banner, interval, .start)),
        Scene("loaded while hidden", SlotDriver(.banner, interval, .start, .visible(ratio: 0), .loaded(ad(1)))),
        Scene("presenting", SlotDriver(.banner, interval, .start, .loaded(ad(1)))),
        Scene("shown without an impression", SlotDriver(.banner, interval, .start, .loaded(ad(1)), .shown(ad(1)))),
        Scene("counting", SlotDriver.started()),
        Scene("counting, hidden", SlotDriver.started(.visible(ratio: 0))),
        Scene("counting, stopped", SlotDriver.started(.stop)),
        Scene("counting, the user is away", SlotDriver.started(.linkOpened)),
        Scene("refresh loading", SlotDriver.started(.refreshNow)),
        Scene("refresh presenting", SlotDriver.started(.refreshNow, .loaded(ad(2)))),
        Scene("the app's load", SlotDriver(.banner, interval, .load)),
        Scene("the app's ad loaded", SlotDriver(.banner, interval, .load, .loaded(ad(1)))),
        Scene("the app's ad presenting", SlotDriver(.banner, interval, .load, .loaded(ad(1)), .show)),
        Scene("the app's next ad loaded", SlotDriver.viewed(.load, .loaded(ad(2)))),
        Scene("full screen, shown", SlotDriver(.fullScreen, .load, .loaded(ad(1)), .show, .shown(ad(1)))),
        Scene("closed", SlotDriver.started(.close)),
    ]

    /// Every input; those about an ad are about the first and the second.
    private static let inputs: [SlotMachine.Input] =
        [.load, .show, .start, .stop, .resume, .refreshNow, .close]
        + [1, 2].flatMap { number -> [SlotMachine.Input] in
            [
                .loaded(ad(number)), .loadFailed(ad(number), slotError), .shown(ad(number)),
                .showFailed(ad(number), slotError), .viewed(ad(number)), .clicked(ad(number)), .closed(ad(number)),
                .expired(ad(number)),
            ]
        } + [
            .linkOpened, .visible(ratio: 0), .visible(ratio: 1), .signal(.background(true)),
            .signal(.background(false)), .signal(.covered(true)), .signal(.covered(false)), .signal(.network(.wifi)),
            .timer, .refreshEvery(nil), .refreshEvery(.seconds(30)), .refreshEvery(.seconds(20)), .consentChanged,
        ]

    @Test("each input has in each state the actions of the table")
    func table() {
        let lines = Self.scenes.flatMap { scene in
            [scene.name] + Self.inputs.compactMap { Self.line($0, in: scene) }
        }
        let expected = Self.table.split(separator: "\n").map(String.init)
        for (line, wanted) in zip(lines, expected) where line != wanted {
            Testing.Issue.record("\(line) – the table has: \(wanted)")
            break
        }
        #expect(lines.count == expected.count)
    }

    /// An input and its actions in a state; nil if there are none.
    private static func line(_ input: SlotMachine.Input, in scene: Scene) -> String? {
        var slot = scene.slot
        // One second later, so that time that counted is seen in the actions.
        let actions = slot.send(input, at: slot.now.sinceOrigin.inSeconds + 1)
        guard !actions.isEmpty else { return nil }
        return "  \(self.text(input)): \(actions.map(self.text).joined(separator: ", "))"
    }

    private static func text(_ input: SlotMachine.Input) -> String {
        switch input {
        case .loaded(let number): "loaded \(number.value)"
        case .loadFailed(let number, _): "loadFailed \(number.value)"
        case .shown(let number): "shown \(number.value)"
        case .showFailed(let number, _): "showFailed \(number.value)"
        case .viewed(let number): "viewed \(number.value)"
        case .clicked(let number): "clicked \(number.value)"
        case .closed(let number): "closed \(number.value)"
        case .expired(let number): "expired \(number.value)"
        case .visible(let ratio): "visible \(Int(ratio))"
        case .signal(.background(let isOn)): "background \(isOn)"
        case .signal(.covered(let isOn)): "covered \(isOn)"
        case .signal(.network): "network"
        case .signal(.volume): "volume"
        case .signal(.obstructed): "obstructed"
        case .refreshEvery(let interval): "interval \(interval.map { "\(Int($0.inSeconds))" } ?? "none")"
        case .load, .show, .start, .stop, .resume, .refreshNow, .close, .linkOpened, .timer, .consentChanged: "\(input)"
        }
    }

    private static func text(_ action: SlotMachine.Action) -> String {
        switch action {
        case .load(let number): "load \(number.value)"
        case .show(let number, nil): "show \(number.value)"
        case .show(let number, let old?): "show \(number.value) for \(old.value)"
        case .destroy(let number): "destroy \(number.value)"
        case .call(.loadFailed(let error)): "call loadFailed \(error.code)"
        case .call(.showFailed(let error)): "call showFailed \(error.code)"
        case .call(let callback): "call \(callback)"
        case .report(let issue): "report \(issue.code)"
        case .setTimer(let moment): "timer \(Int(moment.sinceOrigin.inSeconds))"
        case .cancelTimer: "no timer"
        }
    }
}

extension SlotTableTests {
    /// By state, each input that causes actions; all other inputs cause none.
    private static let table = """
        empty
          load: load 1
          show: call showFailed notLoaded
          start: load 1
          refreshNow: load 1
          loaded 1: destroy 1
          loaded 2: destroy 2
        due while hidden
          load: load 1
          show: call showFailed notLoaded
          loaded 1: destroy 1
          loaded 2: destroy 2
          visible 1: load 1
        loading
          show: call showFailed notLoaded
          close: destroy 1
          loaded 1: show 1
          loadFailed 1: timer 54
          loaded 2: destroy 2
          consentChanged: destroy 1, load 2
        loaded while hidden
          load: call loaded
          show: call showFailed notLoaded
          close: destroy 1
          loaded 2: destroy 2
          visible 1: show 1
          consentChanged: destroy 1
        presenting
          load: call loadFailed alreadyLoaded
          show: call showFailed alreadyShown
          close: destroy 1
          shown 1: call shown
          showFailed 1: timer 54
          expired 1: timer 54
          loaded 2: destroy 2
          consentChanged: destroy 1, load 2
        shown without an impression
          load: load 2
          show: call showFailed notLoaded
          refreshNow: load 2
          close: destroy 1, call closed
          viewed 1: timer 31, call impression
          clicked 1: call clicked
          closed 1: call closed
          loaded 2: destroy 2
        counting
          load: load 2
          show: call showFailed notLoaded
          stop: no timer
          refreshNow: no timer, load 2
          close: no timer, destroy 1, call closed
          clicked 1: call clicked
          closed 1: no timer, call closed
          loaded 2: destroy 2
          linkOpened: no timer
          visible 0: no timer
          background true: no timer
          covered true: no timer
          interval none: no timer
          interval 20: no timer, timer 21
        counting, hidden
          load: load 2
          show: call showFailed notLoaded
          close: destroy 1, call closed
          clicked 1: call clicked
          closed 1: call closed
          loaded 2: destroy 2
          visible 1: timer 31
        counting, stopped
          load: load 2
          show: call showFailed notLoaded
          start: timer 31
          resume: timer 31
          close: destroy 1, call closed
          clicked 1: call clicked
          closed 1: call closed
          loaded 2: destroy 2
        counting, the user is away
          load: load 2
          show: call showFailed notLoaded
          start: timer 31
          resume: timer 31
          refreshNow: load 2
          close: destroy 1, call closed
          clicked 1: call clicked
          closed 1: call closed
          loaded 2: destroy 2
          background false: timer 31
          covered false: timer 31
        refresh loading
          show: call showFailed notLoaded
          close: destroy 2, destroy 1, call closed
          clicked 1: call clicked
          closed 1: destroy 2, call closed
          loaded 2: show 2 for 1
          loadFailed 2: timer 54
          interval 20: timer 21
          consentChanged: destroy 2, load 3
        refresh presenting
          load: call loadFailed alreadyLoaded
          show: call showFailed alreadyShown
          close: destroy 2, destroy 1, call closed
          clicked 1: call clicked
          closed 1: destroy 2, call closed
          shown 2: destroy 1, call shown
          showFailed 2: timer 54
          expired 2: timer 54
          interval 20: timer 21
          consentChanged: destroy 2, load 3
        the app's load
          load: call loadFailed alreadyLoading
          show: call showFailed notLoaded
          close: destroy 1, call loadFailed destroyed
          loaded 1: call loaded
          loadFailed 1: call loadFailed noFill
          loaded 2: destroy 2
          consentChanged: destroy 1, load 2
        the app's ad loaded
          load: call loadFailed alreadyLoaded
          show: show 1
          close: destroy 1
          expired 1: call expired
          loaded 2: destroy 2
          consentChanged: destroy 1, call expired
        the app's ad presenting
          load: call loadFailed alreadyLoaded
          show: call showFailed alreadyShown
          close: destroy 1, call showFailed destroyed
          shown 1: call shown
          showFailed 1: call showFailed noFill
          expired 1: call showFailed expired
          loaded 2: destroy 2
          consentChanged: destroy 1, call showFailed expired
        the app's next ad loaded
          load: call loadFailed alreadyLoaded
          show: show 2
          stop: no timer
          close: no timer, destroy 2, destroy 1, call closed
          clicked 1: call clicked
          closed 1: no timer, call closed
          expired 2: call expired
          linkOpened: no timer
          visible 0: no timer
          background true: no timer
          covered true: no timer
          interval none: no timer
          interval 20: no timer, timer 21
          consentChanged: destroy 2, call expired
        full screen, shown
          load: load 2
          show: call showFailed notLoaded
          close: destroy 1, call closed
          viewed 1: call impression
          clicked 1: call clicked
          closed 1: call closed
          loaded 2: destroy 2
        closed
          load: call loadFailed destroyed
          show: call showFailed destroyed
          loaded 1: destroy 1
          loaded 2: destroy 2
        """
}
