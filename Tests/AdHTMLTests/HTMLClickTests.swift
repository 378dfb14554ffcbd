import AdCore
import TestSupport
import Testing

@testable import AdHTML

@Suite("The result of a click without a browser")
struct HTMLClickTests {
    private func click(_ markup: String) throws -> HTMLClick { try HTMLDocument(parsing: markup).click() }

    @Test("each kind of click has its result", arguments: ClickFixtures.all)
    func fixtures(fixture: ClickFixture) throws {
        let document = try HTMLDocument(parsing: fixture.markup)
        let click = document.click()
        if fixture.needsBrowser {
            if case .unknown = click { return }
            Issue.record("\(click) is certain")
            return
        }
        switch (click, fixture.outcome) {
        case (.opens(let address), .click(let url)):
            #expect(
                ClickThroughResolution(address, base: document.clickBase).link == ClickThroughURL(url),
                "\(address)"
            )
        case (.opens(let address), .nothing(let words)):
            guard case .nowhere(let reason) = ClickThroughResolution(address, base: document.clickBase) else {
                Issue.record("\(address) is opened")
                return
            }
            #expect(words.map(reason.contains) ?? true, "\(reason)")
        case (.creative(let what), .creative(let words)): #expect(what.contains(words), "\(what)")
        case (.nothing(let reason), .nothing(let words)): #expect(words.map(reason.contains) ?? true, "\(reason)")
        default: Issue.record("\(click) instead of \(fixture.outcome)")
        }
    }

    // MARK: Unknown results

    @Test(
        "a result that depends on an external script, the device or the network is unknown, and the reason names it",
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

    @Test(
        "after an unsupported change of the page the result is unknown",
        arguments: [
            ("l.attachShadow({mode:'open'})", "calls l.attachShadow"),
            ("l.fold()", "calls l.fold"),
            ("document.replaceChildren()", "calls document.replaceChildren"),
            ("l.parentNode.insertBefore(l.cloneNode(true),l)", "puts something into the page"),
            ("l.parentNode.innerHTML=navigator.language", "writes markup"),
            ("l.insertAdjacentHTML('beforebegin',navigator.language)", "writes markup"),
            ("for(var i=0;i<90;i++)l.insertAdjacentHTML('beforebegin',Array(30).join('<i></i>'))", "more elements"),
            ("for(var i=0;i<2100;i++)document.createElement('i')", "more elements"),
            ("if(screen.width>300)l.remove()", "under a condition"),
            ("if(screen.width>300)l.style.display='none'", "under a condition"),
            ("if(screen.width>300)document.body.prepend(document.createElement('a'))", "under a condition"),
        ]
    )
    func unsupported(code: String, words: String) throws {
        let link = "<p><a id=l href='https://a.example/'>Go</a></p>"
        guard case .unknown(let reason) = try self.click(link + "<script>\(code)</script>") else {
            Issue.record("\(try self.click(link + "<script>\(code)</script>"))")
            return
        }
        #expect(reason.contains(words), "\(reason)")
    }

    @Test(
        "reading the page, or changing elements that are not clicked, keeps the result certain",
        arguments: [
            "l.getBoundingClientRect();l.animate([],9);l.scrollIntoView()",
            "l.textContent='Buy';l.classList.toggle('a');l.style.setProperty('color','red')",
            "if(screen.width>300){var i=new Image();i.src='https://t.example/';document.body.appendChild(i)}",
            "var s=document.createElement('style');s.textContent='a{color:red}';document.head.appendChild(s)",
            "l.missing;document.missing;window.missing;l.style.missing=1",
        ]
    )
    func unchanged(code: String) throws {
        let link = "<p><a id=l href='https://a.example/'>Go</a></p>"
        #expect(try self.click(link + "<script>\(code)</script>") == .opens("https://a.example/"))
    }

    @Test(
        "an action after a branch that may have left the handler is uncertain",
        arguments: [
            "if(screen.width){if(screen.height)return}open('https://a.example/')",
            "switch(screen.width){case 1:return}open('https://a.example/')",
            "for(var i=0;i<screen.width;i++){return}open('https://a.example/')",
            "a:for(;;){for(;;){if(screen.width)break a;break}break}open('https://a.example/')",
            "function u(){if(screen.width)return 'https://a.example/';else return 'https://b.example/'}open(u())",
            "var u=[];if(screen.width)u.push('https://b.example/');open(u[0]||'https://a.example/')",
            "var o={u:'https://a.example/'};if(screen.width)delete o.u;open(o.u)",
            "f().then(function(){open('https://a.example/')});async function f(){}",
            "open(document.getElementById('t').textContent)",
        ]
    )
    func conditional(code: String) throws {
        let text = "<u id=t>https://a.example/\(String(repeating: "a", count: 99))</u>"
        let click = try self.click("<b onclick=\"\(code)\">x</b>" + text)
        if case .unknown = click { return }
        Issue.record("\(click)")
    }

    @Test("a tap that is cancelled under a condition has an uncertain result")
    func uncertainCancel() throws {
        let link = "<a id=l href='https://a.example/'>Go</a>"
        for type in ["click", "touchend"] {
            let code = "l.addEventListener('\(type)',function(e){if(screen.width)e.preventDefault()})"
            let click = try self.click(link + "<script>\(code)</script>")
            guard case .unknown(let reason) = click else {
                Issue.record("\(click)")
                continue
            }
            #expect(reason.contains("under a condition"))
        }
    }

    @Test("if both branches of an unknown condition do the same, the result is certain")
    func sameOnBothSides() throws {
        let code = "var u=screen.width>300?'https://a.example/':'https://a.example/';window.open(u)"
        #expect(try self.click("<div onclick=\"\(code)\">x</div>") == .opens("https://a.example/"))
    }

    @Test("a URL that a script opens before the click is not a click")
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

    @Test("a variable may be named `of`, and an unknown label is not supported")
    func names() {
        var program = ScriptProgram()
        for code in ["for(let of of [1]){}", "for(let of=1;of<2;of++);", "let of=1;of;"] {
            guard case .function = ScriptParser.read(Array(code.utf8)[...], isHandler: false, into: &program) else {
                Issue.record("\(code) is not read")
                continue
            }
        }
        for code in ["for(;;){break a}", "a:for(;;){(function(){break a})()}"] {
            guard case .unsupported = ScriptParser.read(Array(code.utf8)[...], isHandler: false, into: &program) else {
                Issue.record("\(code) is read")
                continue
            }
        }
    }

    // MARK: Hostile creatives

    @Test("a handler that never returns has no certain result, and stops at the step limit")
    func endless() throws {
        for code in ["while(true){}", "for(;;);", "(function f(){f()})()", "var s='x';for(;;)s+=s"] {
            guard case .opens = try self.click("<div onclick=\"\(code);window.open('https://a.example/')\">x</div>")
            else {
                continue
            }
            Issue.record("\(code) was followed to its end")
        }
        // An endless script while the creative loads does not hide the link.
        #expect(
            try self.click("<script>for(;;){}</script><a href='https://a.example/'>Go</a>")
                == .opens("https://a.example/")
        )
    }

    @Test("a megabyte of script, ten thousand handlers and deep nesting are bounded, and the link is found")
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

    @Test("nested frames are limited, and an element within itself does not cause an endless loop")
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
