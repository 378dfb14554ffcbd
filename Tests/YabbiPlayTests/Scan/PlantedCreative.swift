import AdCore
import TestSupport

/// A generated creative with one defect, or none, and the rules that must find it.
struct PlantedCreative: Sendable {
    let name: String
    let markup: String
    /// The rules of which at least one must be a reason; empty for a clean creative.
    let rules: Set<String>
    /// Rules that may be a reason too, because they have the same cause.
    let others: Set<String>

    /// The file name.
    var file: String { self.name + (self.markup.contains("<VAST") ? ".xml" : ".html") }

    /// A policy of all rules, but for what needs servers of the internet.
    static let policy = "extends strict\nallow click.failed\nallow trackers.failed\nallow lint warning\n"

    /// Rules that any creative may break on a busy computer.
    static let rulesOfTime: Set = ["cpu", "longtasks.longest"]

    /// What is wrong with a verdict: a defect that was not found, or a false alarm.
    func mistake(in verdict: AdJSON) -> String? {
        let reasons = Set((verdict["reasons"]?.array ?? []).compactMap { $0["rule"]?.string })
        let text = "\(self.name): \(verdict["reasons"]?.text() ?? "")"
        if !self.rules.isEmpty, reasons.isDisjoint(with: self.rules) { return "not found: \(text)" }
        let unexpected = reasons.subtracting(self.rules).subtracting(self.others).subtracting(Self.rulesOfTime)
            .filter { !$0.hasPrefix("lint/") || self.rules.isEmpty }
        return unexpected.isEmpty ? nil : "false alarm: \(text)"
    }
}

/// The kinds of defects.
enum Defect: String, CaseIterable, Sendable {
    case redirectByLocation, redirectByMeta, redirectByForm, popup, popupDelayed, clickByScript, alert, confirm, prompt
    case download, soundOfAudio, soundOfOscillator, endlessAnimation, longAnimation, longWebAnimation, endlessScript
    case endlessInterval, longImage, endlessDrawing, endlessShadow, blank, transparent, scriptError, consoleError,
        rejectedPromise,
        canvasReading, graphicsCard
    case offlineAudio, plugins, devices, cookie, localStorage, indexedDB, position, notifications, vibration, peer
    case localNetwork, insecureScript, missingFile, heavy, hang, memory, longTask, busy, worker, noLink, emptyLink
    case mraidExpansion, mraidMisuse, replacement, consoleFlood, noMedia, brokenVAST, emptyVAST, syntaxError

    /// The rules that find it, and those with the same cause.
    var rules: (found: Set<String>, others: Set<String>) {
        switch self {
        case .redirectByLocation, .redirectByMeta, .redirectByForm: (["blocked.redirect"], ["lint/html-refresh"])
        case .popup, .popupDelayed: (["blocked.popup"], [])
        case .clickByScript: (["blocked.click", "blocked.popup", "blocked.redirect"], ["tap"])
        case .alert, .confirm, .prompt: (["blocked.dialog"], [])
        case .download: (["blocked.download"], ["blocked.redirect", "blocked.click"])
        case .soundOfAudio, .soundOfOscillator: (["sound.atStart"], ["media.autoplay"])
        case .endlessAnimation, .endlessDrawing, .endlessShadow: (["animation.endless"], [])
        case .longAnimation, .longWebAnimation, .longImage: (["animation.end"], [])
        case .endlessScript, .endlessInterval: (["animation.unfinished"], [])
        case .blank, .transparent: (["blank", "failure"], ["tap"])
        case .scriptError, .consoleError, .rejectedPromise, .syntaxError: (["scripts.errors"], [])
        case .canvasReading, .graphicsCard, .offlineAudio, .plugins, .devices: (["fingerprinting"], [])
        case .cookie, .localStorage, .indexedDB: (["storage"], ["scripts.errors"])
        case .position, .notifications, .vibration:
            (["permissions"], ["blocked.other", "blocked.dialog", "scripts.errors"])
        case .peer, .localNetwork: (["blocked.other"], ["requests.failed", "scripts.errors", "requests.insecure"])
        case .insecureScript: (["requests.insecure", "requests.mixed"], ["requests.failed"])
        case .missingFile: (["requests.failed"], [])
        case .heavy: (["bytes.total", "bytes.initial"], [])
        case .memory: (["ended", "memory"], ["tap", "blank", "blocked.other", "failure"])
        case .hang:
            (
                ["ended"],
                ["tap", "blank", "blocked.other", "animation.unfinished", "failure"]
            )
        case .longTask: (["longtasks.longest"], [])
        case .busy: (["cpu"], [])
        case .worker: (["cpu", "workers"], [])
        case .noLink, .emptyLink: (["tap"], [])
        case .mraidExpansion: (["expansion.unasked"], ["mraid.refused", "scripts.errors"])
        case .mraidMisuse: (["mraid.refused"], ["scripts.errors"])
        case .replacement:
            (["ended", "blocked.redirect", "failure"], ["tap", "blank", "blocked.other", "blocked.click"])
        case .consoleFlood:
            (["ended", "blocked.other", "failure"], ["tap", "blank", "scripts.errors"])
        case .noMedia, .brokenVAST, .emptyVAST: (["failure"], ["trackers.missing"])
        }
    }

