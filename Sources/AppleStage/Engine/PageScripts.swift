import AdCore
import WebStage

/// The scripts that run at the start of documents.
///
/// WKWebView injects scripts into all frames; which ones are meant is a condition in each of them. Messages carry a
/// secret that only these scripts know, so that a page that finds WebKit's own message handler can't forge them.
struct PageScripts: Hashable, Sendable {
    /// The name of the message handler in both worlds.
    static let handler = "yabbi"
    /// The channel of `page`, which reports what other engines report by themselves.
    static let channel = "__yabbi_page"
    /// The channel of `console`, which runs in the page's own world.
    static let consoleChannel = "__yabbi_console"

    /// The name of the message handler that replies with the next text for a document.
    static let waitingHandler = "yabbiNext"
    /// The function that waits for it.
    static let next = "__yabbi_next"
    /// What the answer to a ping begins with.
    static let pong = "pong "

    /// The secret.
    let token: String

    /// The documents in which a script runs.
    enum Scope: Hashable, Sendable {
        case main
        /// A frame of the host page, with this document.
        case child(url: String)
        /// The frames inside of those.
        case nested
        case all

        var condition: String {
            switch self {
            case .main: "window === top"
            case .child(let url):
                "window !== top && parent === top && location.href.split(\"#\")[0] === \(AdJSON.string(url).text())"
            case .nested: "window !== top && parent !== top"
            case .all: "true"
            }
        }
    }

    /// All scripts for the frames of a page.
    func scripts(for frames: PageFrames) -> [InjectedScript] {
        var scripts = self.channels([PageScripts.channel, PageScripts.next], isHost: true, in: .all)
        scripts += self.channels([PageScripts.consoleChannel, PageScripts.next], isHost: false, in: .all)
        scripts.append(InjectedScript(source: PageScripts.page, isHost: true, isForMainFrame: false))
        scripts.append(InjectedScript(source: PageScripts.console, isHost: false, isForMainFrame: false))
        scripts.append(InjectedScript(source: PageScripts.surroundings, isHost: true, isForMainFrame: true))
        if let main = frames[PageFrames.main] { scripts += self.scripts(main.setup, in: .main) }
        for child in frames.children {
            scripts += self.scripts(child.setup, in: .child(url: String(child.url.prefix { $0 != "#" })))
        }
        let guarded = frames.children.first { $0.setup.channels.contains(.creative) }
        if let guarded { scripts += self.scripts(guarded.setup.nested, in: .nested) }
        return scripts
    }

    private func scripts(_ setup: PageSetup, in scope: Scope) -> [InjectedScript] {
        let names = [true, false].flatMap { isHost in
            self.channels(setup.channels.filter { $0.isHost == isHost }.map(\.rawValue), isHost: isHost, in: scope)
        }
        // The secret is not in the same function as the stage's scripts, which are not strict and could be asked for
        // their caller.
        let own = setup.scripts.map { script in
            InjectedScript(
                source: "if (\(scope.condition)) {\n\(StageScheme.engineScript(script.source))\n}",
                isHost: script.isHost,
                isForMainFrame: scope == .main
            )
        }
        return names + own
    }

    private func channels(_ names: [String], isHost: Bool, in scope: Scope) -> [InjectedScript] {
        guard !names.isEmpty else { return [] }
        let source = self.channelScript(names, condition: scope.condition)
        return [InjectedScript(source: source, isHost: isHost, isForMainFrame: scope == .main)]
    }

