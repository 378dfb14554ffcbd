import AdBundle
import AdCore
import AdMarkup
import LibC
import PlayConsole
import PlayInspect

/// Reads the inputs of the command line: files, URLs, and `-` for the standard input.
enum SourceReader {
    struct Input: Sendable {
        let bytes: [UInt8]
        /// The charset of the HTTP response's Content-Type (RFC 9110 §8.3).
        var charset: String?
        /// The URL after all redirects; a placeholder for a bundle's page, whose relative URLs lead to files with it.
        var base: HTTPURL?

        init(bytes: [UInt8], charset: String? = nil, base: HTTPURL? = nil) {
            self.bytes = bytes
            self.charset = charset
            self.base = base
        }

        /// The page of a bundle.
        init(_ bundle: AdBundle) {
            self.init(bytes: bundle.files[bundle.indexPath]?.bytes ?? [], base: SourceReader.bundleBase)
        }
    }

    /// The base URL of a bundle's page for tools, with which its relative URLs lead to files.
    static let bundleBase = HTTPURL("https://bundle.invalid/")

    /// The bytes of a file, of an HTTP response, or of the standard input.
    static func input(
        _ text: String,
        within timeout: Duration,
        by transport: any Transport
    ) async throws(PlayError) -> Input {
        if text == "-" { return try self.unpacked(Input(bytes: try self.standardInput()), called: "standard input") }
        guard let url = try self.url(text) else {
            if self.isFolder(text) { return Input(try self.bundle(text)) }
            return try self.unpacked(Input(bytes: try self.file(text)), called: text)
        }
        let name = Redaction.address(text)
        let response = try await self.fetch(url, called: name, within: timeout, by: transport)
        // An empty response is no fill. An empty file is an error of the parser.
        guard response.body.contains(where: { $0 > 0x20 }) else {
            throw PlayError(.noFill, "no fill: \(name) responded with status \(response.status) and without a body")
        }
        let input = Input(bytes: response.body, charset: self.charset(response.headers), base: response.url)
        return try self.unpacked(input, called: name)
    }

    // MARK: Bundles

    /// Whether a path leads to a file or folder.
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether a path leads to a folder.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The bundle in a folder.
    static func bundle(_ path: String) throws(PlayError) -> AdBundle {
        do throws(BundleError) {
            return try AdBundle(folder: path)
        } catch {
            throw PlayError(.loadFailed, error.description)
        }
    }

    /// The bundle in the bytes of a zip file.
    static func bundle(_ bytes: [UInt8], called name: String) throws(PlayError) -> AdBundle {
        do throws(BundleError) {
            return try AdBundle(zip: bytes, called: name)
        } catch {
            throw PlayError(.loadFailed, error.description)
        }
    }

    /// The page of a bundle in place of a zip file.
    private static func unpacked(_ input: Input, called name: String) throws(PlayError) -> Input {
        AdBundle.isZip(input.bytes) ? Input(try self.bundle(input.bytes, called: name)) : input
    }

    static func standardInput() throws(PlayError) -> [UInt8] { try self.file("/dev/stdin") }

    static func file(_ path: String) throws(PlayError) -> [UInt8] {
        do throws(UsageError) {
            return try FileReading.document(path)
        } catch {
            let hint = self.hint(for: path)
            throw PlayError(.loadFailed, Redaction.address(error.message) + hint)
        }
    }

    static func fetch(
        _ url: HTTPURL,
        called name: String,
        within timeout: Duration,
        by transport: any Transport
    ) async throws(PlayError) -> AdHTTPResponse {
        let response: AdHTTPResponse
        do throws(TransportError) {
            var request = AdHTTPRequest(.get, url, limits: .init(total: timeout))
            request.purpose = .tag
            response = try await transport.send(request)
        } catch {
            throw PlayError(.loadFailed, "\(name) can't be fetched: \(error.message); check the URL")
        }
        guard (200...299).contains(response.status) else {
            throw PlayError(.loadFailed, "\(name) responded with status \(response.status); check the URL")
        }
        return response
    }

    static func charset(_ headers: AdHTTPHeaders) -> String? {
        let fields = headers["Content-Type"]?.split(separator: ";").dropFirst().map(\.trimmed) ?? []
        let value = fields.first { $0.utf8.startsIgnoringCase("charset=") }?.dropFirst(8)
        return value.map { String($0).filter { $0 != "\"" } }
    }

    // MARK: URLs

    /// The URL in a text that has a scheme (RFC 3986 §3.1); nil for a path.
    static func url(_ text: String) throws(PlayError) -> HTTPURL? {
        let text = text.trimmed
        guard let mark = text.firstRange(of: "://"), mark.lowerBound > text.startIndex,
            text[..<mark.lowerBound].utf8.allSatisfy({ $0.isASCIILetter || $0.isDigit || "+-.".utf8.contains($0) })
        else { return nil }
        do throws(HTTPURL.ParseError) {
            return try HTTPURL(parsing: text)
        } catch {
            // The text before the host may contain a password (RFC 3986 §3.2.1).
            let shown = error == .hasUserName ? text[..<mark.upperBound] + "…" : Redaction.address(text)[...]
            let fix = error == .notHTTP ? "; for a file, give its path" : ""
            throw PlayError(.usage, "\(shown) can't be fetched: \(error.reason)\(fix)")
        }
    }

    /// How to write the URL that a missing file's name looks like; empty for other names.
    private static func hint(for name: String) -> String {
        if let url = self.suggestedURL(for: name) { return "; did you mean \(Redaction.address(url))?" }
        return self.looksLikeHost(name) ? "; for a URL write https://\(name)" : ""
    }

    /// Whether a name is a host's, as `example.com`, and not that of a file that the command reads.
    private static func looksLikeHost(_ name: String) -> Bool {
        guard !name.contains("/"), let url = HTTPURL("https://" + name), url.writtenHost == name.asciiLowercased,
            let ending = url.host.split(separator: ".").last, ending.utf8.count < url.host.utf8.count
        else { return false }
        let files = ["xml", "vast", "vmap", "html", "htm", "json", "js", "txt", "zip", "jsonl"]
        return ending.utf8.count > 1 && ending.utf8.allSatisfy(\.isASCIILetter) && !files.contains(String(ending))
    }

    /// The URL to suggest for a missing file with a name like `www.example.com/tag.xml`.
    static func suggestedURL(for name: String) -> String? {
        guard let first = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first,
            let url = HTTPURL("https://" + name), !first.isEmpty
        else { return nil }
        let labels = url.host.split(separator: ".")
        // A host name ends in letters. Without a path and without www. it is more likely a file name.
        let isHost = labels.count > 1 && (labels.last?.utf8.allSatisfy(\.isASCIILetter) ?? false)
        let looksLikeURL = name.contains("/") || labels.first == "www" || first.contains(":")
        if url.host == "localhost", first.contains(":") { return "http://" + name }
        return isHost && looksLikeURL ? "https://" + name : nil
    }
}
