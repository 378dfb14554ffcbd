/// A variable of the environment that the command obeys.
struct SurroundingVariable: Sendable {
    let name: String
    let meaning: String

    private init(_ name: String, _ meaning: String) {
        self.name = name
        self.meaning = meaning
    }

    /// All of them.
    static let all = [
        SurroundingVariable("CHROME", "the browser to show in, instead of the first that is found"),
        SurroundingVariable("YABBI_CREATIVES", "the folder of the built-in server's creatives; --creatives goes first"),
        SurroundingVariable("NO_COLOR", "where it is set, and not empty, nothing is coloured"),
        SurroundingVariable("COLUMNS", "how wide lines may be, where the terminal is not narrower"),
        SurroundingVariable(
            "TERM",
            "where it is dumb or not set there are no colours, no keys, and no line that counts"
        ),
        SurroundingVariable("TMPDIR", "where a browser keeps what it must while it runs; /tmp by default"),
        SurroundingVariable("DISPLAY", "the desktop on which --headful opens a window"),
        SurroundingVariable("WAYLAND_DISPLAY", "the same for Wayland, in XDG_RUNTIME_DIR"),
        SurroundingVariable("XDG_RUNTIME_DIR", "where Wayland's socket is"),
        SurroundingVariable("XAUTHORITY", "the key to DISPLAY; .Xauthority in HOME by default"),
        SurroundingVariable("HOME", "where the key to DISPLAY is, unless XAUTHORITY says so"),
        SurroundingVariable("PATH", "where a browser looks for programs"),
        SurroundingVariable("TZ", "the time zone of what is shown in a browser"),
    ]
}
