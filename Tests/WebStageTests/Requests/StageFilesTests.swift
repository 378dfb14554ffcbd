import AdCore
import Testing

@testable import WebStage

@Suite("Files beside the document of a creative")
struct StageFilesTests {
    private static let origin = "https://ad-1.yabbi-creative.invalid"

    private func request(_ url: String, range: String? = nil) -> EngineRequest {
        let id = EngineRequestID(number: "1", target: EngineTarget(name: "s"))
        let headers = range.map { [EngineHeader("Range", $0)] } ?? []
        return EngineRequest(id, url: url, kind: .fetch, headers: headers)
    }

    private let files = StageFiles("ad.zip") { target in
        target == "/a.bin?v=1"
            ? .file(StageFiles.File(type: "application/octet-stream", bytes: Array(0..<10)))
            : .missing("it is not in ad.zip")
    }

    @Test("the path and query name the file; a missing one is named in the list of failed requests")
    func targets() {
        let found = self.files.respond(to: self.request("\(Self.origin)/a.bin?v=1#x"))
        #expect(found.size == 10 && found.failure == nil)
        let missing = self.files.respond(to: self.request("\(Self.origin)/b.bin"))
        #expect(missing.failure == FailedRequest(url: "ad.zip/b.bin", reason: "it is not in ad.zip"))
    }

    @Test("a valid range gets that part; any other is ignored, as if there were none")
    func ranges() {
        let url = "\(Self.origin)/a.bin?v=1"
        let part = self.request(url, range: "bytes=2-4")
        let response = self.files.respond(to: part)
        #expect(response.size == 3)
        #expect(
            response.command
                == part.response(
                    206,
                    [EngineHeader("Access-Control-Allow-Origin", "*")]
                        + MediaRange("bytes=2-4", of: 10).headers(type: "application/octet-stream"),
                    [2, 3, 4]
                )
        )
        for range in ["bytes=a-", "items=0-1", "bytes=0-1,4-5", "bytes=4-2"] {
            #expect(self.files.respond(to: self.request(url, range: range)).size == 10)
        }
    }

    @Test("files count as loaded bytes: beyond the limit they are refused, and nothing of them is sent")
    func limit() {
        let large = StageFiles("ad.zip") { _ in
            .file(StageFiles.File(type: "text/plain", bytes: Array(repeating: 0x20, count: PagePolicy.byteLimit / 4)))
        }
        var policy = PagePolicy(files: large)
        let request = self.request("\(Self.origin)/a")
        for _ in 0..<4 {
            let outputs = policy.serve(request, from: large)
            #expect(outputs.count == 1 && outputs != [.send(request.failing(.blocked))])
        }
        let refused = policy.serve(request, from: large)
        #expect(refused.first == .send(request.failing(.blocked)) && refused.count == 3)
        #expect(policy.serve(request, from: large) == [.send(request.failing(.blocked))])
    }
}
