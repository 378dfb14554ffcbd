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

    private static let maxDocuments = 40
    private static let maxBytes = 16 << 20
    private let documents = Locked<(list: [Document], bytes: Int)>(([], 0))

    var bytes: Int { self.documents.withLock(\.bytes) }
    var all: [Document] { self.documents.withLock(\.list) }

    /// Adds the document of the command line, if it was not fetched, and the text files beside it.
    func add(_ document: SourceDocument) {
        if document.base == nil { self.add(document.bytes, from: nil, called: document.name, for: .tag) }
        guard let bundle = document.bundle else { return }
        for (path, file) in bundle.files.sorted(by: { $0.key < $1.key }) where path != bundle.indexPath && file.isText {
            let name = "\(bundle.name)/\(Style.printable(path, upTo: 200))"
            self.add(file.bytes, from: nil, called: name, for: .creative)
        }
    }

    func add(_ bytes: [UInt8], from url: HTTPURL?, called name: String, for purpose: RequestPurpose) {
        self.documents.withLock { documents in
            guard documents.list.count < DocumentLog.maxDocuments,
                documents.bytes + bytes.count <= DocumentLog.maxBytes
            else { return }
            documents.bytes += bytes.count
            let recorded = RecordedDocument(url: url, bytes: bytes)
            documents.list.append(Document(name: name, purpose: purpose, recorded: recorded))
        }
    }
}
