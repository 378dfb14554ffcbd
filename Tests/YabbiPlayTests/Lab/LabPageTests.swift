import AdCore
import BrowserSupport
import LibC
import PlayConsole
import PlaySupport
import PlayText
import TestSupport
import Testing

@testable import PlayLab
@testable import YabbiPlay

@Suite("The page of the lab", .needsBrowser, .timeLimit(.minutes(3)))
struct LabPageTests {
    private static let banner = """
        <a href="https://shop.example/" target="_blank" style="position:fixed;inset:0;background:#06c">Shop</a>
        <script>console.log("hello <img src=x onerror=alert(1)>"); mraid;</script>
        """

    /// Runs a test with a page, in which nothing may go wrong.
    private static func withPage(_ test: (LabPage) async throws -> Void) async throws {
        let page = try await LabPage.open()
        do {
            try await test(page)
            #expect(try await page.problems == [])
        } catch {
            await page.close()
            throw error
        }
        await page.close()
    }

    @Test("a pasted tag is run by the keyboard, shown, and clicked in its picture; every tab tells what happened")
    func paste() async throws {
        try await Self.withPage { page in
            try await page.run(Self.banner, size: "300x250")
            try await page.wait(for: "document.querySelector('#screen').dataset.drawn > 0")
            try await page.wait(for: "document.querySelector('#panel-events').textContent.includes('view')")
            try await page.click("#screen", atX: 0.5, y: 0.15)
            try await page.wait(for: "document.querySelector('#panel-events').textContent.includes('click')")
            try await page.click("#tab-trackers")
            try await page.wait(for: "document.querySelector('#panel-trackers tbody').rows.length === 2")
            for (tab, content) in [
                ("trackers", "fired"), ("requests", "127.0.0.1"), ("document", "shop.example"), ("structure", "pasted"),
                ("console", "hello <img src=x onerror=alert(1)>"), ("messages", "stateChange"), ("events", "view"),
            ] {
                try await page.click("#tab-\(tab)")
                try await page.wait(
                    for: "document.querySelector('#panel-\(tab)').textContent.includes('\(content)')"
                )
                #expect(try await page.evaluate("document.querySelector('#panel-\(tab)').hidden") == false)
            }
            #expect(try await page.evaluate("document.querySelectorAll('img[src=x]').length") == 0, "text stays text")
            #expect(try await page.text(of: "#recent").contains("pasted"))
        }
    }

    @Test("a past moment is shown from the timeline with its events and document, and the end goes back to now")
    func past() async throws {
        try await Self.withPage { page in
            let moving = """
                <p id=a>0</p><script>let i = 0; const next = () => { a.textContent = ++i; requestAnimationFrame(next); };
                next();</script>
                """
            try await page.run(moving, size: "300x250")
            try await page.wait(for: "document.querySelectorAll('#film img, #film canvas').length > 2")
            try await page.evaluate("document.querySelector('#scrubber').focus(), 0")
            try await page.press("Home")
            try await page.wait(for: "!document.querySelector('#moment').hidden")
            try await page.wait(for: "!document.querySelector('#timeline-document').disabled")
            try await page.click("#timeline-document")
            try await page.wait(for: "document.querySelector('#dom-text').textContent.includes('<p id=\"a\">')")
            try await page.press("Escape")
            try await page.click("#timeline-live")
            try await page.wait(for: "document.querySelector('#moment').hidden")
        }
    }

    @Test("two runs are compared side by side; a failed one says why; a reload keeps all; the end of the lab is told")
    func compare() async throws {
        let page = try await LabPage.open()
        try await page.run(Self.banner, size: "300x250")
        try await page.wait(for: "document.querySelector('#panel-events').textContent.includes('view')")
        try await page.run(Self.banner.replacing("#06c", with: "#c60"), size: "300x250")
        try await page.wait(for: "document.querySelectorAll('#recent .again').length === 2")
        try await page.wait(for: "document.querySelector('#ad-title').textContent.startsWith('pasted: <a')")
        try await page.wait(for: "document.querySelector('#panel-events').textContent.includes('view')")
        try await page.click("#show-compare")
        try await Self.waitForDifference(page)
        #expect(try await page.text(of: "#comparison").contains("of the pixels differ"))
        // The report of another day is chosen as a file.
        try await page.evaluate(
            """
            (async () => {
              const report = await (await fetch("/ads/a1/report" + location.search)).blob();
              const files = new DataTransfer();
              files.items.add(new File([report], "yesterday.html"));
              const input = document.querySelector("#compare-file");
              input.files = files.files;
              input.dispatchEvent(new Event("change"));
            })()
            """
        )
        try await page.wait(
            for: "document.querySelector('#compare-a').selectedOptions[0].textContent === 'yesterday.html'"
        )
        try await Self.waitForDifference(page)
        try await page.press("Escape")
        try await page.run("")
        try await page.wait(for: "!document.querySelector('#panel-markup').hidden")
        try await page.wait(for: "document.querySelector('#panel-markup .field-error')")
        try await page.run("<VAST version='4.0'><Ad/></VAST>")
        try await page.wait(for: "document.querySelector('#verdict').textContent.includes('Not shown')")
        try await page.reload()
        try await page.wait(for: "document.querySelectorAll('#recent .again').length === 3")
        #expect(try await page.problems == [])
        page.server.stop()
        try await page.wait(for: "!document.querySelector('#ended').hidden")
        #expect(try await page.text(of: "#ended").contains("yabbi-play lab"))
        await page.close()
    }

