import AdCore
import AdTrace
import Foundation
import TestSupport
import Testing
import YabbiAds
import YabbiFoundation

/// What an app reads that only has `any Error`.
@Suite("The texts of errors for Foundation")
struct ErrorTextTests {
    private static let place = AdError.Place(provider: "yabbi", url: "https://ssp.example/load")

    private static let texts: [(error: any Error, text: String)] = [
        (
            AdError(.timedOut, "no response within 10 s; allow more time", at: place),
            "no response within 10 s; allow more time [yabbi, https://ssp.example/load, timedOut]"
        ),
        (AdException(.noFill, "there is no ad now"), "noFill: there is no ad now"),
        (AdSetupError(description: "libcurl is too old; install 8.0"), "libcurl is too old; install 8.0"),
        (LedgerError("the disk is full; free some space"), "the disk is full; free some space"),
        (TransportError(.notSent(.refused), "the host refused the connection"), "the host refused the connection"),
        (StageError("the view is gone; present another"), "the view is gone; present another"),
        (
            HTTPURL.ParseError.notHTTP,
            "the URL is invalid: it begins with neither http:// nor https://; write the whole URL, as in "
                + "https://ssp.example/load"
        ),
    ]

    @Test("the localized description of each error is its own text", arguments: texts.indices)
    func text(index: Int) {
        let (error, text) = Self.texts[index]
        #expect(error.localizedDescription == text)
    }

    @Test("every reason why a URL is invalid has a text that says what to do")
    func urls() {
        let texts = [
            "127.0.0.1:8080/x", "http://", "http://a_b..c/", "http://a.example:0/", "http://me@a.example/",
            "http://a.example/" + String(repeating: "a", count: 40_000),
        ]
        var descriptions: Set<String> = []
        for text in texts {
            let error = #expect(throws: HTTPURL.ParseError.self) { try HTTPURL(parsing: text) }
            guard let error else { continue }
            let description = (error as any Error).localizedDescription
            #expect(description == "\(error)")
            #expect(description.hasPrefix("the URL is invalid: it"))
            #expect(description.contains("; "))
            descriptions.insert(description)
        }
        #expect(descriptions.count == texts.count)
    }

    @Test("the failure reason is the text of the cause")
    func cause() {
        let cause = TransportError(.notSent(.nameNotResolved), "the host's name could not be resolved")
        let error: any Error = AdError(.unreachable, "no connection; check the network", underlying: cause)
        #expect((error as? any LocalizedError)?.failureReason == "the host's name could not be resolved")
        let exception: any Error = AdException(.unreachable, "no connection", caused: "https://ssp.example/load")
        #expect((exception as? any LocalizedError)?.failureReason == "https://ssp.example/load")
        let alone: any Error = AdException(.noFill, "there is no ad now")
        #expect((alone as? any LocalizedError)?.failureReason == nil)
    }

    @Test("an error of the ledger says whether another attempt can help")
    func ledger() {
        let final: any LocalizedError = LedgerError("the file is damaged", isFinal: true)
        #expect(final.recoverySuggestion?.contains("another ledger") == true)
        #expect((LedgerError("busy") as any LocalizedError).recoverySuggestion == "Try again.")
    }

    @Test("an unusable trace file has its path in the text")
    func trace() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = "\(folder.path)/missing/ads.trace"
        let error = #expect(throws: TraceFileError.self) { _ = try TraceRecorder(file: path, version: "test") }
        #expect((error as (any Error)?)?.localizedDescription.contains(path) == true)
    }
}
