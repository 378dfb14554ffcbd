import AdCore
import Testing

@testable import WebStage

extension MRAIDTrial {
    /// One for each property, and for values that change by themselves.
    static let properties: [MRAIDTrial] = [
        .init(
            "getExpandProperties",
            .banner,
            "expect(same(mraid.getExpandProperties(), { width: 390, height: 844, useCustomClose: false, isModal: true }), 'at first')"
        ),
        .init(
            "setExpandProperties",
            .banner,
            """
            mraid.setExpandProperties({ width: 200, useCustomClose: true, isModal: false });
            const wanted = { width: 200, height: 844, useCustomClose: false, isModal: true };
            expect(same(mraid.getExpandProperties(), wanted), "at once");
            await settled();
            expect(same(mraid.getExpandProperties(), wanted), "afterwards");
            for (const bad of [{ width: NaN }, { width: "wide" }, { height: -1 }, { height: {} }, null, 7]) {
              mraid.setExpandProperties(bad);
              expect((await nextEvent("error"))[1] === "setExpandProperties", "took " + JSON.stringify(bad));
              expect(same(mraid.getExpandProperties(), wanted), "kept");
            }
            """
        ),
        .init(
            "getOrientationProperties",
            .banner,
            "expect(same(mraid.getOrientationProperties(), { allowOrientationChange: true, forceOrientation: 'none' }), 'at first')"
        ),
        .init(
            "setOrientationProperties",
            .banner,
            """
            await nextEvent("ready");
            log.length = 0;
            mraid.setOrientationProperties({ forceOrientation: "landscape" });
            expect(same(mraid.getOrientationProperties(), { allowOrientationChange: true, forceOrientation: "landscape" }), "at once");
            expect(mraid.getCurrentAppOrientation().orientation === "portrait", "in its place");
            mraid.expand();
            expect(same(await nextEvent("sizeChange"), [844, 390]), "size");
            expect(innerWidth === 844 && innerHeight === 390, "window");
            expect(same(mraid.getScreenSize(), { width: 844, height: 390 }), "screen");
            expect(mraid.getCurrentAppOrientation().orientation === "landscape", "turned");
            mraid.close();
            expect(same(await nextEvent("sizeChange"), [320, 50]), "back");
            expect(mraid.getCurrentAppOrientation().orientation === "portrait", "turned back");
            expect(same(mraid.getDefaultPosition(), { x: 35, y: 57, width: 320, height: 50 }), "place");
            mraid.setOrientationProperties({ forceOrientation: "diagonal" });
            expect((await nextEvent("error"))[1] === "setOrientationProperties", "diagonal");
            mraid.setOrientationProperties({ allowOrientationChange: "no" });
            expect((await nextEvent("error"))[1] === "setOrientationProperties", "no")
            """
        ),
        .init(
            "setOrientationProperties",
            .interstitial,
            """
            mraid.setOrientationProperties({ forceOrientation: "landscape" });
            await nextEvent("ready");
            expect(same(mraid.getScreenSize(), { width: 844, height: 390 }), "screen");
            expect(mraid.getCurrentPosition().width === 844 && innerWidth === 844, "window " + innerWidth)
            """
        ),
        .init(
            "getCurrentAppOrientation",
            .banner,
            "expect(same(mraid.getCurrentAppOrientation(), { orientation: 'portrait', locked: false }), 'orientation')"
        ),
        .init(
            "getResizeProperties",
            .banner,
            """
            const wanted = { width: 0, height: 0, offsetX: 0, offsetY: 0, customClosePosition: "top-right", allowOffscreen: true };
            expect(same(mraid.getResizeProperties(), wanted), "at first")
            """
        ),
        .init(
            "setResizeProperties",
            .banner,
            """
            mraid.setResizeProperties({ width: 300, height: 250, offsetX: -10, offsetY: 5, allowOffscreen: false, customClosePosition: "center" });
            const wanted = { width: 300, height: 250, offsetX: -10, offsetY: 5, customClosePosition: "top-right", allowOffscreen: false };
            expect(same(mraid.getResizeProperties(), wanted), "at once");
            await settled();
            const good = { width: 60, height: 60, offsetX: 0, offsetY: 0 };
            const bad = [
              undefined, {}, { width: 300, height: 250 }, { ...good, width: 49 }, { ...good, height: Infinity },
              { ...good, offsetX: "0" }, { ...good, offsetY: [] }, { ...good, allowOffscreen: 1 }, { ...good, get width() { throw 1; } },
            ];
            for (const each of bad) {
              mraid.setResizeProperties(each);
              expect((await nextEvent("error"))[1] === "setResizeProperties", "took one");
              expect(same(mraid.getResizeProperties(), wanted), "kept " + JSON.stringify(mraid.getResizeProperties()));
            }
            """
        ),
        .init(
            "getCurrentPosition",
            .banner,
            "expect(same(mraid.getCurrentPosition(), { x: 35, y: 57, width: 320, height: 50 }), 'position')"
        ),
        .init(
            "getDefaultPosition",
            .banner,
            "expect(same(mraid.getDefaultPosition(), { x: 35, y: 57, width: 320, height: 50 }), 'position')"
        ),
        .init(
            "getDefaultPosition",
            .interstitial,
            "expect(same(mraid.getDefaultPosition(), { x: 0, y: 0, width: 390, height: 844 }), 'position')"
        ),
        .init("getMaxSize", .banner, "expect(same(mraid.getMaxSize(), { width: 390, height: 844 }), 'size')"),
        .init("getScreenSize", .banner, "expect(same(mraid.getScreenSize(), { width: 390, height: 844 }), 'size')"),
        .init("getLocation", .banner, "expect(mraid.getLocation() === -1, 'location')"),
    ]
}
