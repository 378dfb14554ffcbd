import AdCore
import AdLint
import LibC
import TestSupport
import Testing

@testable import AdMarkup

@Suite("Hostile and damaged documents")
struct VASTDamageTests {
    private func error(_ text: String) -> VASTError? {
        do throws(VASTError) {
            _ = try VASTDocument(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a document that is not VAST is an error with a code and a line",
        arguments: [
            ("", 100, "empty"), (" \n ", 100, "empty"), ("{\"vast\": null}", 100, "not XML"),
            ("plain text", 100, "not XML"),
            ("\n\n<html><body>x</body></html>", 101, "<html>"), ("<VMAP/>", 101, "<VMAP>"),
            ("<VideoAdServingTemplate/>", 102, "VAST 1"), ("<", 100, "not XML"), ("<VAST", 100, "not XML"),
            ("<?xml version='1.0'?>", 100, "not XML"),
        ]
    )
    func noVAST(text: String, code: Int, words: String) throws {
        let error = try #require(self.error(text))
        #expect(error.code == code)
        #expect(error.message.contains(words), "\(error)")
    }

    @Test("entities are not expanded, and nothing is fetched")
    func entities() throws {
        var bomb = "<!DOCTYPE VAST [<!ENTITY a0 \"ha\">"
        for level in 1...30 { bomb += "<!ENTITY a\(level) \"&a\(level - 1);&a\(level - 1);\">" }
        let start = ProcessorTime.now
        for body in ["&a30;", "<![CDATA[x]]>"] {
            let text = bomb + "]>" + VASTSamples.linear("<AdParameters>\(body)</AdParameters>")
            let document = try? VASTDocument(parsing: text)
            let parameters = document?.ads.first?.creatives.first?.linear?.parameters ?? ""
            #expect(parameters.utf8.count < 100)
        }
        let external = "<!DOCTYPE VAST SYSTEM \"http://127.0.0.1:1/x.dtd\" [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
        let read = try? VASTDocument(parsing: external + VASTSamples.linear("<AdParameters>&x;</AdParameters>"))
        let parameters = read?.ads.first?.creatives.first?.linear?.parameters ?? ""
        #expect(!parameters.contains("root"))
        #expect(ProcessorTime.now - start < .timeout(5))
    }

    @Test("a million elements, a million attributes and a hundred megabytes are rejected fast")
    func size() {
        let start = ProcessorTime.now
        _ = self.error("<VAST>" + String(repeating: "<a>", count: 1_000_000))
        let attributes = (0..<300_000).map { "a\($0)='1'" }.joined(separator: " ")
        #expect(self.error("<VAST version='3.0'><Ad \(attributes)/></VAST>")?.message.contains("tag is longer") == true)
        let most = VASTLimits.standard.bytes
        #expect(self.error(String(repeating: " ", count: most + 1))?.message.contains("larger than") == true)
        #expect(ProcessorTime.now - start < .timeout(20))
    }

    @Test("control characters are removed, and a broken ad keeps its error URLs")
    func controls() throws {
        let text = "<VAST version='3.0'><Ad id='a'><InLine><AdTitle>T\u{0}e\u{1}a</AdTitle></InLine></Ad></VAST>"
        let document = try VASTDocument(parsing: Array(text.utf8))
        #expect(document.ads.first?.inline?.title == "T e a")
        #expect(document.issues.contains { $0.code == "xml.repaired" })
        let cut = "<VAST version='3.0'><Ad id='a'><InLine><Error>https://t.example/e</Error><AdTitle>T"
        let broken = try VASTDocument(parsing: cut)
        #expect(broken.ads.isEmpty && broken.broken.first?.errors.map(\.text) == ["https://t.example/e"])
    }

    @Test("text before a document is ignored with an issue, and lines count from the beginning of the file")
    func junk() throws {
        for junk in ["<br />\n<b>Notice</b>: Undefined index in /a.php\n", "Warning: x\n\n", "<html>\n\n"] {
            let text =
                junk
                + "<?xml version='1.0'?><VAST version='3.0'>\n<Ad><InLine><AdTitle>T</AdTitle></InLine></Ad></VAST>"
            let document = try VASTDocument(parsing: text)
            #expect(document.ads.first?.line == 4)
            #expect(document.issues.contains { $0.code == "xml.junk" })
        }
        #expect(throws: VASTError.self) { try VASTDocument(parsing: "<html><body>VAST</body></html>") }
    }

    @Test(
        "broken documents that declare entities leak no memory",
        .disabled(if: Sanitizer.isOfAddresses, "the address sanitizer keeps what was freed, and finds leaks itself")
    )
    func entitiesAreFreed() throws {
        let broken = Array(
            "\n <?xml version=\"1.0\"?><!DOCTYPE VAST [<!ENTITY a\"\"b\">]><vast:VAST version=\"2.0\"><ad><Inline></x>"
                .utf8
        )
        for _ in 0..<200 { _ = try? VASTDocument(parsing: broken) }
        let before = try #require(Self.residentPages())
        for _ in 0..<4000 { _ = try? VASTDocument(parsing: broken) }
        let grown = try #require(Self.residentPages()) - before
        // A leak would be twelve kilobytes per document: 48 megabytes in all.
        #expect(grown < 2500, "\(grown) pages")
    }

    /// The memory in use by this process; nil if the system does not report it as Linux does.
    private static func residentPages() -> Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    @Test("a truncated document keeps its complete ads")
    func truncated() throws {
        let first = "<VAST version='3.0'><Ad id='1'><InLine><Impression>https://i.example/1</Impression></InLine></Ad>"
        let second =
            "<Ad id='2'><InLine><Impression><![CDATA[https://i.example/2?a=1&b=2]]></Impression></InLine></Ad></VAST>"
        let whole = Array((first + second).utf8)
        for end in first.utf8.count..<whole.count {
            let document = try VASTDocument(parsing: Array(whole[..<end]))
            #expect(document.ads.first?.id == "1", "cut at \(end)")
            #expect(!document.issues.isEmpty, "cut at \(end)")
            for ad in document.ads.dropFirst() {
                #expect(ad.impressions.allSatisfy { $0.url.text.hasPrefix("https://i.example/2") })
            }
        }
        let sample = Array(VASTSamples.whole.utf8)
        for end in stride(from: 0, to: sample.count, by: 7) { _ = try? VASTDocument(parsing: Array(sample[..<end])) }
    }

    @Test("raw ampersands are kept: every URL is parsed as written")
    func ampersands() throws {
        let document = try VASTDocument(
            parsing: VASTSamples.linear(
                """
                <AdParameters>a=1&b=2&amp;c=3&#38;d=4&nbsp;&copy=5 <!-- & --> <![CDATA[&e]]></AdParameters>
                <MediaFiles><MediaFile type="video/mp4" id="x&y=1">https://m.example/?a=1&b=2&lt=3</MediaFile></MediaFiles>
                """
            )
        )
        let linear = try #require(document.ads.first?.creatives.first?.linear)
        #expect(linear.parameters == "a=1&b=2&c=3&d=4&nbsp;&copy=5  &e")
        #expect(linear.mediaFiles.map(\.url.text) == ["https://m.example/?a=1&b=2&lt=3"])
        #expect(linear.mediaFiles.map(\.id) == ["x&y=1"])
        #expect(document.issues.map(\.code) == ["xml.repaired"])
        #expect(document.issues.first?.place == .line(2))
    }

    @Test("white space before, junk after and mismatched end tags are repaired, with issues")
    func repairs() throws {
        let good = VASTSamples.linear("<Duration>00:00:10</Duration>")
        for text in [
            "\n\n" + "<?xml version='1.0'?>" + good, good + "junk &", good.replacing("</Linear>", with: "</Linar>"),
        ] {
            let document = try VASTDocument(parsing: text)
            #expect(document.ads.count == 1, "\(text.prefix(20))")
            #expect(document.ads.first?.creatives.first?.linear?.duration == .seconds(10))
            #expect(!document.issues.isEmpty)
        }
    }

    @Test("the encoding is that of the declaration or the byte order mark")
    func encodings() throws {
        let text = VASTSamples.linear("<AdParameters>Füße, чай, 茶</AdParameters>")
        let wanted = "Füße, чай, 茶"
        func parameters(_ bytes: [UInt8]) throws -> String? {
            try VASTDocument(parsing: bytes).ads.first?.creatives.first?.linear?.parameters
        }
        #expect(try parameters([0xEF, 0xBB, 0xBF] + Array(text.utf8)) == wanted)
        let units = Array(text.utf16)
        #expect(try parameters([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == wanted)
        #expect(try parameters([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }) == wanted)
        let latin =
            "<?xml version='1.0' encoding='ISO-8859-1'?>" + VASTSamples.linear("<AdParameters>Caf\u{1}</AdParameters>")
        #expect(try parameters(Array(latin.utf8).map { $0 == 1 ? 0xE9 : $0 }) == "Café")
    }

    @Test("broken UTF-16 is an issue or an error, and the parser prints nothing itself")
    func brokenUTF16() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        let real = dup(STDERR_FILENO)
        dup2(fileno(file), STDERR_FILENO)
        let units = Array(VASTSamples.linear("<Duration>00:00:10</Duration>").utf16)
        // An unpaired surrogate, and an odd number of bytes.
        let faults: [[UInt16]] = [[0xDC00], [0xD800, 0x41], [0xD800]]
        for broken in faults {
            var text = units
            text.insert(contentsOf: broken, at: 40)
            var bytes: [UInt8] = [0xFF, 0xFE]
            for unit in text { bytes += [UInt8(unit & 255), UInt8(unit >> 8)] }
            _ = try? VASTDocument(parsing: bytes + [0x41])
            _ = Lint.check(bytes)
        }
        dup2(real, STDERR_FILENO)
        close(real)
        #expect(ftell(file) == 0 && lseek(fileno(file), 0, SEEK_END) == 0)
    }

    @Test("binary data is an error, or keeps the complete ads")
    func binary() {
        for text in ["\0", "<VAST\0>", "<VAST version='3.0'><Ad>\0</Ad></VAST>", "\u{1}<VAST/>"] {
            _ = try? VASTDocument(parsing: text)
        }
        _ = try? VASTDocument(parsing: [0xFF, 0xFE, 0x00])
        _ = try? VASTDocument(parsing: [UInt8](repeating: 0xFF, count: 1000))
    }
}
