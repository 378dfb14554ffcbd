import Testing

@testable import AdMarkup

@Suite("The parser that is kept for the next document")
struct KeptParserTests {
    private static let next = """
        <VAST version="4.2"><Ad id="1"><InLine><AdSystem>&name;</AdSystem><AdTitle>x</AdTitle>
        <Impression><![CDATA[https://a.example/i]]></Impression><Creatives/></InLine></Ad></VAST>
        """

    @Test(
        "a document knows nothing of the one before it",
        arguments: [
            "<!DOCTYPE VAST [<!ENTITY name 'Pluvello'><!ATTLIST Ad sequence CDATA '7'>]><VAST version='4.2'/>",
            "<VAST version='4.2' xmlns:a='https://a.example'><a:b/></VAST>",
            "<VAST version='4.2'><Ad",
            "<?xml version='1.0' encoding='ISO-8859-1'?><VAST version='4.2'/>",
            "\u{FEFF}<VAST version='4.2' xml:space='preserve'/>",
        ]
    )
    func sequences(first: String) throws {
        let alone = try VASTDocument(parsing: Array(Self.next.utf8))
        _ = try? VASTDocument(parsing: Array(first.utf8))
        let document = try VASTDocument(parsing: Array(Self.next.utf8))
        #expect(document == alone)
        // It has nothing that a first document declares, also if `alone` was parsed after one.
        let ad = try #require(document.ads.first)
        #expect(ad.system?.name != "Pluvello" && ad.sequence == nil)
    }

    @Test("documents that are parsed at the same time do not share it")
    func concurrency() async throws {
        let alone = try VASTDocument(parsing: Array(Self.next.utf8))
        let areEqual = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<50).allSatisfy { _ in (try? VASTDocument(parsing: Array(Self.next.utf8))) == alone }
                }
            }
            return await group.allSatisfy { $0 }
        }
        #expect(areEqual)
    }
}
