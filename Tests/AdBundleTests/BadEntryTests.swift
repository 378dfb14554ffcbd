import AdCore
import TestSupport
import Testing

@testable import AdBundle

/// One bad entry, and the bundle goes on without it.
@Suite("Bad entries of zip files")
struct BadEntryTests {
    @Test(
        "a name that leads out of the bundle is refused",
        arguments: [
            "../x.js", "a/../../x.js", "a/..", "/etc/passwd", "C:\\x.js", "c:/x.js", "..\\x.js", "a\\..\\x.js",
            "\\\\host\\x.js",
        ]
    )
    func outside(name: String) throws {
        let result = Fixtures.read([Fixtures.index, .init(name)])
        #expect(result.paths.count == 1)
        #expect(result.issues == ["bundle.outside (\(name)): \(EntryFault.outside.message)"])
    }

    @Test("a backslash is not repaired into a folder, and its message says what to do")
    func backslash() throws {
        let result = Fixtures.read([Fixtures.index, .init("img\\a.png")])
        #expect(result.paths == ["index.html"])
        #expect(
            result.issues == [
                "bundle.backslash (img\\a.png): its name has a backslash, which servers do not take for a folder: "
                    + "left out; use a zip program that writes /"
            ]
        )
    }

    @Test("a name with NUL, without a name, too long or too deep is refused")
    func names() throws {
        let long = String(repeating: "a", count: 1_025)
        let deep = String(repeating: "a/", count: 32) + "x.js"
        let names = ["a.html\0.png", "", "./.", long, deep]
        let result = Fixtures.read([Fixtures.index] + names.map { .init($0) })
        #expect(result.paths.count == 1)
        let issues = result.issues
        try #require(issues.count == 5)
        #expect(issues[0] == "bundle.name (a.html\u{FFFD}.png): \(EntryFault.nul.message)")
        #expect(issues[1].hasPrefix("bundle.name ((no name)): it has no name"))
        #expect(issues[2].hasPrefix("bundle.name (./.): it has no name"))
        #expect(issues[3].hasPrefix("bundle.long (\(String(repeating: "a", count: 80))…): its name has 1,025 bytes"))
        #expect(issues[3].contains("and 1,024 is the most: left out; shorten it"))
        #expect(issues[4].contains("it is 33 names deep, and 32 is the most: left out; move it up"))
    }

    @Test("dots and doubled slashes of a name are dropped")
    func normalized() throws {
        let bundle = try Fixtures.read([Fixtures.index, .init("./img//a.png"), .init("a..b/..c")]).get()
        #expect(bundle.files.keys.sorted() == ["a..b/..c", "img/a.png", "index.html"])
        #expect(bundle.issues == [])
    }

    @Test("of two files with one name the first is used, in the order of the list")
    func duplicates() throws {
        let result = Fixtures.read([Fixtures.index, .init("a.js", [1]), .init("./a.js", [2])])
        #expect(try result.get().files["a.js"]?.bytes == [1])
        #expect(result.issues == ["bundle.duplicate (a.js): \(EntryFault.duplicate.message)"])
    }

    @Test("two entries with one header are one file")
    func shared() throws {
        let other = ZipWriter.Entry("b.js").with { $0.sharesHeader = 1 }
        let result = Fixtures.read([Fixtures.index, .init("a.js"), other, .init("c.js")])
        #expect(result.paths == ["a.js", "c.js", "index.html"])
        #expect(result.issues == ["bundle.shared (b.js): \(EntryFault.sharedData.message)"])
    }

    @Test("links and special files are refused, from whatever system they come")
    func special() throws {
        let link = ZipWriter.Entry("link.js", Array("/etc/passwd".utf8)).of(unixType: 0o120000)
        let result = Fixtures.read([
            link.with { $0.name = Array("a.js".utf8) }, link.with { $0.system = 19 },
            ZipWriter.Entry("pipe").of(unixType: 0o010000), ZipWriter.Entry("device").of(unixType: 0o020000),
            Fixtures.index.of(unixType: 0o100000),
        ])
        #expect(result.paths.count == 1)
        #expect(
            result.issues == [
                "bundle.link (a.js): \(EntryFault.link.message)", "bundle.link (link.js): \(EntryFault.link.message)",
                "bundle.special (pipe): \(EntryFault.special.message)",
                "bundle.special (device): \(EntryFault.special.message)",
            ]
        )
    }

    @Test("encrypted entries and unusual methods are refused, and the method is named")
    func packing() throws {
        let methods = [9, 12, 14, 93, 95, 98, 77].map { number in
            ZipWriter.Entry("\(number).js").with { $0.method = number }
        }
        let encrypted = ZipWriter.Entry("secret.js").with { $0.flags = 1 }
        let result = Fixtures.read(methods + [encrypted, Fixtures.index])
        #expect(result.paths.count == 1)
        #expect(result.issues.last == "bundle.encrypted (secret.js): \(EntryFault.encrypted.message)")
        let names = ["Deflate64", "bzip2", "LZMA", "Zstandard", "XZ", "PPMd", "method 77"]
        for (issue, name) in zip(result.issues, names) { #expect(issue.contains("it is packed with \(name), which")) }
    }

    @Test(
        "a file that is longer or shorter than both headers state, or than one of them, is left out",
        arguments: [0, 1, 8, 10, 4_000_000_000]
    )
    func sizes(stated: Int) throws {
        let data = Array("let a = 1".utf8)
        for file in [ZipWriter.Entry("a.js", deflated: Deflate.stored(data), of: data), .init("a.js", data)] {
            let liar = file.with { $0.size = stated }
            for entry in [liar, liar.with { $0.localSize = data.count }, file.with { $0.localSize = stated }] {
                let bundle = try Fixtures.read([entry, Fixtures.index]).get()
                // A local header without a size takes that of the list.
                if entry.size == data.count, stated == 0 { continue }
                #expect(bundle.files.keys.sorted() == ["index.html"])
                #expect(bundle.issues.map(\.place) == [.field("a.js")], "\(bundle.issues)")
            }
        }
    }

    @Test("bytes that end after the zip are refused")
    func pastEnd() throws {
        let result = Fixtures.read([ZipWriter.Entry("a.js").with { $0.packedSize = 10_000 }, Fixtures.index])
        #expect(result.paths.count == 1)
        #expect(result.issues == ["bundle.damaged (a.js): \(EntryFault.pastEnd.message)"])
    }

    @Test("a file with a wrong checksum is left out")
    func checksum() throws {
        let result = Fixtures.read([ZipWriter.Entry("a.js", [7]).with { $0.checksum = 1 }, Fixtures.index])
        #expect(result.paths == ["index.html"])
        #expect(result.issues.count == 1)
        let text = "bundle.damaged (a.js): it can't be unpacked (ZIP bad CRC"
        #expect(result.issues.first?.hasPrefix(text) == true)
    }

    @Test("files after a damaged one are read, up to sixteen damaged ones")
    func damaged() throws {
        let damaged = (1...16).map { ZipWriter.Entry("\($0).js", deflated: [0xFF, 0xFF, 0xFF], of: [1]) }
        let result = Fixtures.read(damaged + [.init("a.css"), Fixtures.index])
        #expect(result.paths == ["a.css", "index.html"])
        #expect(result.issues.count == 16)
        #expect(result.issues.allSatisfy { $0.contains("js): it can't be unpacked (") })
        let more = Fixtures.read(damaged + [ZipWriter.Entry("17.js", deflated: [0xFF], of: [1]), Fixtures.index])
        #expect(
            more.message == "ad.zip is damaged: more than 16 of its entries can't be unpacked; download it again, or "
                + "make it again from its files"
        )
    }

    @Test("of many issues the first hundred are listed, and the number of the others")
    func manyIssues() {
        let result = Fixtures.read([Fixtures.index] + (0..<205).map { .init("../\($0).js") })
        #expect(result.issues.count == 101)
        #expect(result.issues.last == "bundle.more: 105 more issues are not listed; fix these first")
    }

    @Test("what the terminal could take for a command is not printed")
    func control() {
        let result = Fixtures.read([Fixtures.index, .init("../\u{1B}[2J\u{202E}x\n.js")])
        #expect(result.issues.first?.hasPrefix("bundle.outside (../\u{FFFD}[2J\u{FFFD}x\u{FFFD}.js): ") == true)
    }
}
