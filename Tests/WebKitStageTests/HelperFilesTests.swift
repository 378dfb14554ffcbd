import Testing

@testable import WebKitStage

@Suite("The files of the helper")
struct HelperFilesTests {
    @Test("it is found where it is built and where it is installed")
    func places() throws {
        for (program, place) in [
            ("/src/.build/x/debug/yabbi-play", "/src/.build/webkit/yabbi-webkit"),
            ("/usr/local/bin/yabbi-play", "/usr/local/lib/yabbi/yabbi-webkit"),
        ] {
            let files = try HelperFiles.find(named: nil, program: program) { $0 == place }
            #expect(files.program == place)
            #expect(files.extensionFolder == place.dropLast("yabbi-webkit".count) + "extension")
        }
    }

    @Test("without it the error says how to build it", arguments: [nil, "/no/helper"])
    func missing(named: String?) {
        let error = #expect(throws: WebKitError.self) {
            try HelperFiles.find(named: named, program: "/bin/yabbi-play") { _ in false }
        }
        #expect(error?.description.contains("make webkit") == true)
    }
}
