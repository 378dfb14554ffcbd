/// Typical banners, written for these tests.
package enum Banners {
    /// A fragment with a box, a link, an image, a tracking pixel and a script.
    package static let boots = """
        <div style="position:relative;width:320px;height:50px;overflow:hidden">
        <style>.t{font:14px sans-serif;color:#222;margin:0} .b{position:absolute;right:8px;background:#26c;color:#fff}</style>
        <a href="https://click.example/go?campaign=7&amp;c=12&amp;p=${AUCTION_PRICE}" target="_blank">
        <img src="https://cdn.example/i/320x50.png" width="320" height="50" alt="Boots">
        <p class="t">Boots for wet days</p><span class="b">See them</span>
        </a>
        <img src="https://t.example/v?c=12&amp;r=[CACHEBUSTER]" width="1" height="1" style="display:none">
        <script>
        var b = document.querySelector('.b');
        setTimeout(function () { b.style.background = '#c26'; }, 1500);
        </script>
        </div>
        """

    /// A complete document that uses MRAID.
    package static let tea = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1.5">
        <meta name="ad.size" content="width=300,height=250">
        <title>Three teas &amp; a cup</title>
        <link rel="stylesheet" href="https://cdn.example/tea.css">
        <style>
        body { margin: 0; }
        .card { width: 300px; height: 250px; background: url("https://cdn.example/paper.jpg") }
        @font-face { font-family: T; src: url(http://cdn.example/t.woff2) }
        </style>
        <script src="mraid.js"></script>
        </head>
        <body>
        <a id="go" href="https://shop.example/teas?from=ad#top"><div class="card">
        <img src="https://cdn.example/cups.jpg" alt="Three cups">
        <h1>Three teas for long evenings</h1>
        </div></a>
        <script>
        if (window.mraid && mraid.getState() === 'loading') { mraid.addEventListener('ready', show); }
        document.write('<a href="https://not.example/a">not a link</' + 'a>');
        </script>
        <img src="https://t.example/imp" style="visibility: hidden">
        </body>
        </html>
        """

    /// An ad tag: a script, with a fallback in `noscript`.
    package static let tag = """
        <script async src="//tags.example/serve.js?slot=%%SLOT%%&r=[RANDOM]"></script>
        <noscript><a href="https://click.example/nojs"><img src="https://cdn.example/nojs.gif" width="300" height="250"></a>
        <img src="https://t.example/nojs" width=0 height=0></noscript>
        """

    /// Video, SVG, canvas and iframes.
    package static let media = """
        <section><video poster="http://cdn.example/p.jpg" width="320" height="180" muted><source src="https://cdn.example/v.mp4">
        <a href="https://fallback.example/">Watch it</a></video>
        <svg viewBox="0 0 10 10"><defs/><path d="M0 0"/><image href="https://cdn.example/s.png"/><title>drawing</title></svg>
        <canvas id=c></canvas><object data="x.swf"><p>fallback</p></object>
        <iframe src="https://sync.example/" width=0 height=0></iframe><iframe src="http://play.example/g"></iframe>
        <form action="https://mail.example/"><input type=hidden name=a><input name=mail></form></section>
        """

    /// Damaged markup.
    package static let broken = """
        <div class=a class=b><b>Bold <i>both</b> slanted</i> &copy 2026 &#xD800; <span/>
        <a href="https://a.example/?x=1&y=2&copy=3" onclick="mraid.open('https://a.example/')" @x y="1"z>go</a></p foo>
        <td background='b.gif'>cell<!-- <img src="https://t.example/commented"> --!><![CDATA[x]]></nonsense>
        <a href='https://b.example/%%PATH%%
        """

    package static let all = [boots, tea, tag, media, broken]
}
