import AdHTML
import Testing

@testable import AdLint

@Suite("Truncated scripts")
struct ScriptEndTests {
    @Test("the linter and the click model accept a script that is cut off anywhere")
    func prefixes() throws {
        let script = """
            var clickTag = "%%CLICK_URL%%https://shop.example/"; function go({ a = {{x}} }, [b] = ##Y##) {
              if (/[/]/.test(`a ${ b + `c` } d`) && a?.b ?? c) { window.open(clickTag) } else do { a-- } while (a)
              switch (a) { case {{NAME}}: return <?php echo 1 ?>; default: x = { get y() { return async () => 1 } } }
            }
            """
        let bytes = Array(script.utf8)
        for count in 0...bytes.count {
            let part = String(decoding: bytes[..<count], as: UTF8.self)
            let html = "<script>\(part)</script><a href=\"javascript:go({})\">Buy</a>"
            #expect(Lint.check(Array(html.utf8)).findings.count < 100)
            _ = try HTMLDocument(parsing: html).click()
        }
    }
}