    /// What the defect adds to a creative; nil for a document of its own.
    private func parts(_ random: inout TestRandom) -> (style: String, body: String, script: String)? {
        let shop = "https://shop.example/\(Int.random(in: 1...999, using: &random))"
        let delay = Int.random(in: 20...250, using: &random)
        func script(_ text: String) -> (String, String, String) { ("", "", text) }
        func later(_ text: String) -> (String, String, String) { script("setTimeout(() => { \(text) }, \(delay));") }
        switch self {
        case .redirectByLocation: return later("location.href = '\(shop)'")
        case .redirectByMeta: return ("", "<meta http-equiv=\"refresh\" content=\"0;url=\(shop)\">", "")
        case .redirectByForm:
            return ("", "<form id=f action=\"\(shop)\"></form>", "setTimeout(() => f.submit(), \(delay));")
        case .popup: return script("open('\(shop)');")
        case .popupDelayed: return later("window.open('\(shop)', '_blank')")
        case .clickByScript: return later("document.getElementById('link').click()")
        case .alert: return later("alert('you have won')")
        case .confirm: return later("confirm('continue?')")
        case .prompt: return later("prompt('your name')")
        case .download:
            return later("const a = document.createElement('a'); a.href = '\(shop).apk'; a.download = ''; a.click()")
        case .soundOfAudio:
            return later("const a = new Audio('data:audio/wav;base64,\(Self.silence)'); a.play().catch(() => {})")
        case .soundOfOscillator:
            return later("const c = new AudioContext(), o = c.createOscillator(); o.connect(c.destination); o.start()")
        case .endlessAnimation: return ("#label { animation: move 1s infinite alternate; }", "", "")
        case .longAnimation:
            return ("#label { animation: move 2s \(Int.random(in: 20...50, using: &random)) alternate; }", "", "")
        case .longWebAnimation:
            return later("document.getElementById('label').animate([{left: 0}, {left: '9px'}], 40000)")
        case .endlessScript:
            return script(
                "const step = (t) => { label.style.left = t / 100 % 20 + 'px'; requestAnimationFrame(step); }; step(0);"
            )
        case .endlessInterval:
            return script("setInterval(() => { label.style.left = Math.random() * 20 + 'px'; }, 60);")
        case .longImage:
            let image = Base64.text(AnimatedGIF.bytes([400, 600], repeats: Int.random(in: 3...9, using: &random)))
            return ("", "<img width=9 height=9 alt=\"\" src=\"data:image/gif;base64,\(image)\">", "")
        case .endlessDrawing:
            let motion = "<animate attributeName=\"x\" to=\"9\" dur=\"2s\" repeatCount=\"indefinite\"/>"
            return ("", "<svg width=20 height=9><rect width=9 height=9>\(motion)</rect></svg>", "")
        case .endlessShadow:
            let style =
                "<style>@keyframes m { to { left: 9px; } } b { position: relative; animation: m 1s infinite; }</style>"
            return script("ad.attachShadow({ mode: 'open' }).innerHTML = '\(style)<b>Off</b><slot></slot>';")
        case .transparent: return ("#ad { opacity: 0; }", "", "")
        case .scriptError: return later("undefinedFunction\(delay)()")
        case .consoleError: return later("console.error('broken', \(delay))")
        case .rejectedPromise: return later("Promise.reject(new Error('rejected'))")
        case .syntaxError: return script("let let = ;")
        case .canvasReading:
            return later(
                "const c = document.createElement('canvas'); c.getContext('2d').fillText('x', 1, 1); c.toDataURL()"
            )
        case .graphicsCard:
            return later(
                "document.createElement('canvas').getContext('webgl')?.getExtension('WEBGL_debug_renderer_info'); navigator.hardwareConcurrency"
            )
        case .offlineAudio: return later("new OfflineAudioContext(1, 44100, 44100)")
        case .plugins: return later("navigator.plugins.length")
        case .devices:
            return later(
                "navigator.mediaDevices?.enumerateDevices()?.catch(() => {}); document.fonts.check('12px Arial')"
            )
        case .cookie: return later("try { document.cookie = 'id=\(delay)' } catch {}")
        case .localStorage: return later("try { localStorage.id = \(delay) } catch {}")
        case .indexedDB: return later("try { indexedDB.open('x') } catch {}")
        case .position: return later("navigator.geolocation?.getCurrentPosition(() => {}, () => {})")
        case .notifications: return later("try { Notification.requestPermission().catch(() => {}) } catch {}")
        case .vibration: return later("navigator.vibrate(200)")
        case .peer: return later("try { new RTCPeerConnection() } catch {}")
        case .localNetwork: return later("fetch('http://192.168.0.\(delay)/').catch(() => {})")
        case .insecureScript: return ("", "<script src=\"http://cdn.example/\(delay).js\"></script>", "")
        case .missingFile: return ("", "<img width=1 height=1 alt=\"\" src=\"missing-\(delay).png\">", "")
        case .heavy: return ("", "<!--\(String(repeating: "heavy creative ", count: 200_000))-->", "")
        case .hang: return later("for (;;) {}")
        case .memory:
            return later(
                "const all = []; for (let i = 0; i < 90; i++) all.push(new Uint8Array(1 << 23).fill(i)); globalThis.all = all"
            )
        case .longTask: return later("const end = performance.now() + 450; while (performance.now() < end);")
        case .busy:
            return script(
                "let n = 0; const work = () => { const end = performance.now() + 160; while (performance.now() < end); if (n++ < 9) setTimeout(work, 0); }; work();"
            )
        case .worker:
            return script("new Worker(URL.createObjectURL(new Blob(['for (;;) {}'])));")
        case .mraidExpansion:
            return (
                "", "<script src=\"mraid.js\"></script>",
                "const go = () => mraid.expand(); mraid.getState() === 'loading' ? mraid.addEventListener('ready', go) : go();"
            )
        case .mraidMisuse:
            return (
                "", "<script src=\"mraid.js\"></script>",
                "const go = () => mraid.resize(); mraid.getState() === 'loading' ? mraid.addEventListener('ready', () => setTimeout(go, 10)) : go(); addEventListener('click', () => mraid.resize());"
            )
        case .replacement: return later("location.replace('data:text/html,<b>other')")
        case .consoleFlood: return later("for (let i = 0; i < 400000; i++) console.log('flood', i)")
        case .blank, .noLink, .emptyLink, .noMedia, .brokenVAST, .emptyVAST: return nil
        }
    }

