import AdCore
import Testing

/// A creative that tries to prevent its end.
struct Misbehavior: Hashable, Sendable, CustomTestStringConvertible {
    /// Where the creative is shown.
    enum Place: Hashable, Sendable {
        /// A banner or an interstitial.
        case html(ShowRules.Kind)
        /// An MRAID banner.
        case mraid
        /// The end card of a video.
        case endCard
    }

    /// What triggers it.
    enum Trigger: Hashable, Sendable {
        /// The test calls the creative's function `go`.
        case itself
        /// A user's press on the creative, which calls `go`.
        case press
        /// The same on `pointerdown`.
        case pressDown
    }

    let name: String
    let place: Place
    let trigger: Trigger
    /// The body of `go`.
    let script: String
    /// Further markup of the creative.
    let markup: String

    var testDescription: String { self.name }

    init(
        _ name: String,
        in place: Place = .html(.interstitial),
        on trigger: Trigger = .itself,
        markup: String = "",
        _ script: String
    ) {
        self.name = name
        self.place = place
        self.trigger = trigger
        self.markup = markup
        self.script = script
    }

    /// The creative's markup.
    var body: String {
        let event =
            switch self.trigger {
            case .itself: ""
            case .press: "onclick='go()'"
            case .pressDown: "onpointerdown='go()'"
            }
        let mraid = self.place == .mraid ? "<script src=mraid.js></script>" : ""
        // `often` repeats by a timer, so that each turn ends and the next one follows at once.
        let often = "const often = (act, ms = 1) => setInterval(() => { for (let i = 0; i < 200; i++) act(i); }, ms);"
        return """
            \(mraid)<div style="position:fixed;inset:0;background:#c22" \(event)>\(self.name)</div>\(self.markup)
            <script>\(often) const text = "x".repeat(1000); function go() { \(self.script) }</script>
            """
    }
}

extension Misbehavior {
    static let flooding = [
        Misbehavior("console, without end", "often((i) => console.log(text, i), 0)"),
        Misbehavior("console, a megabyte at a time", "often(() => console.log(text.repeat(1000)), 20)"),
        Misbehavior("console, with errors and large objects", "often((i) => console.error(new Error(i), window))"),
        Misbehavior(
            "messages to the host page",
            "often(() => { for (let i = 0; i < 50; i++) parent.postMessage(text, '*') })"
        ),
        Misbehavior(
            "large messages to the host page",
            "often(() => top.postMessage(new Array(2000).fill(text), '*'))"
        ),
        Misbehavior(
            "messages to itself",
            "const c = new MessageChannel; c.port1.onmessage = () => { for (let i = 0; i < 3; i++) c.port2.postMessage(text) }; c.port2.postMessage(0); c.port1.start()"
        ),
        Misbehavior("requests by fetch", "often((i) => fetch('https://flood.example/' + i).catch(() => {}))"),
        Misbehavior(
            "requests for images",
            "often((i) => { new Image().src = 'https://flood.example/' + Math.random() })"
        ),
        Misbehavior("beacons", "often((i) => navigator.sendBeacon('https://flood.example/' + i, text))"),
        Misbehavior("WebSockets", "often((i) => { try { new WebSocket('wss://flood.example/' + i) } catch {} }, 10)"),
        Misbehavior("requests for this computer", "often((i) => { new Image().src = 'http://127.0.0.1:' + (i + 1) })"),
        Misbehavior("windows", "often((i) => window.open('https://flood.example/' + i))"),
        Misbehavior("dialogs", "often(() => { alert(1); confirm(2); prompt(3); print() })"),
        Misbehavior("errors", "often((i) => reportError(new Error(text + i)))"),
        Misbehavior("unhandled rejections", "often((i) => Promise.reject(new Error(i)))"),
        Misbehavior("workers", "const u = URL.createObjectURL(new Blob(['0'])); often(() => new Worker(u), 50)"),
        Misbehavior(
            "workers that never end",
            "const u = URL.createObjectURL(new Blob(['for (;;) {}'])); for (let i = 0; i < 16; i++) new Worker(u)"
        ),
        Misbehavior(
            "a worker's requests",
            "const u = URL.createObjectURL(new Blob(['setInterval(() => { for (let i = 0; i < 200; i++) fetch(\"https://flood.example/\" + i).catch(() => {}) }, 1)'])); for (let i = 0; i < 4; i++) new Worker(u)"
        ),
        Misbehavior(
            "frames",
            "often(() => { const f = document.createElement('iframe'); f.srcdoc = text; document.body.append(f) }, 50)"
        ),
        Misbehavior(
            "nested frames",
            "window.depth = 0; const nest = (d) => { const f = d.createElement('iframe'); d.body.append(f); if (++depth < 60) setTimeout(() => nest(f.contentDocument)) }; nest(document)"
        ),
        Misbehavior(
            "calls of the injected functions",
            "often((i) => { for (const n of ['__yabbi', '__yabbi_gesture', '__yabbi_creative', '__yabbi_mraid']) globalThis[n]?.(JSON.stringify({ k: 'open', url: text + i })) })"
        ),
        Misbehavior("file addresses", "often(() => fetch('file:///etc/passwd').catch(() => {}))"),
    ]