    /// Waits until the comparison has a picture of differing pixels, and compares again meanwhile: the picture of an ad
    /// is there a moment after its view.
    private static func waitForDifference(_ page: LabPage) async throws {
        try await page.wait(
            for: """
                (() => {
                  const result = document.querySelector('#comparison');
                  if (result.textContent.startsWith('Comparing')) return false;
                  if (result.querySelector('img[src^="data:image/png"]')) return true;
                  document.querySelector('#compare-form').requestSubmit();
                  return false;
                })()
                """
        )
    }

    /// A nonlinear ad, which needs no film.
    private static let overlay = """
        <VAST version="4.0"><Ad><InLine><AdSystem>a</AdSystem><AdTitle>An overlay</AdTitle>
        <Impression>https://t.example/i</Impression><Creatives><Creative><NonLinearAds>
        <NonLinear width="300" height="100" minSuggestedDuration="00:00:05"><HTMLResource><![CDATA[\(banner)]]></HTMLResource>
        </NonLinear></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>
        """

    /// Each kind of text that can be pasted.
    private static let texts: [(kind: String, text: String)] = {
        let bid: AdJSON = ["id": "1", "impid": "1", "price": 1, "adm": .string(banner), "w": 300, "h": 250]
        let response: AdJSON = ["id": "1", "seatbid": [["bid": [bid]]]]
        let yabbi: AdJSON = ["type": 1, "adm": .string(banner), "width": 300, "height": 250]
        let prebid: AdJSON = ["bids": [["cpm": 1, "ad": .string(banner)]]]
        return [
            ("HTML", banner), ("VAST", overlay), ("an OpenRTB response", response.text()),
            ("a YABBI response", yabbi.text()),
            ("Prebid bids", prebid.text()), ("a card", CardExamples.decide.answer ?? ""),
            (
                "VMAP",
                """
                <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"><vmap:AdBreak timeOffset="start"
                breakType="linear"><vmap:AdSource><vmap:VASTAdData>\(overlay)</vmap:VASTAdData></vmap:AdSource>
                </vmap:AdBreak></vmap:VMAP>
                """
            ),
        ]
    }()

    @Test("each kind of source is shown: pasted texts, a creative of the list, and a placement")
    func kinds() async throws {
        try await Self.withPage { page in
            for (number, (kind, text)) in Self.texts.enumerated() {
                try await page.run(text)
                try await page.wait(for: "document.querySelectorAll('#recent .again').length === \(number + 1)")
                try await page.wait(for: Self.isShown)
                #expect(try await page.evaluate(Self.isShown) == true, "\(kind)")
                try await page.evaluate(Self.end)
            }
            let count = Self.texts.count
            try await page.click("#tab-bundled")
            try await page.wait(for: "document.querySelector('#panel-bundled input[value=\"banner-320x50\"]')")
            try await page.evaluate("document.querySelector('#panel-bundled input[value=\"banner-320x50\"]').click()")
            try await page.press("Enter", modifiers: 2)
            try await page.wait(for: "document.querySelectorAll('#recent .again').length === \(count + 1)")
            try await page.wait(for: Self.isShown)
            try await page.evaluate(Self.end)
            try await page.click("#tab-placement")
            try await page.press("Enter", modifiers: 2)
            try await page.wait(for: "document.querySelector('#panel-placement .field-error')")
            try await page.evaluate("document.querySelector('#placement-unit').value = 'banner-320x50'")
            try await page.press("Enter", modifiers: 2)
            try await page.wait(for: "document.querySelectorAll('#recent .again').length === \(count + 2)")
            try await page.wait(for: Self.isShown)
        }
    }

    /// Whether the ad on the page is on screen: then it can be covered.
    private static let isShown = """
        [...document.querySelectorAll('#controls button')].some((each) => each.textContent === 'Cover' && !each.hidden)
        """

    /// Ends the ad on the page.
    private static let end = """
        (() => { [...document.querySelectorAll('#controls button')].find((each) => each.textContent === 'End').click(); })()
        """

