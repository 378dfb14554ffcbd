#if os(Linux)
    import TestSupport
    import Testing

    @testable import YabbiPlay

    @Suite("Libraries that are loaded when they are first called")
    struct LazyLibraryTests {
        /// The shared libraries that only some commands need.
        private static let libraries = ["libcurl", "libpq", "libarchive", "libmicrohttpd"]
        /// A zip file with one page, encoded.
        private static let zip = """
            UEsDBBQAAAAAACpufl1ndX+lHQAAAB0AAAAKAAAAaW5kZXguaHRtbDxodG1sPjxib2R5PmhpPC9ib2R5PjwvaHRtbD4KUEsBAhQDFAAA\
            AAAAKm5+XWd1f6UdAAAAHQAAAAoAAAAAAAAAAAAAAKSBAAAAAGluZGV4Lmh0bWxQSwUGAAAAAAEAAQA4AAAARQAAAAAA
            """

        @Test(
            "a command loads only the libraries that it calls",
            arguments: [
                ("--version", []), ("inspect ad.xml", []), ("lint ad.xml", []),
                ("show ad.zip --do close@0s", ["libcurl", "libarchive", "libmicrohttpd"]),
                ("load --endpoint http://127.0.0.1:9 --unit banner-320x50", ["libcurl"]),
            ] as [(String, [String])]
        )
        func loaded(line: String, expected: [String]) throws {
            let folder = try #require(TemporaryFolder())
            defer { folder.remove() }
            _ = folder.write("<VAST version=\"4.2\"/>", "ad.xml")
            #expect(Shell.run("echo \(Self.zip) | base64 -d > \(folder.path)/ad.zip").status == 0)
            let words = line.split(separator: " ").map { $0.hasPrefix("ad.") ? "\(folder.path)/\($0)" : String($0) }
            let child = try #require(ChildCommand(words, in: folder, environment: ["LD_DEBUG": "files"]))
            _ = child.wait()
            let errors = String(decoding: folder.bytes("err"), as: UTF8.self)
            #expect(errors.contains("calling init: "), "the loader says what it loads")
            let loaded = Self.libraries.filter { errors.contains("/\($0).so") }
            #expect(loaded == expected)
        }

        @Test(
            "the error of a library that can't be loaded names it",
            arguments: [
                (
                    "load --endpoint http://127.0.0.1:9 --unit banner-320x50", "libcurl.so.4",
                    "yabbi-play: libcurl can't be loaded: ",
                    "(on Debian the package libcurl4t64, or libcurl4 before Debian 13)."
                ),
                (
                    "outbox --ledger postgres://127.0.0.1:9/a", "libpq.so.5", "libpq can't be loaded: ",
                    "install the package libpq5"
                ),
                ("show ad.zip --do close@0s", "libarchive.so.13", "yabbi: ", "install the package libarchive13"),
                ("sandbox", "libmicrohttpd.so.12", "yabbi: ", "install the package libmicrohttpd12"),
            ]
        )
        func missing(line: String, file: String, start: String, end: String) throws {
            let folder = try #require(TemporaryFolder())
            defer { folder.remove() }
            #expect(Shell.run("echo \(Self.zip) | base64 -d > \(folder.path)/ad.zip").status == 0)
            _ = folder.write("not a library", file)
            let words = line.split(separator: " ").map { $0.hasPrefix("ad.") ? "\(folder.path)/\($0)" : String($0) }
            let environment = ["LD_LIBRARY_PATH": folder.path]
            let child = try #require(ChildCommand(words, in: folder, environment: environment))
            #expect(child.wait() != 0)
            let errors = String(decoding: folder.bytes("err"), as: UTF8.self)
            #expect(errors.contains(start) && errors.contains(file) && errors.contains(end), "\(errors)")
        }
    }
#endif
