import AdCore
import Testing
import YabbiAds

@Suite("The folder of beacons")
struct BeaconFolderTests {
    @Test(
        "an absolute path and a file: URL name the same folder",
        arguments: [
            ("/var/lib/ads", "/var/lib/ads"), ("/data/Application Support/ads", "/data/Application Support/ads"),
            ("file:///data/Application%20Support/ads", "/data/Application Support/ads"),
            ("file://localhost/data/ads", "/data/ads"), ("/data/100%/ä", "/data/100%/ä"),
        ]
    )
    func accepted(text: String, path: String) throws {
        #expect(try BeaconFolder(text).path == path)
    }

    @Test(
        "a path that would name another folder is an error with the fix",
        arguments: [
            ("ads", "is not absolute; give a path that begins with /"), ("", "is not absolute"),
            ("~/ads", "begins with ~, which only a shell replaces; give the whole path"),
            ("/data/Application%20Support/ads", "has percent-encoded characters"),
            ("file://nas/ads", "is not absolute"),
            ("https://a.example/ads", "is not absolute"), ("/data/a\u{0}b", "contains a zero byte"),
            ("file:///data/a%00b", "contains a zero byte"),
        ]
    )
    func refused(text: String, message: String) {
        let error = #expect(throws: AdSetupError.self) { try BeaconFolder(text) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
}
