/// The page in which an app shows the gamification widget or a mini-game.
enum GamificationPage {
    static let html = #"""
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Games</title>
        <style>
        body { margin: 0; padding: 20px; background: #eef1f8; font: 16px/1.5 sans-serif; color: #1c2233 }
        header { display: flex; justify-content: space-between; align-items: center }
        button { font: inherit; padding: 8px 18px; border: 0; border-radius: 20px; background: #33427d; color: #fff }
        #close { width: 44px; height: 44px; padding: 0; background: #0002; color: inherit; font-size: 22px }
        #note { padding: 6px; background: #ffe9a8 }
        </style>
        <header><h1 id="title">Games</h1><button id="close" aria-label="Close">&times;</button></header>
        <p id="about"></p>
        <p id="points"></p>
        <p><button id="spin" hidden>Spin</button> <button id="game" hidden>Play the mission's game</button></p>
        <p id="outcome"></p>
        <p id="note" hidden></p>
        <script>
        "use strict";
        const PAGE_READY = 1, CLOSE_ME = 2, READY_TO_BE_SHOWN = 5, SEND_TO_SOCKET = 6, SEND_PUBLIC_PROPS = 7,
              SEND_GAME_OPENING = 8;
        const SPIN = 1103;
        // Written as JSON, so that tests can read it without running the page.
        const PROPERTIES = { "ach_points_balance": 1250, "ach_level_current": "Sprout 1" };
        const GAME = { "ach_game_id": 17, "ext_game_id": "soup-17", "context": "mission",
                       "game_public_meta": { "name": "Soup Sprint", "enabled": true } };
        const sections = {
          gf: "Overview", gf_levels: "Levels", gf_store: "Store", gf_missions: "Missions", gf_badges: "Badges",
          gf_tournaments: "Tournaments", gf_board: "Leaderboard", gf_saw: "Mini-games"
        };
        const element = name => document.getElementById(name);

        function showNote(text) {
          element("note").textContent = text;
          element("note").hidden = false;
        }

        function send(message) {
          const bridge = window.SmarticoBridge || window.ReactNativeWebView;
          if (bridge) bridge.postMessage(JSON.stringify(message));
          else showNote("No SmarticoBridge: this page is meant for an app's web view.");
        }

        // "dp:gf_saw&id=5&standalone=true": a section and its parameters.
        function deepLink() {
          const [name, ...rest] = (new URLSearchParams(location.search).get("dp") || "dp:gf").split("&");
          return { section: name.replace(/^dp:/, ""), fields: new URLSearchParams(rest.join("&")) };
        }

        function showProperties() {
          element("points").textContent = `You have ${PROPERTIES.ach_points_balance} points.`;
          send({ bcid: SEND_PUBLIC_PROPS, ...PROPERTIES });
        }

        function showGame(id) {
          element("title").textContent = `Mini-game ${id}`;
          element("about").textContent = "A wheel with eleven soups on it.";
          element("spin").hidden = false;
          element("spin").addEventListener("click", () => {
            element("spin").disabled = true;
            element("outcome").textContent = "Leek. It is always leek.";
            send({ bcid: SEND_TO_SOCKET, cid: SPIN, saw_template_id: id });
          });
        }

        function showSection(name) {
          element("title").textContent = sections[name] || "Unknown section";
          element("about").textContent = `Opened by dp:${name}`;
          element("game").hidden = false;
          const meta = { ...GAME.game_public_meta, image: location.origin + "/avatar/soup-17" };
          element("game").addEventListener("click", () => send({
            bcid: SEND_GAME_OPENING, ...GAME, game_public_meta: meta
          }));
        }

        element("close").addEventListener("click", () => send({ bcid: CLOSE_ME }));
        if (!navigator.userAgent.includes("SMTO-WRAPPER")) {
          showNote("The user agent is not SMTO-WRAPPER: this page is meant for an app's web view.");
        }
        addEventListener("load", () => {
          const { section, fields } = deepLink();
          const game = section === "gf_saw" && fields.get("standalone") === "true";
          document.body.dataset.section = section;
          if (game) showGame(Number(fields.get("id"))); else showSection(section);
          send({ bcid: PAGE_READY });
          send({ bcid: READY_TO_BE_SHOWN });
          if (!game) showProperties();
        });
        </script>
        </html>

        """#
}