    @Test("a dropped folder is shown with its files, and listed with them; the command names the zip of it")
    func folder() async throws {
        try await Self.withPage { page in
            try await page.evaluate(
                """
                (() => {
                  const file = (name, text) => ({ name, file: (done) => done(new File([text], name)) });
                  const folder = (name, children) => ({ name, isDirectory: true, createReader() {
                    const left = [...children];
                    return { readEntries: (done) => done(left.splice(0, 1)) };
                  } });
                  const entry = folder("my bundle", [
                    file("index.html", "<p>An ad</p><script src='js/é.js'></script>"),
                    folder("js", [file("é.js", "console.log('from the folder')")]),
                    folder(".git", [file("index.html", "not the ad")]), file(".hidden", ""),
                  ]);
                  const drop = new Event("drop", { cancelable: true });
                  drop.dataTransfer = { types: ["Files"], files: [], items: [{ webkitGetAsEntry: () => entry }] };
                  dispatchEvent(drop);
                })()
                """
            )
            try await page.wait(
                for: "document.querySelector('#file-note').textContent.startsWith('my bundle, 2 files')"
            )
            try await page.press("Enter", modifiers: 2)
            try await page.wait(
                for: "document.querySelector('#panel-events').textContent.includes('from the folder')"
            )
            try await page.click("#tab-document")
            try await page.wait(
                for: "document.querySelector('#panel-document select').textContent.includes('js/\u{e9}.js')"
            )
            try await page.click("#show-command")
            try await page.wait(
                for: "document.querySelector('#command-text').textContent.endsWith(\"-- 'my bundle.zip'\")"
            )
            #expect(try await page.text(of: "#command-file a") == "Save my bundle.zip")
        }
    }

    @Test("each event of the command has a row, whatever its values are")
    func events() async throws {
        let names = (EventTable.ofAds + EventTable.ofRuns).map { row -> AdJSON in
            ["name": .string(row.name), "fields": .array(row.fields.map { .string($0) })]
        }
        try await Self.withPage { page in
            let script = """
                (async () => {
                  const { EventRow } = await import("/summary.js" + location.search);
                  const values = [null, 1, -1e300, "text", true, [], [1], {}, { a: null }, "\\u0000<b>"];
                  const [problems, others] = [[], []];
                  for (const { name, fields } of \(AdJSON.array(names).text())) {
                    for (const value of values) {
                      const data = { t: 1, ad: "a", event: name };
                      for (const field of fields) if (!(field in data)) data[field] = value;
                      try {
                        const row = new EventRow(1, data);
                        if (typeof row.text !== "string" || !row.name || row.text.includes("[object")) {
                          problems.push(name + ": " + row.text);
                        }
                        if (!["good", "warn", "bad", "plain"].includes(row.rating)) problems.push(name + row.rating);
                        row.contains("x");
                      } catch (error) { problems.push(name + ": " + error); }
                    }
                    if (new EventRow(1, { event: name }).kind === "other") others.push(name);
                  }
                  return { problems, others };
                })()
                """
            let found = try await page.evaluate(script)
            #expect(found["problems"] == [])
            // What is of a whole run or of `load` does not come to the page.
            let others = Set(found["others"]?.array?.compactMap(\.string) ?? [])
            let ofRuns = EventTable.ofRuns.map(\.name) + ["offer"]
            #expect(others.subtracting(ofRuns) == ["simulated", "told", "ignored", "omitted"])
        }
    }

    private static let axe = getenv("YABBI_AXE").map { String(cString: $0) }

    @Test(
        "nothing of the page fails the rules of accessibility, light and dark, in every tab and dialog",
        .enabled(if: axe != nil, "YABBI_AXE names no axe.min.js")
    )
    func accessibility() async throws {
        let script = String(decoding: try FileReading.bytes(try #require(Self.axe), upTo: 8 << 20), as: UTF8.self)
        try await Self.withPage { page in
            try await page.run(Self.banner, size: "300x250")
            try await page.wait(for: "document.querySelector('#panel-events').textContent.includes('view')")
            try await page.evaluate(script + "; 0")
            for theme in ["light", "dark"] {
                try await page.evaluate(
                    """
                    (() => { const theme = document.querySelector('#theme'); theme.value = '\(theme)';
                    theme.dispatchEvent(new Event('change', { bubbles: true })); })()
                    """
                )
                for tab in ["events", "trackers", "requests", "document", "structure", "console", "messages"] {
                    try await page.click("#tab-\(tab)")
                    try await Self.check(page, "\(tab), \(theme)")
                }
                for button in ["#show-command", "#show-compare"] {
                    try await page.click(button)
                    try await Self.check(page, "\(button), \(theme)")
                    try await page.press("Escape")
                }
            }
        }
    }

    private static func check(_ page: LabPage, _ place: String) async throws {
        let found = try await page.evaluate(
            "axe.run().then((result) => result.violations.map((each) => each.id + ': ' + each.nodes[0].html))"
        )
        #expect(found == [], "\(place)")
    }
}
