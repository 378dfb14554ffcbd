import AdBundle
import LibC
import TestSupport
import Testing

@Suite("Folders as zip files")
struct ZippingTests {
    @Test("a zipped folder has the same files, and the same bytes each time")
    func same() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        mkdir(folder.path + "/bilder", 0o755)
        _ = folder.write("<html><img src=\"bilder/größe.svg\"></html>", "index.html")
        _ = folder.write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "bilder/größe.svg")
        _ = folder.write("", "empty.css")
        let bundle = try AdBundle(folder: folder.path)
        let zip = try #require(bundle.zipped())
        let read = try AdBundle(zip: zip, called: "ad.zip")
        #expect(read.files == bundle.files && read.issues.isEmpty && read.indexPath == "index.html")
        // Times in zips are local.
        let before = getenv("TZ").map { String(cString: $0) }
        for zone in ["America/New_York", "Asia/Tokyo"] {
            setenv("TZ", zone, 1)
            tzset()
            #expect(bundle.zipped() == zip, "\(zone)")
        }
        if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
        tzset()
    }
}
