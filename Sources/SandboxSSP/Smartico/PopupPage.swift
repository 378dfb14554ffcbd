/// The page in which an app shows a popup.
///
/// The popup is in a sandboxed frame: the page's own script is the only one that runs there, only images are loaded,
/// and it reports which link was clicked.
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
        const tracked = new Set();
        let shown = null;

        function showNote(text) {
          const element = document.getElementById("note");
          element.textContent = text;
          element.hidden = false;
        }

        function send(message) {
          const bridge = window.SmarticoBridge || window.ReactNativeWebView;
          if (bridge) bridge.postMessage(JSON.stringify(message));
          else showNote("No SmarticoBridge: this page is meant for an app's web view.");
        }

        // An engagement has one impression and one click, however often it is sent or clicked.
        function trackOnce(cid, engagement) {
          const name = cid + "/" + engagement;
          if (!engagement || tracked.has(name)) return;
          tracked.add(name);
          send({ bcid: SEND_TO_SOCKET, cid: cid, engagement_uid: engagement });
        }

        // Runs in the frame, before its content; the only script that the policy allows there.
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
            send({ bcid: READY_TO_BE_SHOWN });
            trackOnce(IMPRESSION, engagement.engagement_uid);
          }, { once: true });
          document.body.prepend(frame);
        }

        addEventListener("message", event => {
          if (shown && event.source === shown.frame.contentWindow) {
            trackOnce(ACTION, shown.engagement);
            send({ bcid: EXECUTE_DEEP_LINK, dp: String(event.data.dp) });
            return;
          }
          let message = null;
          try { message = JSON.parse(event.data); } catch { return; }
          if (message && message.bcid === SHOW_ENGAGEMENT) show(message);
        });

        document.getElementById("close").addEventListener("click", () => send({ bcid: CLOSE_ME }));
        if (!navigator.userAgent.includes("SMTO-WRAPPER")) {
          showNote("The user agent is not SMTO-WRAPPER: this page is meant for an app's web view.");
        }
        addEventListener("load", () => send({ bcid: PAGE_READY }));
        </script>
        </html>

        """
}
