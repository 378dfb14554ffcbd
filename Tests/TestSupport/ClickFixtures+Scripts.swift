/// Scripts that decide the outcome of a tap: windows, loops, events, and moved elements.
extension ClickFixtures {
    static let windows = fixtures([
        (
            "an empty window whose address is set", handler("var f=window.open();f.location.href='\(shop)'"),
            .click(shop)
        ),
        (
            "an empty window whose location is set later",
            handler("var f=window.open('','_blank');setTimeout(function(){f.location='\(shop)'},50)"), .click(shop)
        ),
        (
            "an empty window whose location is replaced",
            handler("var f=window.open('about:blank');if(f)f.location.replace('\(shop)')"), .click(shop)
        ),
        (
            "a window that is checked for null",
            handler("var f=window.open('\(shop)');if(!f)location.href='https://no.example/'"), .click(shop)
        ),
    ])

    static let language = fixtures([
        (
            "a binding for each iteration of a loop",
            buttons + "<script>for(let i=0;i<2;i++){l[i].onclick=function(){window.open(u[i])}}</script>", .click(shop)
        ),
        (
            "one binding for all iterations of a loop",
            buttons + "<script>for(var i=0;i<2;i++){l[i].onclick=function(){window.open(u[i])}}</script>",
            .nothing("no URL")
        ),
        (
            "a binding that is changed by the step of a loop",
            buttons + "<script>for(let i=0,n=2;i<n;i++){let at=i;l[at].onclick=()=>window.open(u[i-at])}</script>",
            .click(shop)
        ),
        (
            "a loop with a variable named of",
            script("for(let of of ['\(shop)']){document.getElementById('b').onclick=function(){window.open(of)}}"),
            .click(shop)
        ),
        (
            "continue with a label",
            handler(
                "go()",
                "function go(){var n=0;a:for(var i=0;i<3;i++){for(var j=0;j<3;j++){if(j==1)continue a;n++}}window.open(n==3?'\(shop)':'https://no.example/')}"
            ), .click(shop)
        ),
        (
            "break with a label",
            handler(
                "go()",
                "function go(){a:{for(;;){break a}window.open('https://no.example/')}b:for(;;){for(;;){break b}}window.open('\(shop)')}"
            ), .click(shop)
        ),
        (
            "a deleted member",
            handler("window.open(o.a||'\(shop)')", "var o={a:'https://no.example/'};delete o.a;"), .click(shop)
        ),
        (
            "a check for a deleted member",
            handler("if(!('a' in o)&&!o.hasOwnProperty('a'))window.open('\(shop)')", "var o={a:1};delete o['a'];"),
            .click(shop)
        ),
        (
            "a script with a hashbang",
            "<script>#!/usr/bin/env node\nvar clickTag='\(shop)'</script>" + handler("window.open(clickTag)"),
            .click(shop)
        ),
        (
            "clicks of a script before the tap",
            handler("window.open('\(shop)')") + "<script>for(var i=0;i<25;i++)document.body.click()</script>",
            .click(shop)
        ),
        (
            "a script's click before the tap that a listener cancels",
            "<script>var n=0;addEventListener('click',function(e){if(!n++)e.preventDefault()})</script>" + block
                + "<script>document.body.click()</script>", .nothing(nil)
        ),
        (
            "an element that clicks itself", handler("this.click();window.open('\(shop)')"), .click(shop)
        ),
    ])

    /// Two buttons in `l`, and a URL for each in `u`.
    private static let buttons =
        "<button style='width:320px;height:60px'>A</button><button style='width:320px;height:60px'>B</button>"
        + "<script>var u=['\(shop)','https://no.example/'],l=document.querySelectorAll('button')</script>"

