import TestSupport
import Testing

@testable import AdHTML

/// A creative whose scripts use up time or memory.
struct ClickBomb: Sendable, CustomStringConvertible {
    let description: String
    let markup: String
    let code: String

    /// Creates a creative from a script and the markup before it.
    init(_ description: String, in markup: String = "", _ code: String) {
        self.description = description
        self.markup = markup
        self.code = code
    }

    var creative: String { self.markup + "<script>\(self.code)</script>" }
}

private func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

@Suite("Step limits of the script interpreter", .timeLimit(.minutes(1)))
struct HTMLClickBoundsTests {
    private static let stack = [
        ClickBomb("an object that is its own text", #"var o={};o["\0text"]=o;""+o"#),
        ClickBomb(
            "members with the interpreter's internal names",
            #"var o={};o["\0pattern"]=o["\0query"]=o;o.test("");o.get("")"#
        ),
        ClickBomb("an array in itself", "var a=[];a.push(a,a,a,a);''+a;a.join(a)"),
        ClickBomb("nested arrays", "var a=[1,2,3,4,5,6,7,8,9];for(var i=0;i<20;i++)a=[a,a,a,a,a,a,a,a];''+a"),
        ClickBomb(
            "nested clicks",
            in: many("<b onclick='this.firstChild.click()'>", 190),
            "document.querySelector('b').click()"
        ),
        ClickBomb("a script that moves itself", "document.body.appendChild(document.currentScript)"),
        ClickBomb("code that opens itself", "function f(){location.href='javascript:f()'}f()"),
        ClickBomb("a script that writes itself", #"function f(){document.write('<script>f()<\/script>')}f()"#),
        ClickBomb("functions bound to functions", "var f=function(){};for(;;)f=f.bind(0,1,2,3,4,5,6,7,8,9,f())"),
    ]

    private static let memory = [
        ClickBomb("an array that is spread into itself", "a=[1];for(;;)a=[...a,...a]"),
        ClickBomb("arguments that are spread", "a=[1];function f(){a=arguments}for(;;)f(...a,...a)"),
        ClickBomb("an array that is concatenated to itself", "a=[1];for(;;)a=a.concat(a,a)"),
        ClickBomb(
            "copies of members",
            "o={};for(i=0;i<9000;i++)o['a'+i]=1;for(;;){Object.assign({},o);p={...o};Object.keys(o)}"
        ),
        ClickBomb(
            "a string replaced by itself",
            "s='a';while(s.length<32768)s+=s;s.replaceAll('a',s);s.replace(/a/g,s)"
        ),
        ClickBomb(
            "a long array with a long separator",
            "s='a';while(s.length<32768)s+=s;a=[];for(i=0;i<5000;i++)a.push('');for(;;)a.join(s)"
        ),
        ClickBomb(
            "the string of an array of strings",
            "s='a';while(s.length<32768)s+=s;a=[];for(i=0;i<200;i++)a.push(s);for(;;)try{s+a}catch(e){}"
        ),
        ClickBomb(
            "the children of an element with many",
            in: "<b>" + many("<i></i>", 19_000) + "</b>",
            "d=document.querySelector('b');for(;;)d.children"
        ),
        ClickBomb(
            "a long path of unknown values",
            "x=navigator;for(;;)x=x.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
        ),
        ClickBomb("endless elements", "for(;;)document.body.innerHTML+='<p></p>';"),
        ClickBomb("endless markup", "for(;;)document.write('<p id=a class=b></p>')"),
        ClickBomb("encoding a long string", "s='%';while(s.length<32768)s+=s;for(;;)encodeURIComponent(s)"),
        ClickBomb("functions in a loop", "for(let i=0,a=1,b=2,c=3;;i++)(()=>i)()"),
    ]

    /// Style rules with a number of alternatives, and nested clickable elements.
    private static func rules(_ alternatives: Int) -> String {
        let rules = (0..<400).map { many("z b,", alternatives) + "#x\($0) b{display:none}" }
        let elements = many("<b onclick='a'>", 190) + many("<b onclick='a'></b>", 9_000)
        return "<style>\(rules.joined())</style>" + elements
    }

    private static let time = [
        ClickBomb(
            "a long selector on nested elements",
            in: many("<b>", 190) + many("<z></z>", 10_000),
            "for(;;)document.querySelectorAll('\(many("z b,", 240))z')"
        ),
        ClickBomb("many rules with many alternatives", in: Self.rules(240), "1"),
        ClickBomb("many rules with some alternatives", in: Self.rules(60), "1"),
        ClickBomb(
            "long styles of many elements",
            in: many("<i onclick=''></i>", 15_000),
            "s='display:none;';while(s.length<32768)s+=s;l=document.querySelectorAll('i');for(i=0;i<l.length;i++)l[i].setAttribute('style',s)"
        ),
        ClickBomb(
            "a form in a loop",
            in: "<form>" + many("<b>", 150) + many("<input name=a>", 15_000),
            "f=document.querySelector('form');for(;;)f.submit()"
        ),
        ClickBomb(
            "a long style in a loop",
            in: "<b style='\(many("a:b;", 60_000))'></b>",
            "s=document.querySelector('b').style;for(;;){s.color;s.top=1}"
        ),
        ClickBomb(
            "the head of a page without one",
            in: many("<i></i>", 19_000),
            "for(;;){document.head;document.documentElement}"
        ),
        ClickBomb(
            "a long name of classes in a loop",
            in: "<b class='\(many("a ", 16_000))'></b>",
            "c=document.querySelector('b').classList;for(;;){c.add('x');c.contains('y')}"
        ),
        ClickBomb(
            "closest in a loop",
            in: many("<b>", 190) + "<i></i>",
            "e=document.querySelector('i');for(;;)e.closest('\(many("z b z,", 60))z')"
        ),
        ClickBomb(
            "a search in a long string",
            "s='a';while(s.length<32768)s+=s;t=s.slice(0,150)+'b';for(;;)s.indexOf(t)"
        ),
        ClickBomb(
            "a search in an array of long strings",
            "s='é';while(s.length<16384)s+=s;a=[];for(i=0;i<300;i++)a.push(s+'a');for(;;)a.indexOf(s+'b')"
        ),
        ClickBomb("comparing long strings", "s='é';while(s.length<16384)s+=s;a=s+'a';b=s+'b';for(;;)a==b"),
        ClickBomb(
            "comparing long strings under a condition",
            "s='é';while(s.length<16384)s+=s;a=s+'a';b=s+'a';if(screen.width)for(;;){x=a;x=b}"
        ),
        ClickBomb("a number in much white space", "s=' ';while(s.length<32768)s+=s;for(;;){+s;s.trim();parseInt(s)}"),
        ClickBomb("a long name", "var \(many("a", 65_000))=1;for(;;)\(many("a", 65_000))"),
        ClickBomb("a long member", "o={};s='a';while(s.length<32768)s+=s;for(;;){o[s]=1;o[s];delete o[s];s in o}"),
        ClickBomb("a long call", "o={};for(;;)try{o.\(many("a", 65_000)).b()}catch(e){}"),
        ClickBomb("names of distant scopes", many("{let x\(0)=1;", 90) + "for(;;)top" + many("}", 90)),
        ClickBomb("a function with many statements", "function f(){return;\(many(";", 90_000))}for(;;)f()"),
        ClickBomb(
            "a function with many names",
            "function f(){return;var \((0..<9_000).map { "a\($0)" }.joined(separator: ","))}for(;;)f()"
        ),
        ClickBomb("a switch with many cases", "function f(){switch(1){\(many("case 1:", 20_000))return}}for(;;)f()"),
        ClickBomb(
            "clicks in a loop",
            in: many("<b>", 190) + "<a href='#\(many("a", 200_000))'>x</a>",
            "e=document.querySelector('a');for(;;)e.click()"
        ),
        ClickBomb(
            "siblings in a loop",
            in: many("<i></i>", 19_000),
            "e=document.body.lastChild;for(;;){e.previousSibling;e.remove();document.body.prepend(e)}"
        ),
        ClickBomb(
            "one id for all",
            in: many("<i></i>", 19_000),
            "l=document.getElementsByTagName('i');for(i=0;i<l.length;i++)l[i].id='x';for(;;)x"
        ),
        ClickBomb("endless listeners", "for(i=0;;i++)document.addEventListener('a'+i,function(){})"),
        ClickBomb(
            "listeners that never return",
            "for(i=0;i<99;i++)document.addEventListener('click',function(){for(;;);});document.body.click()"
        ),
        ClickBomb("decoding a long string in a loop", "s='%41';while(s.length<32768)s+=s;for(;;)decodeURIComponent(s)"),
        ClickBomb("code of a link in a loop", "s='javascript:';while(s.length<32768)s+='1;';for(;;)location.href=s"),
        ClickBomb("splitting a long string", "s='a';while(s.length<32768)s+=s;for(;;)s.split('')"),
    ]

    @Test(
        "no operation exceeds the steps that it is charged",
        arguments: Self.stack + Self.memory + Self.time
    )
    func bounds(bomb: ClickBomb) throws {
        var scan = try #require(ClickScan(HTMLDocument(parsing: bomb.creative), hasMRAID: false))
        _ = scan.click(0)
        #expect(scan.interpreter.meter.total <= StepMeter.maxTotal)
        // Every stored value was charged.
        let kept = scan.interpreter.objects.reduce(0) { $0 + $1.items.count + $1.names.count }
        #expect(kept <= StepMeter.maxTotal * StepMeter.values)
        #expect(scan.interpreter.page.elements.count <= PageOutline.maxElements + 2_001)
    }
}
