import AdCore
import TestSupport
import Testing

@testable import AdMarkup

@Suite("What a press on a creative does, read without a browser")
struct HTMLClickTests {
    private func click(_ markup: String) throws -> HTMLClick { try HTMLDocument(parsing: markup).click() }

    @Test("each way of clicking has its outcome", arguments: ClickFixtures.all)
    func fixtures(fixture: ClickFixture) throws {
        let document = try HTMLDocument(parsing: fixture.markup)
        let click = document.click()
        switch (click, fixture.outcome) {
        case (.opens(let address), .click(let url)):
            #expect(ClickThroughVerdict(address, base: document.clickBase).link == LandingURL(url), "\(address)")
        case (.opens(let address), .nothing(let words)):
            guard case .nowhere(let reason) = ClickThroughVerdict(address, base: document.clickBase) else {
                Issue.record("\(address) is opened")
                return
            }
            #expect(words.map(reason.contains) ?? true, "\(reason)")
        case (.creative(let what), .creative(let words)): #expect(what.contains(words), "\(what)")
        case (.nothing(let reason), .nothing(let words)): #expect(words.map(reason.contains) ?? true, "\(reason)")
        default: Issue.record("\(click), and not \(fixture.outcome)")
        }
    }

    // MARK: What can't be known

    @Test(
        "what a script at another address, the device or the network decides is unknown, and the reason says by what",
        arguments: [
            ("<script src='https://cdn.example/a.js'></script><div>x</div>", "a script from cdn.example"),
            ("<script src='https://cdn.example/a.js'></script><div onclick='Kit.exit()'>x</div>", "Kit.exit"),
            ("<iframe src='https://frame.example/' width=300 height=250></iframe>", "a frame from frame.example"),
            ("<div onclick='window.open(localStorage.url)'>x</div>", "localStorage.url"),
            ("<div onclick=\"if(navigator.onLine)window.open('https://a.example/')\">x</div>", "under a condition"),
            (
                "<div onclick=\"location.href=navigator.language=='de'?'https://a.example/':'https://b.example/'\">x</div>",
                "navigator.language"
            ),
            (
                "<script>var u;if(screen.width>5)u='https://a.example/';else u='https://b.example/'</script><b onclick='open(u)'>x</b>",
                "condition"
            ),
        ]
    )
    func unknown(markup: String, words: String) throws {
        guard case .unknown(let reason) = try self.click(markup) else {
            Issue.record("\(try self.click(markup))")
            return
        }
        #expect(reason.contains(words), "\(reason)")
    }

    @Test("where both sides of an unknown condition do the same, that is certain")
    func sameOnBothSides() throws {
        let code = "var u=screen.width>300?'https://a.example/':'https://a.example/';window.open(u)"
        #expect(try self.click("<div onclick=\"\(code)\">x</div>") == .opens("https://a.example/"))
    }

    @Test("what a script opens before the press is no click")
    func beforeThePress() throws {
        #expect(
            try self.click("<script>window.open('https://pop.example/')</script><p>x</p>")
                != .opens("https://pop.example/")
        )
        let link = "<a href='https://a.example/'>Go</a>"
        #expect(
            try self.click(link + "<script>setTimeout(\"top.location='https://b.example/'\",9)</script>")
                == .opens("https://a.example/")
        )
    }

    // MARK: Hostile creatives

    @Test("a handler that never returns opens nothing that can be told, and takes no longer than its steps")
    func endless() throws {
        for code in ["while(true){}", "for(;;);", "(function f(){f()})()", "var s='x';for(;;)s+=s"] {
            guard case .opens = try self.click("<div onclick=\"\(code);window.open('https://a.example/')\">x</div>")
            else {
                continue
            }
            Issue.record("\(code) was followed to its end")
        }
        // What runs while the creative loads does not keep the link from being found.
        #expect(
            try self.click("<script>for(;;){}</script><a href='https://a.example/'>Go</a>")
                == .opens("https://a.example/")
        )
    }

    @Test("a megabyte of script, ten thousand handlers and deep nesting are bounded, and a link is found all the same")
    func large() throws {
        let link = "<a href='https://a.example/'>Go</a>"
        let many = (0..<10_000).map { "<p id=p\($0) onclick='go(\($0))'></p>" }.joined()
        let calls = (0..<10_000).map { "document.getElementById('p\($0)').onclick=function(){go(\($0))};" }.joined()
        let deep = String(repeating: "(", count: 50_000) + String(repeating: ")", count: 50_000)
        let row = "var s=" + Array(repeating: "'a'", count: 50_000).joined(separator: "+")
        let chain = "x" + String(repeating: ".x", count: 100_000)
        let nested = String(repeating: "if(1){", count: 50_000)
        let scripts = [
            String(repeating: "var a=1;", count: 130_000), calls, deep, row, chain, nested,
            String(repeating: "document.querySelectorAll('p');", count: 10_000),
        ]
        for script in scripts {
            #expect(try self.click(link + many + "<script>\(script)</script>") == .opens("https://a.example/"))
        }
        let rules = (0..<2_000).map { "#x\($0) .y{display:none}" }.joined()
        #expect(
            try self.click("<style>\(rules)</style>" + many.replacing("onclick", by: "data-x") + link)
                == .opens("https://a.example/")
        )
    }

    @Test("frames in frames end, and an element within itself is no walk without an end")
    func cycles() throws {
        var markup = "<a href='https://a.example/'>Go</a>"
        for _ in 0..<6 {
            markup = "<iframe srcdoc=\"\(markup.replacing("&", by: "&amp;").replacing("\"", by: "&quot;"))\"></iframe>"
        }
        _ = try self.click(markup)
        let code =
            "var a=document.createElement('a'),b=document.createElement('b');a.appendChild(b);b.appendChild(a);document.body.appendChild(a);"
        _ = try self.click("<script>\(code)</script><p onclick='this.click()'>x</p>")
    }
}