    static let cancelling = fixtures([
        (
            "a passive touch listener of the document",
            link("href='\(shop)' target=_blank")
                + "<script>document.addEventListener('touchstart',e=>e.preventDefault())</script>", .click(shop)
        ),
        (
            "a passive touch handler of the body",
            link("href='\(shop)' target=_blank")
                + "<script>document.body.ontouchstart=function(){return false}</script>", .click(shop)
        ),
        (
            "a touch that the document cancels",
            link("href='\(shop)' target=_blank")
                + "<script>document.addEventListener('touchstart',e=>e.preventDefault(),{passive:false})</script>",
            .creative("took the tap")
        ),
        (
            "a touch that the link cancels",
            link("id=t href='\(shop)' target=_blank")
                + "<script>t.addEventListener('touchstart',e=>e.preventDefault())</script>",
            .creative("took the tap")
        ),
        (
            "a passive listener of the link",
            link("id=t href='\(shop)' target=_blank")
                + "<script>t.addEventListener('touchstart',e=>e.preventDefault(),{passive:true})</script>", .click(shop)
        ),
        (
            "a once listener that was called before",
            "<script>var n=0;addEventListener('click',function(){n=1},{once:true})</script>"
                + handler("window.open(n?'\(shop)':'https://no.example/')")
                + "<script>document.body.click();addEventListener('click',function(){n=2},{capture:true,once:true});document.body.click();n=n==2?1:0</script>",
            .click(shop)
        ),
        (
            "a capturing listener that stops propagation",
            link("href='\(shop)' target=_blank onclick=\"event.preventDefault();window.open('https://no.example/')\"")
                + "<script>document.addEventListener('click',function(e){e.stopPropagation()},true)</script>",
            .click(shop)
        ),
        (
            "a removed listener",
            link("id=t href='\(shop)' target=_blank")
                + "<script>function no(e){e.preventDefault()}t.addEventListener('click',no);t.removeEventListener('click',no)</script>",
            .click(shop)
        ),
    ])

    static let moved = fixtures([
        (
            "a link that replaces another", other + "<script>old.replaceWith(made)</script>", .click(shop)
        ),
        (
            "a link that replaces another by replaceChild",
            other + "<script>old.parentNode.replaceChild(made,old)</script>", .click(shop)
        ),
        ("a link before another", other + "<script>old.before(made)</script>", .click(shop)),
        (
            "a link inserted before another",
            other + "<script>old.parentNode.insertBefore(made,old)</script>", .click(shop)
        ),
        (
            "a link after another",
            other.replacing("id=old href='https://no.example/'", with: "id=old href='\(shop)'")
                + "<script>made.href='https://no.example/';old.after(made)</script>", .click(shop)
        ),
        ("a prepended link", other + "<script>document.body.prepend(made)</script>", .click(shop)),
        (
            "a link that removes another", other + "<script>document.body.append(made);old.remove()</script>",
            .click(shop)
        ),
        (
            "markup before a link",
            other
                + "<script>old.insertAdjacentHTML('beforebegin','<a href=\"\(shop)\" target=_blank><div style=\"width:320px;height:60px\">Buy</div></a>')</script>",
            .click(shop)
        ),
        (
            "a link in a document fragment",
            other
                + "<script>var f=document.createDocumentFragment();f.appendChild(made);old.parentNode.replaceChild(f,old)</script>",
            .click(shop)
        ),
        (
            "a link written before another",
            "<script>document.write('<a href=\"\(shop)\" target=_blank><div style=\"width:320px;height:60px\">Buy</div></a>')</script>"
                + link("href='https://no.example/'"), .click(shop)
        ),
        (
            "an address that is set again",
            link("id=l href='#' target=_blank")
                + "<script>l.href='https://no.example/?w='+screen.width;l.href='\(shop)'</script>",
            .click(shop)
        ),
        (
            "a link that is not inserted",
            "<script>var a=document.createElement('a');a.href='https://no.example/';a.id='a'</script>" + block,
            .nothing(nil)
        ),
    ])

    /// A link in `old`, and another in `made` that is not in the document.
    private static let other =
        link("id=old href='https://no.example/' target=_blank")
        + "<script>var old=document.getElementById('old'),made=document.createElement('a');made.href='\(shop)';made.target='_blank';made.innerHTML='<div style=\"width:320px;height:60px\">Buy</div>'</script>"

    /// Outcomes that depend on the device.
    static let undecided = fixtures(
        [
            (
                "a loop that the screen's width ends",
                handler("for(var i=0;i<screen.width;i++){return}window.open('\(shop)')"), .nothing(nil)
            ),
            (
                "a loop that the screen's width prevents",
                handler("for(var i=1e9;i<screen.width;i++){return}window.open('\(shop)')"), .click(shop)
            ),
            (
                "a loop over a list of the device",
                handler("for(var i in navigator.languages){if(i<0)return}window.open('\(shop)')"), .click(shop)
            ),
            (
                "a device-dependent break of an outer loop",
                handler("a:for(;;){for(;;){if(screen.width<0)break a;break}break}window.open('\(shop)')"), .click(shop)
            ),
            (
                "a device-dependent switch that ends the handler",
                handler("switch(screen.width>0){case true:return}window.open('\(shop)')"), .nothing(nil)
            ),
        ],
        needsBrowser: true
    )
}