    /// A second of silence would be long: a wave file of a few samples.
    private static let silence = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA=="

    /// A creative with the defect; nil for one without.
    static func creative(_ defect: Defect?, _ number: Int, _ random: inout TestRandom) -> PlantedCreative {
        let name = "\(defect?.rawValue ?? "clean")-\(number)"
        let rules: (found: Set<String>, others: Set<String>) = defect?.rules ?? ([], [])
        if let defect, let markup = defect.wholeMarkup {
            return PlantedCreative(name: name, markup: markup, rules: rules.found, others: rules.others)
        }
        let (width, height) =
            [(300, 250), (320, 50), (320, 100), (250, 250)].randomElement(using: &random) ?? (300, 250)
        let color = String(Int.random(in: 0x100000...0xEFFFFF, using: &random), radix: 16)
        // An animation that is paused moves nothing.
        let parts = defect?.parts(&random) ?? ("#label { animation: move 1s infinite paused; }", "", "")
        let hasLink = defect != .noLink
        let href = defect == .emptyLink ? "" : "https://shop.example/\(number)"
        let link = hasLink ? "<a id=\"link\" href=\"\(href)\" target=\"_blank\">" : "<div id=\"link\">"
        let markup = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Offer \(number)</title>
            <meta name="ad.size" content="width=\(width),height=\(height)">
            <style>
            body { margin: 0; } #link { display: block; }
            #ad { width: \(width)px; height: \(height)px; background: #\(color); overflow: hidden; position: relative; }
            #label { position: absolute; left: 10px; top: 8px; color: #fff; font: 16px sans-serif; }
            @keyframes move { to { left: 30px; } }
            \(parts.style)
            </style></head>
            <body>\(link)<div id="ad"><span id="label">Offer \(number)</span></div>\(hasLink ? "</a>" : "</div>")
            \(parts.body)
            <script>\(parts.script)</script></body></html>
            """
        return PlantedCreative(name: name, markup: markup, rules: rules.found, others: rules.others)
    }

    /// The markup of a defect that is a whole document.
    private var wholeMarkup: String? {
        let head = "<VAST version=\"4.2\"><Ad id=\"1\"><InLine><AdSystem>Test</AdSystem><AdTitle>Test</AdTitle>"
        let impression = "<Impression>https://track.example/i</Impression>"
        switch self {
        case .blank:
            return "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Nothing</title>"
                + "<meta name=\"ad.size\" content=\"width=300,height=250\"></head><body></body></html>"
        case .noMedia:
            return head + impression + "<Creatives><Creative><Linear><Duration>00:00:15</Duration></Linear></Creative>"
                + "</Creatives></InLine></Ad></VAST>"
        case .brokenVAST: return head + impression + "<Creatives><Creative><Linear><Duration>00:00"
        case .emptyVAST: return "<VAST version=\"4.2\"></VAST>"
        default: return nil
        }
    }
}
