import AdCore
import LifecycleSupport
import TestSupport
import Testing

@testable import AdTrace

@Suite("Trace coding")
struct TraceCodingTests {
    @Test(
        "every input of an ad is decoded as it was encoded",
        arguments: everyInput.map(\.input) + TraceCodingTests.rare
    )
    func inputs(input: AdInput) throws {
        let read = try AdJSON(parsing: input.traced.text())
        let back = AdInput(traced: read)
        // NaN is not equal to itself.
        if case .stage(.visible(let ratio)) = input, ratio.isNaN {
            guard case .stage(.visible(let other))? = back else {
                Testing.Issue.record("it was decoded as \(String(describing: back))")
                return
            }
            #expect(other.isNaN)
            return
        }
        #expect(back == input)
    }

    @Test(
        "an invalid input is not decoded",
        arguments: [
            "null", "17", "[]", "{}", "\"\"", "\"dance\"", "{\"load\":-1}", "{\"load\":\"1\"}",
            "{\"load\":1,\"show\":2}",
            "{\"stage\":{\"visible\":\"much\"}}", "{\"stage\":{\"video\":{\"did\":\"loaded\"}}}", "{\"timer\":\"tea\"}",
            "{\"stage\":{\"video\":{\"spot\":0,\"did\":{\"progressed\":\"5\"}}}}", "{\"signal\":{\"covered\":\"yes\"}}",
            "{\"offer\":{\"kind\":\"video\",\"closeControl\":\"button\"}}",
            "{\"linkOpened\":{\"url\":\"javascript:x\",\"opened\":true}}",
            "{\"loadFailed\":{\"code\":\"tired\",\"message\":\"\"}}", "{\"stage\":{\"closeRequested\":\"nobody\"}}",
            "{\"offer\":{\"kind\":\"video\",\"closeControl\":\"button\",\"video\":{\"spots\":[],\"standIns\":0}}}",
        ]
    )
    func refused(text: String) throws {
        #expect(AdInput(traced: try AdJSON(parsing: text)) == nil)
    }

    @Test(
        "durations are decoded exactly",
        arguments: [
            .zero, .seconds(3), .milliseconds(-1), .nanoseconds(1), .seconds(1_000_000_000),
            Duration(secondsComponent: 12, attosecondsComponent: 1),
            Duration(secondsComponent: -7, attosecondsComponent: -10),
        ] as [Duration]
    )
    func durations(duration: Duration) { #expect(Duration(traced: duration.traced) == duration) }

    @Test(
        "invalid durations are not decoded",
        arguments: [
            "", "s", "5", "5 s", "1e9s", "1.s", ".5s", "--1s", "1.2.3s", "9999999999999s", "1.0000000000000000001s",
            "\u{661}s",
        ]
    )
    func noDurations(text: String) { #expect(Duration(traced: .string(text)) == nil) }

    static let rare: [AdInput] = [
        .stage(.visible(ratio: .nan)), .stage(.visible(ratio: -.infinity)), .stage(.visible(ratio: 0.1 + 0.2)),
        .stage(.message("{\"a\":\"\u{0}\u{1F600}\"}")), .signal(.network(.cellular)),
        .signal(.obstructed([AdObstruction(x: 1.5, y: -2, size: Size(width: 3, height: 4), name: "bar")])),
        .signal(.obstructed([])),
        .stage(.video(.started(duration: nil))),
        .stage(.crashed("another page", cause: .replacement)), .stage(.crashed("too much", cause: .flood)),
        .stage(.video(.partFailed(nil, vastCode: 603, ""), spot: 3)),
        .stage(.partClicked(.verification(2), nil, byUser: true, spot: 1)),
        .loadFailed(
            AdError(
                .wrapperFailed,
                "a \"b\"\n",
                at: .init(provider: "yabbi", url: "https://a.example/?b", line: 3, wrapperDepth: 2),
                vastCode: 301
            )
        ),
        .presentFailed(StageError("", vastCode: 405)),
        .offerArrived(
            ShowRules(
                .rewarded(
                    VideoRules(
                        SpotRules(
                            .overlay(minimum: .seconds(5)),
                            duration: .milliseconds(15_015),
                            skipOffset: .percent(33.3),
                            hasEndCard: true,
                            progress: [.time(.seconds(2)), .percent(.infinity)],
                            parts: [
                                PartRules(.icon(0), time: .init(start: .seconds(1)), clickThrough: aLink),
                                PartRules(.companion(4), time: nil),
                            ],
                            verifications: 2,
                            clickThrough: aLink
                        ),
                        [SpotRules(.overlay(minimum: nil)), SpotRules()],
                        fallbackCount: 1
                    )
                ),
                closeDelay: .seconds(-3),
                closeControl: .host,
                lifetime: .zero,
                clickThrough: landing("tel:+123"),
                viewPolicy: .mrcVideo
            )
        ),
    ]
}
