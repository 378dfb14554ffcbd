package import AdCore
import AdMarkup
import AdRuntime
import PlayConsole
import SystemSupport

/// A document that a run has fetched.
package struct RecordedDocument: Sendable {
    /// The URL of the response; nil for a file.
    package let url: HTTPURL?
    package let bytes: [UInt8]

    package init(url: HTTPURL?, bytes: [UInt8]) {
        self.url = url
        self.bytes = bytes
    }
}

extension Follower {
    /// Follows wrappers with the documents that a run has fetched: nothing is requested again.
    ///
    /// `failures` are the requests without a response, with the reason.
    package init(recorded documents: [RecordedDocument], failures: [(url: HTTPURL, reason: String)] = []) {
        let unused = Locked(documents)
        let values = Follower.values
        let reasons = Dictionary(
            failures.map { (Self.path($0.url), $0.reason) },
            uniquingKeysWith: { first, _ in first }
        )
        self.init(
            WrapperResolver(
                limits: .standard,
                values: { values },
                lookup: { template, base in
                    let url = try? values.finished(template, from: base)
                    if let url, reasons[Self.path(url)] != nil { return nil }
                    return Follower.take(url, from: unused)
                },
                fetch: { url in
                    let reason = reasons[Self.path(url)] ?? "it was not requested by this run"
                    return .failure(VASTError(301, "\(Redaction.address(url.text)): \(reason)"))
                }
            )
        )
    }

    /// The first unused document of a server and path; the queries differ, because macros have other values.
    private static func take(
        _ url: HTTPURL?,
        from unused: Locked<[RecordedDocument]>
    ) -> Result<(document: VASTDocument, from: HTTPURL?), VASTError>? {
        guard let url else { return nil }
        let found = unused.withLock { documents -> RecordedDocument? in
            let path = self.path(url)
            let index = documents.firstIndex { $0.url.map(self.path) == path } ?? documents.indices.first
            return index.map { documents.remove(at: $0) }
        }
        guard let found else { return nil }
        do throws(VASTError) {
            return .success((try VASTDocument(parsing: found.bytes), found.url))
        } catch {
            return .failure(error)
        }
    }

    private static func path(_ url: HTTPURL) -> String { url.origin + url.target.prefix { $0 != "?" } }
}

extension InspectedInput {
    /// The input as a tree of texts, for a page.
    package func tree(of name: String) -> AdJSON { self.node(of: name).tree }
}

extension InspectNode {
    /// The lines of the text with those of the inner nodes in them.
    fileprivate var tree: AdJSON { .array(self.trees) }

    private var trees: [AdJSON] {
        let inner = self.children.flatMap(\.trees)
        guard let first = self.lines.first else { return inner }
        let rest = self.lines.dropFirst().map { InspectNode.leaf($0.plain, []) }
        return [InspectNode.leaf(first.plain, inner)] + rest
    }

    private static func leaf(_ text: String, _ children: [AdJSON]) -> AdJSON {
        // A label and its value are apart by two spaces or more.
        let parts = text.firstRange(of: "  ").map { range in
            (String(text[..<range.lowerBound]), String(text[range.upperBound...]).trimmed)
        }
        return [
            "text": .string((parts?.0 ?? text).excerpt(500)), "detail": .text(parts?.1.excerpt(2_000)),
            "children": .array(children),
        ]
    }
}
