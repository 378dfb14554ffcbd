/// An environment variable that the command or its browser reads.
struct EnvironmentVariable: Sendable {
    let name: String
    let meaning: String

    private init(_ name: String, _ meaning: String) {
        self.name = name
        self.meaning = meaning
    }

    static let all = [
        EnvironmentVariable("CHROME", "The browser to use, instead of the first one found."),
        EnvironmentVariable("YABBI_WEBKIT", "The helper of --stage webkit, instead of the one of make webkit."),
        EnvironmentVariable(
            "YABBI_CREATIVES",
            "The folder of the built-in server's creatives. --creatives overrides it."
        ),
        EnvironmentVariable(
            "PGPASSFILE, PGSERVICE, PGPASSWORD",
            "The password of a database and what else its URL leaves out, as for every program of PostgreSQL."
        ),
        EnvironmentVariable(
            "XDG_STATE_HOME",
            "Where beacons are kept while a database is away (default: .local/state in HOME)."
        ),
        EnvironmentVariable("NO_COLOR", "If set and not empty, output has no colors."),
        EnvironmentVariable("COLUMNS", "The maximum width of lines, if the terminal is not narrower."),
        EnvironmentVariable("TERM", "If dumb or not set, there are no colors, no keys and no progress."),
        EnvironmentVariable("TMPDIR", "The folder for the browser's temporary profile (default: /tmp)."),
        EnvironmentVariable("DISPLAY", "The X display on which --headful opens a window."),
        EnvironmentVariable("WAYLAND_DISPLAY", "The Wayland display for --headful, in XDG_RUNTIME_DIR."),
        EnvironmentVariable("XDG_RUNTIME_DIR", "The folder of the Wayland socket."),
        EnvironmentVariable("XAUTHORITY", "The key file for DISPLAY (default: .Xauthority in HOME)."),
        EnvironmentVariable("HOME", "The folder of .Xauthority, if XAUTHORITY is not set."),
        EnvironmentVariable("PATH", "Where the browser looks for programs."),
        EnvironmentVariable("TZ", "The time zone of pages in the browser."),
    ]
}
