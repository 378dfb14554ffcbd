/// The page in which an app shows a popup.
///
/// The popup itself lies in a frame that may do nothing: no script of its own runs there, nothing is loaded but
/// pictures, and all it can do is say which of its links was clicked.
enum PopupPage {
    static let html = """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Popup</title>
        <style>
        html, body { margin: 0; height: 100%; background: #f4f8f1; font: 15px/1.4 sans-serif; color: #1d2b22 }
        iframe { border: 0; width: 100%; height: 100%; display: block }
        #close { position: fixed; top: 6px; right: 6px; width: 44px; height: 44px; border: 0; border-radius: 22px;
                 font-size: 22px; background: #0002; color: inherit }
        #note { position: fixed; left: 0; right: 0; bottom: 0; margin: 0; padding: 6px; background: #ffe9a8 }
        </style>
        <button id="close" aria-label="Close">&times;</button>
        <p id="note" hidden></p>
        <script>
        "use strict";
        const PAGE_READY = 1, CLOSE_ME = 2, SHOW_ENGAGEMENT = 3, EXECUTE_DEEP_LINK = 4, READY_TO_BE_SHOWN = 5,
              SEND_TO_SOCKET = 6;
        const IMPRESSION = 1101, ACTION = 1102;
        const told = new Set();
        let shown = null;

        function note(text) {
          const place = document.getElementById("note");
          place.textContent = text;
          place.hidden = false;
        }

        function say(message) {
          const bridge = window.SmarticoBridge || window.ReactNativeWebView;
          if (bridge) bridge.postMessage(JSON.stringify(message));
          else note("There is no app around this page: nobody hears it.");
        }

        // An engagement is seen once and acted upon once, however often it is sent or clicked.
        function tell(cid, engagement) {
          const name = cid + "/" + engagement;
          if (!engagement || told.has(name)) return;
          told.add(name);
          say({ bcid: SEND_TO_SOCKET, cid: cid, engagement_uid: engagement });
        }

        // Runs inside the frame, before what the frame shows: the one script that may.
        const clicks = `addEventListener("click", event => {
          const link = event.target.closest("[data-dp]");
          if (!link) return;
          event.preventDefault();
          parent.postMessage({ dp: link.dataset.dp }, "*");
        });`;

        function show(engagement) {
          if (shown) shown.frame.remove();
          const frame = document.createElement("iframe");
          shown = { frame: frame, engagement: engagement.engagement_uid };
          const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16)).join("");
          const policy = `default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; `
            + `script-src 'nonce-${nonce}'`;
          frame.sandbox = "allow-scripts";
          frame.title = "Popup";
          frame.srcdoc = `<!DOCTYPE html><meta charset="utf-8">`
            + `<meta http-equiv="Content-Security-Policy" content="${policy}">`
            + `<script nonce="${nonce}">${clicks}</` + `script>` + String(engagement.template_html || "");
          frame.addEventListener("load", () => {
            say({ bcid: READY_TO_BE_SHOWN });
            tell(IMPRESSION, engagement.engagement_uid);
          }, { once: true });
          document.body.prepend(frame);
        }

        addEventListener("message", event => {
          if (shown && event.source === shown.frame.contentWindow) {
            tell(ACTION, shown.engagement);
            say({ bcid: EXECUTE_DEEP_LINK, dp: String(event.data.dp) });
            return;
          }
          let message = null;
          try { message = JSON.parse(event.data); } catch { return; }
          if (message && message.bcid === SHOW_ENGAGEMENT) show(message);
        });

        document.getElementById("close").addEventListener("click", () => say({ bcid: CLOSE_ME }));
        if (!navigator.userAgent.includes("SMTO-WRAPPER")) {
          note("The user agent is not SMTO-WRAPPER: this page is meant for an app's web view.");
        }
        addEventListener("load", () => say({ bcid: PAGE_READY }));
        </script>
        </html>

        """
}
