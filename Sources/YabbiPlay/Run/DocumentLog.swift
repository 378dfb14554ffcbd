import AdBundle
import AdCore
import PlayConsole
import PlayInspect
import SystemSupport

/// The documents that a run has read: the tag or file, ad responses, and the responses of wrappers.
final class DocumentLog: Sendable {
    struct Document: Sendable {
        let name: String
        let purpose: RequestPurpose
        let recorded: RecordedDocument
    }

    private struct Log {
        var list: [Document] = []
        var bytes = 0
        var omitted = 0
        var failures: [(url: HTTPURL, reason: String)] = []
    }

    /// The greatest number of documents, and of files beside an ad's page.
    private static let maxDocuments = (read: 40, beside: 100)
    /// The greatest number of their bytes.
    private static let maxBytes = (read: 16 << 20, beside: 8 << 20)
    private let documents = Locked(Log())

    var bytes: Int { self.documents.withLock(\.bytes) }
    var all: [Document] { self.documents.withLock(\.list) }
    /// The requests without a response, with the reason.
    var failures: [(url: HTTPURL, reason: String)] { self.documents.withLock(\.failures) }
    /// The number of documents that were left out because there are too many, or they are too large.
    var omitted: Int { self.documents.withLock(\.omitted) }

    /// Adds the document of the command line, if no response is in the log that has it, and the text files beside it.
    func add(_ document: SourceDocument) {
        if document.base == nil { self.add(document.source, from: nil, called: document.name, for: .tag) }
        guard let bundle = document.bundle else { return }
        for (path, file) in bundle.files.sorted(by: { $0.key < $1.key }) where path != bundle.indexPath && file.isText {
            let name = "\(bundle.name)/\(Style.printable(path, upTo: 200))"
            self.add(file.bytes, from: nil, called: name, for: .creative)
        }
    }

    /// Adds a request that got no response.
    func addFailure(_ url: HTTPURL, _ reason: String) {
        self.documents.withLock { log in
            if log.failures.count < DocumentLog.maxDocuments.read { log.failures.append((url, reason)) }
        }
    }

    func add(_ bytes: [UInt8], from url: HTTPURL?, called name: String, for purpose: RequestPurpose) {
        // A zip is listed with its files.
        guard !AdBundle.isZip(bytes) else { return }
        self.documents.withLock { documents in
            let same = documents.list.filter { ($0.purpose == .creative) == (purpose == .creative) }
            let sum = same.reduce(bytes.count) { $0 + $1.recorded.bytes.count }
            let (count, limit) =
                purpose == .creative
                ? (DocumentLog.maxDocuments.beside, DocumentLog.maxBytes.beside)
                : (DocumentLog.maxDocuments.read, DocumentLog.maxBytes.read)
            guard same.count < count, sum <= limit else {
                documents.omitted += 1
                return
            }
            documents.bytes += bytes.count
            let recorded = RecordedDocument(url: url, bytes: bytes)
            documents.list.append(Document(name: name, purpose: purpose, recorded: recorded))
        }
    }
}