    static let looping = [
        Misbehavior("an endless loop", "for (;;) {}"),
        Misbehavior("a loop in a press", on: .press, "for (;;) {}"),
        Misbehavior("a loop when a press begins", on: .pressDown, "for (;;) {}"),
        Misbehavior("a loop of promises", "const spin = () => Promise.resolve().then(spin); spin()"),
        Misbehavior(
            "a loop in each animation frame",
            "const spin = () => { const end = performance.now() + 400; while (performance.now() < end); requestAnimationFrame(spin) }; spin()"
        ),
        Misbehavior(
            "a loop in a nested frame",
            "const f = document.createElement('iframe'); f.srcdoc = '<script>for (;;) {}<\\/script>'; document.body.append(f)"
        ),
        Misbehavior(
            "synchronous requests",
            "for (;;) { const r = new XMLHttpRequest; r.open('GET', 'https://flood.example/', false); try { r.send() } catch {} }"
        ),
        Misbehavior("a pattern that never matches", "/^(a+)+$/.test('a'.repeat(60) + 'b')"),
        Misbehavior("memory", "const hog = []; setInterval(() => hog.push(new Uint8Array(40e6).fill(1)), 30)"),
        Misbehavior("a text that grows", "let t = text; setInterval(() => { t += t.slice(0, 2e8) }, 20)"),
        Misbehavior(
            "endless layout",
            "for (let i = 0; i < 20000; i++) document.body.append(Object.assign(document.createElement('p'), { textContent: i })); setInterval(() => { for (let i = 0; i < 40; i++) { document.body.style.width = 300 + i + 'px'; document.body.offsetHeight } })"
        ),
        Misbehavior(
            "large canvases",
            "setInterval(() => { const c = document.createElement('canvas'); c.width = c.height = 8192; c.getContext('2d').fillRect(0, 0, 8192, 8192); document.body.append(c) }, 30)"
        ),
        Misbehavior(
            "filters on everything",
            "for (let i = 0; i < 400; i++) { const d = document.createElement('div'); d.style.cssText = 'position:fixed;inset:0;filter:blur(40px);opacity:.5;background:#' + (i % 9) + '07'; document.body.append(d); d.animate([{ transform: 'none' }, { transform: 'rotate(1turn)' }], { duration: 500, iterations: Infinity }) }"
        ),
    ]

    static let leaving = [
        Misbehavior("navigates by itself", "often((i) => { location = 'https://flood.example/' + i }, 5)"),
        Misbehavior(
            "navigates the host page",
            "often((i) => { try { top.location = 'https://flood.example/' + i } catch {} }, 5)"
        ),
        Misbehavior("reloads itself", "setInterval(() => location.reload(), 5)"),
        Misbehavior(
            "replaces itself with another page",
            "location = 'data:text/html,<script>for (;;) {}<' + '/script>'"
        ),
        Misbehavior(
            "rewrites its document",
            "setInterval(() => { document.open(); document.write('<h1>again</h1>'); document.close() }, 5)"
        ),
        Misbehavior(
            "submits forms",
            markup: "<form action='https://flood.example/'></form>",
            "often(() => document.forms[0].submit(), 5)"
        ),
        Misbehavior(
            "clicks links by itself",
            markup: "<a id=a target=_blank href='https://flood.example/'></a>",
            "often(() => a.click(), 5)"
        ),
        Misbehavior(
            "opens other apps",
            "often((i) => { location = ['tel:1', 'mailto:a@b.example', 'intent://x', 'market://y'][i % 4] }, 5)"
        ),
        Misbehavior(
            "asks before unload",
            "onbeforeunload = (e) => { e.preventDefault(); return 'stay' }; addEventListener('pagehide', () => { for (;;) {} }); addEventListener('unload', () => { for (;;) {} })"
        ),
        Misbehavior("fills its history", "often((i) => { history.pushState(i, '', '#' + i); location.hash = i })"),
        Misbehavior(
            "downloads files",
            markup: "<a id=a download=x href='data:text/plain,x'></a>",
            "often(() => a.click(), 5)"
        ),
        Misbehavior(
            "downloads a large file in a press",
            on: .press,
            "const a = document.createElement('a'); a.download = 'x'; a.href = URL.createObjectURL(new Blob([new Uint8Array(5e7)])); for (let i = 0; i < 20; i++) a.click()"
        ),
        Misbehavior(
            "downloads in a press and loops",
            on: .press,
            "const a = document.createElement('a'); a.download = 'x'; a.href = 'data:,x'; a.click(); for (;;) {}"
        ),
        Misbehavior(
            "captures the pointer",
            on: .pressDown,
            "const d = document.querySelector('div'); d.setPointerCapture(event.pointerId); d.requestPointerLock?.(); document.documentElement.requestFullscreen?.().catch(() => {})"
        ),
        Misbehavior(
            "stops all events and takes the focus",
            "for (const t of ['pointerdown', 'pointerup', 'click', 'mousedown', 'touchstart']) addEventListener(t, (e) => { e.preventDefault(); e.stopImmediatePropagation() }, true); setInterval(() => { focus(); document.body.focus() }, 1)"
        ),
        Misbehavior(
            "a banner that floods",
            in: .html(.banner),
            "often((i) => { console.log(text); parent.postMessage(text, '*') })"
        ),
        Misbehavior(
            "a banner that scrolls",
            in: .html(.banner),
            "setInterval(() => { document.body.scrollIntoView(); location.hash = 'x'; document.querySelector('div').scrollIntoView({ block: 'end' }) }, 1)"
        ),
    ]