    /// The script that adds the functions of channels to a document.
    func channelScript(_ names: [String], condition: String = Scope.all.condition) -> String {
        """
        (() => {
          "use strict";
          if (!(\(condition))) return;
          const path = [];
          for (let view = window; view !== view.parent; view = view.parent) {
            let index = 0;
            while (index < view.parent.length && view.parent[index] !== view) index++;
            path.unshift(index);
          }
          const handler = webkit.messageHandlers.\(PageScripts.handler);
          const post = handler.postMessage.bind(handler);
          const waiting = webkit.messageHandlers.\(PageScripts.waitingHandler);
          const wait = waiting.postMessage.bind(waiting);
          const text = String;
          const [place, start, url] = [path.join("."), text(performance.timeOrigin), location.href];
          const token = \(AdJSON.string(self.token).text());
          for (const name of \(AdJSON.array(names.map(AdJSON.string)).text())) {
            const value = name === "\(PageScripts.next)"
              ? () => wait({ token, name, place, start, url, text: "" })
              : (message) => { post({ token, name, place, start, url, text: text(message) }); };
            Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
          }
        })();
        """
    }

    /// Hides what the host page of a banner draws around it: in an app that is the app itself.
    static let surroundings = """
        if (location.protocol === "\(StageScheme.name):") {
          addEventListener("DOMContentLoaded", () => {
            const style = document.createElement("style");
            style.textContent = "body.inline header, body.inline main { display: none; }";
            document.head.append(style);
          });
        }
        """

    /// Reports the document, its errors, and its requests.
    private static let page = """
        (() => {
          const report = (message) => __yabbi_page(JSON.stringify(message));
          report({ k: "document" });
          (async () => {
            try {
              for (;;) __yabbi_page(`pong ${await __yabbi_next()}`);
            } catch {
              // The page is closed.
            }
          })();
          const place = ({ filename, lineno, colno }) => ({ url: filename ?? "", line: lineno, column: colno });
          const onError = (event) => {
            if (event instanceof ErrorEvent) {
              report({ k: "error", text: `Uncaught ${event.message}`.slice(0, 2000), ...place(event) });
            } else {
              const { src, href, data } = event.target ?? {};
              const url = src || href || data;
              if (typeof url === "string") report({ k: "failed", url: url.slice(0, 16384) });
            }
          };
          const onLoad = (event) => {
            if (event.target === document) report({ k: "load" });
          };
          const listen = () => {
            addEventListener("error", onError, true);
            addEventListener("DOMContentLoaded", () => report({ k: "parsed" }), { capture: true, once: true });
            addEventListener("load", onLoad, true);
            addEventListener("pagehide", () => report({ k: "gone" }), { capture: true, once: true });
          };
          listen();
          new PerformanceObserver((list) => {
            for (const { name, initiatorType, transferSize, encodedBodySize } of list.getEntries()) {
              const bytes = transferSize || encodedBodySize || 0;
              report({ k: "resource", url: name.slice(0, 16384), kind: initiatorType, bytes });
            }
          }).observe({ type: "resource", buffered: true });
        })();
        """

    /// Reports calls of the console and rejected promises, and calls functions of the stage's scripts; the page can forge
    /// these messages.
    private static let console = """
        (() => {
          const send = globalThis.__yabbi_console;
          const next = globalThis.__yabbi_next;
          delete globalThis.__yabbi_console;
          delete globalThis.__yabbi_next;
          if (typeof send !== "function" || typeof next !== "function") return;
          const { stringify, parse } = JSON;
          const call = async () => {
            const { name, argument } = parse(await next());
            // The next one first: this one may throw.
            call().catch(() => {});
            globalThis[name](argument);
          };
          call().catch(() => {});
          const describe = (value) => {
            try {
              if (typeof value === "string") return value;
              if (value instanceof Error) return `${value.name}: ${value.message}`;
              return (typeof value === "object" && stringify(value)) || String(value);
            } catch {
              return "?";
            }
          };
          for (const level of ["debug", "error", "info", "log", "warn"]) {
            console[level] = new Proxy(console[level], {
              apply(target, self, values) {
                const text = values.slice(0, 10).map(describe).join(" ").slice(0, 4000);
                send(stringify({ k: "console", level: level === "warn" ? "warning" : level, text }));
                return Reflect.apply(target, self, values);
              },
            });
          }
          addEventListener("unhandledrejection", ({ reason }) => {
            send(stringify({ k: "error", text: `Uncaught (in promise) ${describe(reason)}`.slice(0, 2000) }));
          });
        })();
        """
}
