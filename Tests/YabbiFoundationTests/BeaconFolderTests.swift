import Foundation
import Testing
import YabbiAds
import YabbiFoundation

@Suite("The folder of beacons from Foundation's URLs")
struct BeaconFolderTests {
    @Test(
        "a folder has the path that FileManager means",
        arguments: ["/var/lib/ads", "/data/Application Support/ads", "/data/100%25/ä", "/data/%20"]
    )
    func path(text: String) throws {
        #expect(try BeaconFolder(url: URL(fileURLWithPath: text, isDirectory: false)).path == text)
    }

    @Test("a relative URL is resolved against its base")
    func relative() throws {
        let base = URL(fileURLWithPath: "/data/app", isDirectory: true)
        #expect(try BeaconFolder(url: URL(fileURLWithPath: "ads", relativeTo: base)).path == "/data/app/ads")
    }

    @Test("a URL that is no file's is an error that says what to do")
    func refused() throws {
        let web = try #require(URL(string: "https://a.example/ads"))
        let error = #expect(throws: AdSetupError.self) { try BeaconFolder(url: web) }
        #expect(error?.localizedDescription.contains("give a path that begins with /, or a file: URL") == true)
    }
}