    static let expanding = [
        Misbehavior("expands again and again", in: .mraid, "setInterval(() => mraid.expand(), 20)"),
        Misbehavior(
            "expands when it is collapsed",
            in: .mraid,
            on: .press,
            "mraid.addEventListener('stateChange', (s) => { if (s === 'default') mraid.expand() }); mraid.expand()"
        ),
        Misbehavior(
            "resizes again and again",
            in: .mraid,
            "setInterval(() => { mraid.setResizeProperties({ width: 320, height: 200, offsetX: 0, offsetY: 0 }); mraid.resize() }, 5)"
        ),
        Misbehavior(
            "resizes endlessly after a press",
            in: .mraid,
            on: .press,
            "let i = 0; setInterval(() => { mraid.setResizeProperties({ width: 320, height: 100 + i++ % 300, offsetX: 0, offsetY: 0 }); mraid.resize() }, 1)"
        ),
        Misbehavior(
            "expands and loops",
            in: .mraid,
            on: .press,
            "mraid.addEventListener('stateChange', () => { for (;;) {} }); mraid.expand()"
        ),
        Misbehavior(
            "expands and floods the host page",
            in: .mraid,
            on: .press,
            "mraid.expand(); often(() => parent.postMessage(text, '*'))"
        ),
        Misbehavior(
            "rotates the screen",
            in: .mraid,
            on: .press,
            "mraid.expand(); let i = 0; setInterval(() => mraid.setOrientationProperties({ allowOrientationChange: false, forceOrientation: i++ % 2 ? 'portrait' : 'landscape' }), 5)"
        ),
        Misbehavior(
            "calls mraid.open endlessly",
            in: .mraid,
            "often((i) => mraid.open('https://flood.example/' + i))"
        ),
        Misbehavior(
            "calls mraid methods endlessly",
            in: .mraid,
            "often(() => { mraid.useCustomClose(true); mraid.playVideo('https://flood.example/'); mraid.storePicture('x') })"
        ),
        Misbehavior("unloads itself and loops", in: .mraid, "mraid.unload(); for (;;) {}"),
    ]

    static let atTheEnd = [
        Misbehavior("an end card that floods the console", in: .endCard, "often((i) => console.log(text, i), 0)"),
        Misbehavior("an end card that loops", in: .endCard, "for (;;) {}"),
        Misbehavior("an end card that loops in a press", in: .endCard, on: .press, "for (;;) {}"),
        Misbehavior(
            "an end card that floods the host page",
            in: .endCard,
            "often(() => { for (let i = 0; i < 50; i++) parent.postMessage(text, '*') })"
        ),
        Misbehavior(
            "an end card that navigates",
            in: .endCard,
            "often((i) => { location = 'https://flood.example/' + i }, 5)"
        ),
        Misbehavior(
            "an end card that requests images",
            in: .endCard,
            "often(() => { new Image().src = 'https://flood.example/' + Math.random() })"
        ),
        Misbehavior(
            "an end card that opens windows",
            in: .endCard,
            "often((i) => window.open('https://flood.example/' + i))"
        ),
        Misbehavior(
            "an end card that downloads files",
            in: .endCard,
            markup: "<a id=a download=x href='data:text/plain,x'></a>",
            "often(() => a.click(), 5)"
        ),
    ]
}
