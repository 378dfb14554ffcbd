import AdCore
import TestSupport
import Testing

@testable import AdTrace

@Suite("Trace files")
struct TraceFileTests {
    private func text(_ name: String, _ folder: TemporaryFolder) -> String {
        String(decoding: folder.bytes(name), as: UTF8.self)
    }

    @Test("a trace file replaces another trace, and no other file")
    func place() throws {
        let folder = try #require(TemporaryFolder())
        defer { folder.remove() }
        let path = folder.path + "/a.trace"
        let first = try TraceFile(path)
        first.write(TraceHead(version: "app 1", hidesSecrets: true).traced.text())
        #expect(self.text("a.trace", folder).hasPrefix(TraceHead.beginning))
        _ = try TraceFile(path)
        #expect(self.text("a.trace", folder) == "")
        for other in ["{\"name\":1}", "SQLite format 3\u{0}", "{", "<VAST/>"] {
            let file = try #require(folder.write(other, "other"))
            #expect(
                throws: TraceFileError("the trace can't be written to \(file): the file exists and is no trace")
            ) {
                try TraceFile(file)
            }
            #expect(self.text("other", folder) == other)
        }
    }
}
