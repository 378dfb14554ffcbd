/// A creative and the expected outcome of a tap on it.
package struct ClickFixture: Hashable, Sendable, CustomStringConvertible {
    package let name: String
    package let markup: String
    package let outcome: TapExpectation
    /// Whether only a browser can determine the outcome; a stage without one reports that instead.
    package let needsBrowser: Bool

    package var description: String { self.name }
}

/// The ways in which creatives handle clicks, in minimal markup; the outcome is the same on every stage.
package enum ClickFixtures {
    static let shop = "https://shop.example/a"
    static let block = "<div id=b style='width:320px;height:60px;background:#9c9'>Buy</div>"

    static func link(_ attributes: String) -> String {
        "<a \(attributes)><div style='width:320px;height:60px;background:#9c9'>Buy</div></a>"
    }

    /// A block, followed by a script.
    static func script(_ code: String) -> String { self.block + "<script>\(code)</script>" }

    /// A block with an `onclick` attribute.
    static func handler(_ code: String, _ script: String = "") -> String {
        (script.isEmpty ? "" : "<script>\(script)</script>")
            + "<div onclick=\"\(code)\" style='width:320px;height:60px;background:#9c9'>Buy</div>"
    }

    package static let all: [ClickFixture] =
        [
            links, codeLinks, handlers, addresses, windows, language, listeners, cancelling, made, moved, forms,
            frames, bridge, without, undecided,
        ].flatMap { $0 }

    static func fixtures(
        _ rows: [(String, String, TapExpectation)],
        needsBrowser: Bool = false
    ) -> [ClickFixture] {
        rows.map { ClickFixture(name: $0.0, markup: $0.1, outcome: $0.2, needsBrowser: needsBrowser) }
    }

    private static let links = fixtures([
        ("a link with a target", link("href='\(shop)' target=_blank"), .click(shop)),
        ("a link without a target", link("href='\(shop)'"), .click(shop)),
        (
            "a link over http with a target", link("href='http://shop.example/a' target=_blank"),
            .click("http://shop.example/a")
        ),
        ("a link over http without a target", link("href='http://shop.example/a'"), .click("http://shop.example/a")),
        ("a link without a scheme", link("href='//shop.example/a'"), .click(shop)),
        ("a link to an app", link("href='market://details?id=com.x'"), .click("market://details?id=com.x")),
        ("a relative link", link("href='shop.html'"), .nothing("\"shop.html\" is relative")),
        ("a relative link from the root", link("href='/landing'"), .nothing("\"landing\" is relative")),
        ("a relative link with steps", link("href='./a/../landing?x=1'"), .nothing("\"landing?x=1\" is relative")),
        ("a relative link with a base", "<base href='https://shop.example/'>" + link("href=a"), .click(shop)),
        ("a fragment of the creative", link("href='#top'"), .nothing("a place in the creative")),
        ("an empty URL", link("href=''"), .nothing("no URL")),
        ("a macro in front", link("href='${CLICK_URL}https://x.example/'"), .nothing("${CLICK_URL}")),
        (
            "a macro behind the host", link("href='https://shop.example/a?c=${CB}'"),
            .click("https://shop.example/a?c=${CB}")
        ),
        (
            "a link in an SVG", "<svg width=320 height=60><a href='\(shop)'><rect width=320 height=60 /></a></svg>",
            .click(shop)
        ),
        (
            "a link in an SVG with xlink:href",
            "<svg width=320 height=60><a xlink:href='\(shop)'><rect width=320 height=60 /></a></svg>", .click(shop)
        ),
        (
            "a hidden link before another",
            "<a href='https://no.example/' style='display:none'>No</a>" + link("href='\(shop)'"), .click(shop)
        ),
        (
            "a link that a style sheet hides",
            "<style>#n{display:none}</style><a id=n href='https://no.example/'>No</a>" + link("href='\(shop)'"),
            .click(shop)
        ),
    ])

    private static let codeLinks = fixtures([
        (
            "the click tag of an ad server",
            "<script>var clickTag = \"\(shop)\";</script>" + link("href='javascript:window.open(clickTag)'"),
            .click(shop)
        ),
        (
            "the click tag as a property of window",
            "<script>window.clickTag = \"\(shop)\";</script>"
                + link("href='javascript:void(window.open(window.clickTag))'"), .click(shop)
        ),
        ("a javascript: link without code", link("href='javascript:void(0)'"), .nothing("javascript")),
        (
            "a javascript: link with a handler",
            link("href='javascript:void(0)' onclick=\"window.open('\(shop)');return false\""), .click(shop)
        ),
        ("a link to # with a handler", link("href='#' onclick=\"window.open('\(shop)');return false\""), .click(shop)),
        (
            "a listener that cancels the link and opens another",
            "<a id=a href='https://no.example/' target=_blank><div style='width:320px;height:60px'>Buy</div></a><script>document.getElementById('a').addEventListener('click',function(e){e.preventDefault();window.open('\(shop)')})</script>",
            .click(shop)
        ),
        (
            "a handler that cancels the link", link("href='https://no.example/' target=_blank onclick='return false'"),
            .creative("took the tap")
        ),
    ])

    private static let handlers = fixtures([
        ("window.open", handler("window.open('\(shop)')"), .click(shop)),
        ("window.open over http", handler("window.open('http://shop.example/a')"), .click("http://shop.example/a")),
        ("location", handler("window.location='\(shop)'"), .click(shop)),
        ("location.href", handler("location.href='\(shop)'"), .click(shop)),
        ("document.location", handler("document.location='\(shop)'"), .click(shop)),
        ("location.assign", handler("location.assign('\(shop)')"), .click(shop)),
        ("location.replace", handler("location.replace('\(shop)')"), .click(shop)),
        ("a function", handler("go()", "function go(){window.open('\(shop)','_blank')}"), .click(shop)),
        ("a function with an argument", handler("go('\(shop)')", "function go(url){window.open(url)}"), .click(shop)),
        ("a timer", handler("setTimeout(function(){window.open('\(shop)')},100)"), .click(shop)),
    ])

    private static let addresses = fixtures([
        ("a click tag", handler("window.open(clickTag)", "var clickTag='\(shop)'"), .click(shop)),
        (
            "a click tag with a macro", handler("window.open(clickTag)", "var clickTag='%%CLICK_URL_UNESC%%\(shop)'"),
            .nothing("%%CLICK_URL_UNESC%%")
        ),
        ("a constant", handler("window.open(tag)", "const tag=`\(shop)`"), .click(shop)),
        (
            "a concatenated address", handler("window.open(host+'/a')", "let host='https://'+'shop.example'"),
            .click(shop)
        ),
        (
            "a template", handler("go()", "const host='shop.example';const go=()=>window.open(`https://${host}/a`)"),
            .click(shop)
        ),
        (
            "an escaped address", handler("window.open(decodeURIComponent('https%3A%2F%2Fshop.example%2Fa'))"),
            .click(shop)
        ),
        (
            "an address with string escapes",
            handler("go()", "function go(){window.open('https:\\/\\/shop.example\\u002Fa')}"),
            .click(shop)
        ),
        (
            "a member of an object", handler("window.open(ad.links['buy'])", "var ad={links:{buy:'\(shop)'}}"),
            .click(shop)
        ),
        (
            "a default for a missing query parameter",
            handler("window.open(tag)", "var m=/clickTag=([^&]+)/.exec(location.search);var tag=m?m[1]:'\(shop)'"),
            .click(shop)
        ),
        ("a click tag that the host may set", handler("window.open(window.clickTag||'\(shop)')"), .click(shop)),
        ("no address", handler("window.open()"), .nothing(nil)),
        ("an empty page", handler("window.open('about:blank')"), .nothing(nil)),
    ])

    private static let listeners = fixtures([
        (
            "a listener",
            script("document.getElementById('b').addEventListener('click',function(){window.open('\(shop)')})"),
            .click(shop)
        ),
        (
            "onclick set by a script",
            script("document.querySelector('#b').onclick=function(){location.href='\(shop)'}"), .click(shop)
        ),
        (
            "a listener for touches",
            script(
                "document.getElementById('b').addEventListener('touchend',function(e){e.preventDefault();window.open('\(shop)')},{passive:false})"
            ), .click(shop)
        ),
        (
            "a listener for pointers",
            script("document.getElementById('b').addEventListener('pointerup',()=>{window.open('\(shop)')})"),
            .click(shop)
        ),
        (
            "a listener on the body",
            script("document.body.addEventListener('click',function(){window.open('\(shop)')})"), .click(shop)
        ),
        (
            "a listener on the document",
            script("document.addEventListener('click',function(){window.open('\(shop)')})"), .click(shop)
        ),
        (
            "a handler of the body",
            "<!DOCTYPE html><html><body onclick=\"window.open('\(shop)')\">\(block)</body></html>", .click(shop)
        ),
        (
            "a listener that is added on load",
            "<script>window.onload=function(){document.getElementById('b').onclick=function(){window.open('\(shop)')}}</script>"
                + block, .click(shop)
        ),
        (
            "a listener in a loop",
            script(
                "[].forEach.call(document.querySelectorAll('div'),function(d){d.addEventListener('click',function(){window.open('\(shop)')})})"
            ), .click(shop)
        ),
        (
            "a script before its element",
            "<script>document.getElementById('b').onclick=function(){window.open('\(shop)')}</script>" + block,
            .nothing(nil)
        ),
    ])

    private static let made = fixtures([
        (
            "a link made by a script",
            "<script>var a=document.createElement('a');a.href='\(shop)';a.target='_blank';a.innerHTML='<div style=\"width:320px;height:60px\">Buy</div>';document.body.appendChild(a)</script>",
            .click(shop)
        ),
        (
            "a link written by a script",
            "<script>document.write('<a href=\"\(shop)\" target=\"_blank\"><div style=\"width:320px;height:60px\">Buy</div></a>')</script>",
            .click(shop)
        ),
        (
            "a link set by a script",
            link("id=l href='#' target=_blank") + "<script>document.getElementById('l').href='\(shop)'</script>",
            .click(shop)
        ),
    ])

    private static let forms = fixtures([
        (
            "a form with a target",
            "<form action='\(shop)' target=_blank><button style='width:320px;height:60px'>Buy</button></form>",
            .click(shop + "?")
        ),
        (
            "a form with fields",
            "<form action='\(shop)' target=_blank><input type=hidden name=q value='x y'><input type=submit style='width:320px;height:60px'></form>",
            .click(shop + "?q=x+y")
        ),
        (
            "a form that is posted",
            "<form action='\(shop)' method=post target=_blank><button style='width:320px;height:60px'>Buy</button></form>",
            .click(shop)
        ),
        (
            "a form without a target",
            "<form action='\(shop)'><button style='width:320px;height:60px'>Buy</button></form>", .click(shop + "?")
        ),
        (
            "a button", "<button style='width:320px;height:60px' onclick=\"window.open('\(shop)')\">Buy</button>",
            .click(shop)
        ),
    ])

    private static let frames = fixtures([
        (
            "a link in a frame's srcdoc",
            "<iframe srcdoc='<a href=\"\(shop)\" target=_blank><div style=\"width:300px;height:60px;background:#9c9\">Buy</div></a>' width=320 height=80 frameborder=0></iframe>",
            .click(shop)
        ),
        (
            "a handler in a frame's srcdoc",
            "<iframe srcdoc='<div onclick=\"window.open(&amp;quot;\(shop)&amp;quot;)\" style=\"width:300px;height:60px;background:#9c9\">Buy</div>' width=320 height=80 frameborder=0></iframe>",
            .click(shop)
        ),
    ])

    private static let bridge = fixtures([
        ("mraid.open", "<script src=mraid.js></script>" + handler("mraid.open('\(shop)')"), .click(shop)),
        (
            "mraid.open of an address without a scheme",
            "<script src=mraid.js></script>" + handler("mraid.open('shop.example/a')"),
            .nothing("write https://shop.example/a")
        ),
        ("mraid.expand", "<script src=mraid.js></script>" + handler("mraid.expand()"), .creative("mraid.expand")),
        (
            "mraid after its ready event",
            block
                + "<script src=mraid.js></script><script>function up(){document.getElementById('b').onclick=function(){mraid.open('\(shop)')}}if(mraid.getState()==='loading')mraid.addEventListener('ready',up);else up()</script>",
            .click(shop)
        ),
        (
            "mraid.open with a fallback to window.open",
            handler("if(window.mraid&&mraid.open){mraid.open('\(shop)')}else{window.open('https://no.example/')}"),
            .click(shop)
        ),
    ])

    private static let without = fixtures([
        ("no link and no handler", block, .nothing(nil)),
        (
            "a handler that changes the creative", handler("this.style.background='red'"),
            .creative("changed what it shows")
        ),
        ("a handler that calls an undefined function", handler("go()"), .nothing("go is not defined")),
        (
            "a script that does not parse", "<script>function go(){ window.open('\(shop)')</script>" + handler("go()"),
            .nothing("go is not defined")
        ),
        ("a handler that does not parse", handler("go("), .nothing(nil)),
    ])
}
