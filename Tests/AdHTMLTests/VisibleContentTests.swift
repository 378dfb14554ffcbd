import AdCore
import AdHTML
import Testing

@Suite("Visible content")
struct VisibleContentTests {
    @Test(
        "this markup has visible content",
        arguments: [
            "text", "<p>text</p>", "<b>&lt;</b>", "&euro;", "日本", "<", "a<!-- x -->", "<title>t</title>x",
            "<html><head></head>x",
            "<img src=x>", "<img src=x width=300 height=250>", "<img srcset='x 2x'>", "<picture><img src=x></picture>",
            "<input type=image src=x>", "<svg></svg>", "<SVG/>", "<canvas></canvas>", "<video></video>",
            "<audio controls src=x></audio>",
            "<object data=x></object>", "<embed src=x>", "<iframe src=x></iframe>", "<iframe srcdoc='x'></iframe>",
            "<input>", "<button></button>", "<select><option>1</select>", "<textarea></textarea>",
            "<div style='background:url(x)'></div>", "<div style='background-image : linear-gradient(red,blue)'></div>",
            "<div style='color:red;background:#fff URL(\"x\") no-repeat'></div>", "<table background=x></table>",
            "<style>.a{background:url(x)}</style><div class=a></div>", "<style>.a::before{content:url(x)}</style>",
            "<link rel=stylesheet href=x><div></div>", "<link rel='preload StyleSheet' href=x><body><a href=y></a>",
            "<script src=x></script>", "<script>draw()</script>", "<script type=module>draw()</script>",
            "<script type='text/javascript'>draw()</script>", "<div hidden><script>draw()</script></div>",
            "<script src=x/></script>", "<svg><script href=x /></svg>", "<div style='display:none'></div>x",
            "<img src='data:image/png,x' style='display:none' onerror='(function(i){var s=document.createElement(\"script\")})(this)'>",
            "<img src=x width=1 height=1 onload='show()'>", "<body onload='draw()'></body>",
            "<svg hidden onload='draw()'></svg>",
            "<iframe style='display:none' onload='draw()'></iframe>",
            "<img src=x hidden onerror='this.parentNode.innerHTML=1'>",
            "<div style='visibility:visible;opacity:0'>x</div>", "<noscript>x</noscript>y", "<\0>",
            // Boxes that are painted.
            "<a href='https://shop.example/'><div style='width:300px;height:250px;background:#fc0'></div></a>",
            "<body style='background:#c00' onclick='go()'><script></script></body>", "<body bgcolor=#c00></body>",
            "<div style='border:1px solid red'></div>", "<div style='border-style:none none solid'></div>",
            "<div style='outline:thin dotted'></div>", "<div style='box-shadow:0 0 9px red'></div>",
            "<div style='background:url(x) '></div>", "<table border=1><tr><td></td></tr></table>",
            "<style>#a::before{content:'Sale 50%'}</style><div id=a></div>",
            "<style>/* a:b */ body { color:red; background : #c00 }</style>",
            "<style>@media screen{.a{border:0;outline:2px solid}}</style><p class=a></p>",
            "<style>@import 'x.css';</style>", "<link rel=stylesheet href=x>",
            // Elements that browsers or scripts paint.
            "<hr>", "<br><hr>", "<x-banner></x-banner>", "<ul><li></ul>", "<progress></progress>", "<meter></meter>",
            "<fieldset></fieldset>", "<details></details>", "<q></q>", "<img alt='Tea'>",
            "<div><template shadowrootmode=open>text</template></div>",
            // Hidden content that may be shown.
            "<div style='visibility:hidden'><b style='visibility:visible'>text</b></div>",
            "<p hidden style='display:block'>text</p>", "<p style='display:none;display:block'>text</p>",
            "<p id=a style='display:none'>text</p><style>#a{display:block!important}</style>",
            "<style>#a{animation:a 1s forwards}</style><p id=a style='visibility:hidden'>text</p>",
            "<img src=x style='display:none' onload='this.style.display=\"block\"'>",
            "<link rel=preload href=x onload='this.rel=\"stylesheet\"'>", "<p onanimationstart='draw()'></p>",
            "<body onpageshow='draw()'></body>",
        ]
    )
    func something(markup: String) throws {
        #expect(try HTMLDocument(parsing: markup).hasVisibleContent)
    }

    @Test(
        "this markup has no visible content",
        arguments: [
            "", " \n\t", "\u{FEFF}", "&nbsp;&#8203;\u{A0}", "<!-- text -->", "<!-- text", "<!doctype html>", "<p></p>",
            "<br>", "<html><head><title>text</title></head><body></body></html>",
            "<style>.a{color:red}</style><div class=a></div>",
            "<style>@font-face{font-family:x;src:url(x)}</style><div></div>",
            "<link rel=preload href=x><div></div>", "<meta http-equiv=refresh content='0;url=https://a.example/'>",
            "<img src=x width=1 height=1>", "<img src=x style='display:none'>", "<img>", "<img src=''>",
            "<img src=' '>",
            "<iframe src=x width=1 height=1></iframe>", "<iframe src=x style='display:none'></iframe>",
            "<svg style='display:none'><symbol/></svg>", "<canvas hidden></canvas>", "<video width=0></video>",
            "<audio src=x></audio>",
            "<div style='display:none'>text <img src=x></div>", "<div hidden><p>text</p></div>",
            "<div style='visibility:hidden'><b>text</b></div>", "<div style='display:none;background:url(x)'></div>",
            "<noscript>text <img src=x></noscript>", "<template>text <script>draw()</script></template>",
            "<script></script>", "<script> \n </script>", "<script src=''></script>", "<script>draw()", "<script src=x",
            "<script type='application/ld+json'>{}</script>", "<script type='text/template'><b>x</b></script>",
            "<input type=hidden>", "<img src=x width=1 height=1 onerror='this.style.display=\"none\"'>",
            "<div onload='draw()'></div>",
            "<img src=x width=1 height=1 onload='' onerror=' ; '>", "<template><img src=x onerror='draw()'></template>",
            "<img hidden onerror='draw()'>", "<img src=x hidden onerror='this.onerror=null;this.src=y'>",
            "<p onclick='draw()'></p>",
            // Styles of boxes that paint nothing.
            "<img src=x width=1 height=1 border=0 style='border-style:none;background:transparent'>",
            "<img src=x width=1 height=1 border=1 style='background:red'>", "<img src=x width=1 height=1 alt='Tea'>",
            "<p style='border:0 solid red;outline:none;background:none;list-style:none'></p>",
            "<style>*{border:0;outline:0}body{margin:0;background:transparent}.a::after{content:'';clear:both}</style>",
            "<style>.a{border-radius:3px;border-collapse:collapse;background-size:cover}</style><p class=a></p>",
            "<style>/* body{background:red} */ .a{width:300px;height:250px;color:red}</style><div class=a></div>",
            "<style>.a{display:block!important}</style><img src=x style='display:none'>",
            "<img src=x hidden onload='this.remove()'>",
            "<img src=x hidden onload='this.style.display=\"none\"; return'>",
            "<div hidden><x-banner></x-banner><hr></div>", "<template><hr></template>", "<p bgcolor=''></p>",
            "<img src=x", "<p title='text'", "</text", "<? text ?>", "\0\u{1}\u{7F}\u{85}", "<p>\0</p>",
        ]
    )
    func nothing(markup: String) throws {
        #expect(try !HTMLDocument(parsing: markup).hasVisibleContent)
    }
}
