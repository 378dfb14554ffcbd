import AdCore
import WebStage

/// What the shell does with its WKWebView.
enum WebCall: Hashable, Sendable {
    /// Load a URL in the main frame.
    case load(String)
    /// Replace all scripts that run at the start of documents.
    case setScripts([InjectedScript])
    /// Run a script; its result is the reply.
    case run(WebScript)
    /// Send a text to the injected script that waits for it in a frame.
    ///
    /// Unlike a script that the app runs, it gives the frame no user activation. A text for the host's world is the
    /// number of a ping, and the script's message with it is the reply.
    case ask(frame: String, isHost: Bool, String)
    /// Set the size of the view, unless the app decides on it.
    case resize(Size)
    case setUserAgent(String)
    /// Take a picture, which is the reply.
    case capture(EngineCapture)
    /// Let a navigation proceed, or cancel it.
    case decide(Int, isAllowed: Bool)
    /// Answer a request of the stage's scheme.
    case answer(Int, EngineResponse)
    /// Fail a request of the stage's scheme.
    case fail(Int)
    /// End the page: WKWebView has no call that ends a process, so the view is removed.
    case end
}

/// A script that runs at the start of each document.
struct InjectedScript: Hashable, Sendable {
    let source: String
    /// Whether it runs in the host's content world.
    let isHost: Bool
    /// Whether it runs in the main frame only.
    let isForMainFrame: Bool
}

/// A script that runs once in a frame, as the body of an asynchronous function that returns JSON.
struct WebScript: Hashable, Sendable {
    let body: String
    /// The value of the function's parameter `argument`; nil for none.
    let argument: String?
    /// The frame; the main one is "main".
    let frame: String
    /// Whether it runs in the host's content world.
    let isHost: Bool

    /// A script whose value is the reply, awaited if it is a promise.
    init(evaluating script: String, in frame: String, isHost: Bool) {
        let script = StageScheme.engineScript(script)
        let value =
            WebScript.isStatement(script) ? "\(script)\n;" : "value = await (\n\(WebScript.expression(script))\n);"
        self.body = WebScript.catching("let value;\n\(value)\nreturn JSON.stringify({ value });")
        self.argument = nil
        self.frame = frame
        self.isHost = isHost
    }

    /// A call of a function with a text, which is never parsed as code.
    init(calling function: String, _ argument: String, in frame: String, isHost: Bool) {
        self.body = WebScript.catching("(\(function))(argument);\nreturn \"{}\";")
        self.argument = argument
        self.frame = frame
        self.isHost = isHost
    }

    /// The name of a function that does nothing but call another one with its argument, as those of MRAID and OMID; nil
    /// for others.
    static func forwarded(_ function: String) -> String? {
        guard let match = function.wholeMatch(of: /function \((\w+)\) \{ (\w+)\((\w+)\); \}/), match.1 == match.3 else {
            return nil
        }
        return String(match.2)
    }

    private static func catching(_ body: String) -> String {
        "try {\n\(body)\n} catch (error) {\nreturn JSON.stringify({ exception: String(error) });\n}"
    }

    /// Whether a script of the stage is a statement, which has no value; all others are one expression.
    private static func isStatement(_ script: String) -> Bool {
        let word = script.drop(while: \.isWhitespace).prefix(while: \.isLetter)
        return ["for", "if", "while", "const", "let", "var", "try", "throw", "switch", "do"].contains(word)
    }

    /// A script without the semicolon at its end.
    private static func expression(_ script: String) -> String {
        var end = script.endIndex
        while end > script.startIndex {
            let before = script.index(before: end)
            guard script[before].isWhitespace || script[before] == ";" else { break }
            end = before
        }
        return String(script[..<end])
    }

    /// The reply to `evaluate` for the text that a script has returned.
    static func reply(_ text: String) -> EngineReply {
        guard let result = try? AdJSON(parsing: text) else { return .value(.null) }
        return result["exception"]?.string.map(EngineReply.exception) ?? .value(result["value"] ?? .null)
    }
}
