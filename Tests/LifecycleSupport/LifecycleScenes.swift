package import AdCore

/// A state of an ad, named as a column of the lifecycle table, and the inputs that lead to it.
package enum Scene: String, CaseIterable {
    case idle, loading, loaded, presenting
    /// The offer failed, and the auction's next one is awaited.
    case replacing
    /// On screen and not visible yet.
    case unseen
    /// On screen and visible, without further inputs.
    case seen
    case closable
    /// The first click is being recorded.
    case clicked
    /// A link is being opened.
    case opening
    /// Closed while the click is being recorded.
    case closedClicked
    case closed, destroyed, failed, expired
    case playing, paused, skippable, over

    package static let withoutVideo: [Scene] = [
        .idle, .loading, .loaded, .presenting, .unseen, .seen, .closable, .clicked, .opening, .closedClicked, .closed,
        .destroyed, .failed, .expired,
    ]
    package static let auctioned: [Scene] = [
        .loaded, .presenting, .replacing, .seen, .closed, .destroyed, .failed, .expired,
    ]
    package static let onlyVideo: [Scene] = [.presenting, .seen, .playing, .paused, .skippable, .over, .closed]
}

package let aLink = landing("https://example.com/offer")
/// An icon that is shown from the first second on.
package let aPart = [PartRules(.icon(0), time: .init(start: .seconds(1)), clickThrough: nil)]
package let loadCommand = CommandID(1)
package let showCommand = CommandID(2)

extension AdLifecycle {
    /// Creates an ad in a state; all inputs come at the clock's origin, except for the watchdog.
    package init(at scene: Scene, _ rules: ShowRules) {
        self.init()
        for input in AdLifecycle.inputs(to: scene, rules) {
            _ = self.handle(input, at: input == .timer(.watchdog) ? Moment(.seconds(60)) : .origin)
        }
    }

    private static func inputs(to scene: Scene, _ rules: ShowRules) -> [AdInput] {
        let loading: [AdInput] = [.load(loadCommand)]
        let loaded = loading + [.offerArrived(rules)]
        let presenting = loaded + [.show(showCommand)]
        let unseen = presenting + [.stage(.ready), .stage(.revealed)]
        let seen = unseen + [.stage(.visible(ratio: 1))]
        let clicked = seen + [.stage(.click(aLink, byUser: true))]
        let playing = seen + [.stage(.video(.started(duration: nil)))]
        switch scene {
        case .idle: return []
        case .loading: return loading
        case .loaded: return loaded
        case .presenting: return presenting
        case .replacing: return presenting + [.presentFailed(StageError("for the test"))]
        case .unseen: return unseen
        case .seen: return seen
        case .closable: return seen + [.timer(.watchdog)]
        case .clicked: return clicked
        case .opening: return clicked + [.recorded(.click)]
        case .closedClicked: return clicked + [.close]
        case .closed: return seen + [.close]
        case .destroyed: return seen + [.destroy]
        case .failed: return loading + [.loadFailed(AdError(.noFill, "for the test"))]
        case .expired: return loaded + [.timer(.expiry)]
        case .playing: return playing
        case .paused: return playing + [.stage(.video(.paused))]
        case .skippable: return playing + [.stage(.video(.progressed(.seconds(10))))]
        case .over: return playing + [.stage(.video(.completed))]
        }
    }
}

/// Every input, with the name of its row in the lifecycle table.
package let everyInput: [(row: String, input: AdInput)] =
    [
        ("load", .load(CommandID(98))),
        ("show", .show(CommandID(99))),
        ("show above a cap", .showCapped(CommandID(96), AdError(.noFill, "for the test"))),
        ("cancel the load", .cancel(loadCommand)),
        ("cancel the show", .cancel(showCommand)),
        ("cancel something else", .cancel(CommandID(97))),
        ("close", .close),
        ("destroy", .destroy),
        ("offer arrived", .offerArrived(ShowRules(.banner))),
        ("load failed", .loadFailed(AdError(.noFill, "for the test"))),
        ("present failed", .presentFailed(StageError("for the test"))),
        ("ready", .stage(.ready)),
        ("revealed", .stage(.revealed)),
        ("visible", .stage(.visible(ratio: 1))),
        ("out of sight", .stage(.visible(ratio: 0))),
        ("click by the user", .stage(.click(aLink, byUser: true))),
        ("click by itself", .stage(.click(aLink, byUser: false))),
        ("click without a link", .stage(.click(nil, byUser: true))),
        ("tap on the creative", .stage(.tap(.creative("mraid.expand"), at: TapPoint(x: 10, y: 20, target: "a#more")))),
        ("tap that led nowhere", .stage(.tap(.nothing("nothing there can be clicked")))),
        (
            "request failed",
            .stage(.diagnostic(.requestFailed(FailedRequest(url: "https://e.example/a.js", reason: "status 404"))))
        ),
        ("script error", .stage(.diagnostic(.scriptError(ScriptError("Uncaught x", url: nil, line: 3, column: 7))))),
        ("blank", .stage(.diagnostic(.blank(BlankCreative(errors: [ScriptError("Uncaught x")]))))),
        ("blocked", .stage(.blocked(BlockedAttempt(.popup, "for the test")))),
        ("close by the user", .stage(.closeRequested(by: .user))),
        ("close by the creative", .stage(.closeRequested(by: .creative))),
        ("skip", .stage(.skipRequested)),
        ("crashed", .stage(.crashed("for the test"))),
        ("gone", .stage(.gone)),
        ("covered", .signal(.covered(true))),
        ("uncovered", .signal(.covered(false))),
        ("background", .signal(.background(true))),
        ("foreground", .signal(.background(false))),
        ("network", .signal(.network(.offline))),
        ("click recorded", .recorded(.click)),
        ("view recorded", .recorded(.view)),
        ("reward recorded", .recorded(.reward)),
        ("tracked", .tracked),
        ("link opened", .linkOpened(aLink, .opened(.systemBrowser))),
    ] + AdTimer.allCases.map { ("timer \($0.rawValue)", .timer($0)) } + videoInputs

package let videoInputs: [(row: String, input: AdInput)] = [
    ("video loaded", .stage(.video(.loaded))),
    ("video started", .stage(.video(.started(duration: .seconds(15))))),
    ("video progressed", .stage(.video(.progressed(.seconds(7))))),
    ("video sought", .stage(.video(.sought(.seconds(1))))),
    ("video muted", .stage(.video(.muted(true)))),
    ("video paused", .stage(.video(.paused))),
    ("video resumed", .stage(.video(.resumed))),
    ("video enlarged", .stage(.video(.enlarged(true)))),
    ("video interaction", .stage(.video(.interacted(.other)))),
    ("video completed", .stage(.video(.completed))),
    ("video failed", .stage(.video(.failed(vastCode: 405, "for the test")))),
    ("video of another spot", .stage(.video(.progressed(.seconds(7)), spot: 7))),
    ("part shown", .stage(.video(.partShown(.icon(0))))),
    ("part failed", .stage(.video(.partFailed(.icon(0), vastCode: 603, "for the test")))),
    ("part clicked", .stage(.partClicked(.icon(0), aLink, byUser: true))),
    ("part clicked itself", .stage(.partClicked(.icon(0), nil, byUser: false))),
    ("unknown part clicked", .stage(.partClicked(.companion(5), aLink, byUser: true))),
]

package func landing(_ text: String) -> ClickThroughURL {
    guard let link = ClickThroughURL(text) else { preconditionFailure("A URL literal is invalid: \(text)") }
    return link
}
