import AdCore
import Testing

@testable import WebStage

/// A page that calls one method like an ad, and returns whether the host does what MRAID 3.0 specifies.
struct MRAIDTrial: CustomTestStringConvertible, Sendable {
    /// The method, or the event.
    let name: String
    let kind: ShowRules.Kind
    /// The body of an async function; `expect` throws the failure.
    let script: String

    init(_ name: String, _ kind: ShowRules.Kind = .banner, _ script: String) {
        self.name = name
        self.kind = kind
        self.script = script
    }

    var testDescription: String { "\(self.name) (\(self.kind))" }

    var page: String {
        """
        \(MRAIDHarness.harness)<p>Ad</p>
        <script>
        const outcome = (async () => { \(self.script); return "fine"; })().catch(String);
        </script>
        """
    }

    /// One for each method, in a banner of 320 × 50 on a screen of 390 × 844, or as an interstitial.
    static let all: [MRAIDTrial] =
        [
            .init(
                "getVersion",
                .banner,
                """
                expect(mraid.getVersion() === "3.0", "version");
                const keys = Object.keys(MRAID_ENV).sort();
                expect(same(keys, ["sdk", "sdkVersion", "version"]) && MRAID_ENV.version === "3.0", "environment");
                expect(MRAID_ENV.sdk === "yabbi" && typeof MRAID_ENV.sdkVersion === "string", "sdk")
                """
            ),
            .init(
                "getState",
                .banner,
                """
                expect(start === "loading", "begins with " + start);
                const order = [];
                mraid.addEventListener("ready", () => order.push("ready " + mraid.getState()));
                mraid.addEventListener("stateChange", (state) => order.push(state));
                await nextEvent("ready");
                expect(same(order, ["default", "ready default"]), "order " + order)
                """
            ),
            .init("getPlacementType", .banner, "expect(mraid.getPlacementType() === 'inline', 'placement')"),
            .init(
                "getPlacementType",
                .interstitial,
                "expect(mraid.getPlacementType() === 'interstitial', 'placement')"
            ),
            .init(
                "addEventListener",
                .banner,
                """
                const order = [];
                const once = () => order.push("once");
                mraid.addEventListener("ready", () => { order.push("first"); throw new Error("mine"); });
                mraid.addEventListener("ready", once);
                mraid.addEventListener("ready", once);
                await nextEvent("ready");
                expect(same(order, ["first", "once"]), "order " + order);
                mraid.addEventListener("nonsense", once);
                expect((await nextEvent("error"))[1] === "addEventListener", "unknown event");
                mraid.addEventListener("ready", "once");
                expect((await nextEvent("error"))[1] === "addEventListener", "no function");
                // A late listener gets the present value.
                const volume = await new Promise((go) => mraid.addEventListener("audioVolumeChange", go));
                expect(volume === 100, "volume " + volume);
                const percent = await new Promise((go) => mraid.addEventListener("exposureChange", (percent) => percent > 0 && go(percent)));
                expect(percent === 100, "exposure " + percent)
                """
            ),
            .init(
                "removeEventListener",
                .banner,
                """
                const order = [];
                const [a, b, c] = ["a", "b", "c"].map((name) => () => order.push(name));
                for (const each of [a, b, c]) mraid.addEventListener("stateChange", each);
                mraid.removeEventListener("stateChange", b);
                await nextEvent("ready");
                expect(same(order, ["a", "c"]), "order " + order);
                mraid.removeEventListener("stateChange", b);
                expect((await nextEvent("error"))[1] === "removeEventListener", "not one of them");
                mraid.removeEventListener("nonsense");
                expect((await nextEvent("error"))[1] === "removeEventListener", "unknown event");
                mraid.removeEventListener("stateChange");
                mraid.expand();
                await settled();
                expect(mraid.getState() === "expanded" && order.length === 2, "all of them")
                """
            ),
            .init(
                "isViewable",
                .banner,
                """
                expect(mraid.isViewable() === false, "before");
                expect(same(await nextEvent("viewableChange"), [true]) && mraid.isViewable() === true, "on screen")
                """
            ),
            .init(
                "supports",
                .banner,
                """
                const all = ["sms", "tel", "calendar", "storePicture", "inlineVideo", "vpaid", "location", "toString", ""];
                expect(same(all.filter((each) => mraid.supports(each)), ["sms", "tel", "inlineVideo"]), "features")
                """
            ),
            .init(
                "open",
                .banner,
                """
                await nextEvent("ready");
                for (const url of ["https://shop.example/", undefined, "", {}, "javascript:alert(1)"]) {
                  mraid.open(url);
                  expect((await nextEvent("error"))[1] === "open", "opened " + url);
                }
                """
            ),
            .init(
                "close",
                .banner,
                """
                mraid.close();
                expect((await nextEvent("error"))[1] === "close", "while it loads");
                await nextEvent("ready");
                mraid.close();
                await nextEvent("stateChange", (state) => state === "hidden");
                expect(mraid.getState() === "hidden", "state");
                mraid.expand();
                expect((await nextEvent("error"))[1] === "expand", "afterwards")
                """
            ),
            .init(
                "close",
                .interstitial,
                "await nextEvent('ready'); mraid.close(); await nextEvent('stateChange', (state) => state === 'hidden')"
            ),
            .init(
                "unload",
                .banner,
                """
                await nextEvent("ready");
                mraid.unload();
                mraid.expand();
                mraid.storePicture("x");
                expect(mraid.getState() === "default" && !log.some(([name]) => name === "error"), "it goes on")
                """
            ),
            .init(
                "expand",
                .banner,
                """
                mraid.expand();
                expect((await nextEvent("error"))[1] === "expand", "while it loads");
                await nextEvent("ready");
                log.length = 0;
                mraid.expand();
                expect(same(await nextEvent("sizeChange"), [390, 844]), "size");
                expect(same(await nextEvent("stateChange"), ["expanded"]), "state");
                expect(innerWidth === 390 && innerHeight === 844, "window " + innerWidth + " " + innerHeight);
                expect(same(mraid.getCurrentPosition(), { x: 0, y: 0, width: 390, height: 844 }), "position");
                expect(same(mraid.getDefaultPosition(), { x: 35, y: 57, width: 320, height: 50 }), "default position");
                mraid.expand();
                await settled();
                mraid.resize();
                expect((await nextEvent("error"))[1] === "resize", "resized");
                mraid.close();
                expect(same(await nextEvent("sizeChange"), [320, 50]), "size");
                expect(same(await nextEvent("stateChange"), ["default"]) && innerWidth === 320, "state")
                """
            ),
            .init(
                "expand",
                .interstitial,
                """
                await nextEvent("ready");
                mraid.expand();
                await settled();
                expect(mraid.getState() === "default", "state")
                """
            ),
            .init(
                "resize",
                .banner,
                """
                await nextEvent("ready");
                log.length = 0;
                mraid.resize();
                expect((await nextEvent("error"))[1] === "resize", "without properties");
                mraid.setResizeProperties({ width: 320, height: 250, offsetX: 0, offsetY: 20 });
                mraid.resize();
                expect(same(await nextEvent("sizeChange"), [320, 250]), "size");
                expect(same(await nextEvent("stateChange"), ["resized"]), "state");
                expect(innerWidth === 320 && innerHeight === 250, "window " + innerWidth + " " + innerHeight);
                expect(same(mraid.getCurrentPosition(), { x: 35, y: 77, width: 320, height: 250 }), "position");
                mraid.setResizeProperties({ width: 320, height: 200, offsetX: 0, offsetY: 20 });
                mraid.resize();
                expect(same(await nextEvent("sizeChange"), [320, 200]), "again");
                expect(same(await nextEvent("stateChange"), ["resized"]), "the state again");
                mraid.expand();
                expect(same(await nextEvent("stateChange"), ["expanded"]), "expanded");
                mraid.close();
                expect(same(await nextEvent("stateChange"), ["default"]), "back");
                mraid.setResizeProperties({ width: 320, height: 200, offsetX: 0, offsetY: -200 });
                expect((await nextEvent("error"))[1] === "setResizeProperties", "off the screen");
                expect(mraid.getResizeProperties().offsetY === 20, "the properties of before")
                """
            ),
            .init(
                "resize",
                .interstitial,
                """
                await nextEvent("ready");
                mraid.setResizeProperties({ width: 300, height: 250, offsetX: 0, offsetY: 0 });
                mraid.resize();
                expect((await nextEvent("error"))[1] === "resize", "resized")
                """
            ),
            .init(
                "playVideo",
                .banner,
                "mraid.playVideo('https://m.example/f.mp4'); expect((await nextEvent('error'))[1] === 'playVideo', 'film')"
            ),
            .init(
                "storePicture",
                .banner,
                "mraid.storePicture('https://m.example/p.png'); expect((await nextEvent('error'))[1] === 'storePicture', 'picture')"
            ),
            .init(
                "createCalendarEvent",
                .banner,
                "mraid.createCalendarEvent({}); expect((await nextEvent('error'))[1] === 'createCalendarEvent', 'event')"
            ),
            .init(
                "initVpaid",
                .banner,
                "mraid.initVpaid({}); expect((await nextEvent('error'))[1] === 'initVpaid', 'VPAID')"
            ),
            .init(
                "useCustomClose",
                .banner,
                """
                mraid.useCustomClose(true);
                await settled();
                expect(mraid.getExpandProperties().useCustomClose === false, "it is ours")
                """
            ),
        ] + MRAIDTrial.properties
}
