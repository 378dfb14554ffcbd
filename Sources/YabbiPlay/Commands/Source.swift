import AdCore
import AdMarkup
import SandboxSSP

/// Where an ad comes from when it does not come from a server that is asked.
struct Source: Sendable {
    enum Content: Sendable {
        /// Markup that the built-in server serves as a creative of its own.
        case creative(CreativeEntry)
        /// A server's answer, to the letter, and whose it is where that can be recognised.
        case answer([UInt8], AnswerShape?, format: AdFormat?)
        /// VAST or VMAP by itself.
        case tag([UInt8])

        /// What stands for a server's answer; nil where the built-in server is asked.
        var body: [UInt8]? {
            switch self {
            case .answer(let bytes, _, _), .tag(let bytes): bytes
            case .creative: nil
            }
        }
    }

    /// What the user called it: a path, or an address without its secrets.
    let name: String
    let content: Content
    /// Where the markup came from, for the links in it that do not say the whole way.
    let base: HTTPURL?

    /// Reads a file or fetches a tag.
    static func read(
        _ text: String,
        _ settings: Settings,
        by transport: any Transport
    ) async throws(PlayError) -> Source {
        let format = settings.format
        if text == "-" {
            let name = "the standard input"
            return Source(
                name: name,
                content: try self.sorted(self.standardInput(), called: name, "-", format),
                base: nil
            )
        }
        guard let url = try self.address(text) else {
            let bytes = try self.file(text)
            let short = text.split(separator: "/").last ?? text[...]
            return Source(name: text, content: try self.sorted(bytes, called: text, short, format), base: nil)
        }
        let name = Redaction.address(text)
        let response = try await self.fetch(url, called: name, settings, by: transport)
        let path = response.url.target.prefix { $0 != "?" }
        let short = path.split(separator: "/").last ?? url.host[...]
        let charset = self.charset(response.headers)
        let isXML = response.headers["Content-Type"]?.asciiLowercased.contains("xml") ?? false
        let content = try self.sorted(response.body, charset, called: name, short, format, isXML: isXML)
        return Source(name: name, content: content, base: response.url)
    }

    /// The bytes of a file, of what an address answers, or of the standard input for `-`; what was said of their charset,
    /// and where they came from in the end.
    static func content(
        _ text: String,
        _ settings: Settings,
        by transport: any Transport
    ) async throws(PlayError) -> (bytes: [UInt8], charset: String?, base: HTTPURL?) {
        if text == "-" { return (try self.standardInput(), nil, nil) }
        guard let url = try self.address(text) else { return (try self.file(text), nil, nil) }
        let name = Redaction.address(text)
        let response = try await self.fetch(url, called: name, settings, by: transport)
        // A server that sends no document has no ad; a file without one is a broken file.
        guard response.body.contains(where: { $0 > 0x20 }) else {
            let said = "\(name) answered with status \(response.status) and no document"
            throw PlayError(.noFill, "\(said): the server has no ad")
        }
        return (response.body, self.charset(response.headers), response.url)
    }

    private static func standardInput() throws(PlayError) -> [UInt8] { try self.file("/dev/stdin") }

    private static func file(_ path: String) throws(PlayError) -> [UInt8] {
        do throws(UsageError) {
            return try FileReading.bytes(path)
        } catch {
            let hint = self.addressMeant(by: path).map { "; did you mean \(Redaction.address($0))?" } ?? ""
            throw PlayError(.loadFailed, Redaction.address(error.message) + hint)
        }
    }

    /// The address that may be meant by a name without a scheme that is no file's, as `www.example.com/tag.xml`.
    static func addressMeant(by name: String) -> String? {
        guard let first = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first,
            let url = HTTPURL("https://" + name), !first.isEmpty
        else { return nil }
        let labels = url.host.split(separator: ".")
        // The name of a host ends in letters; one without a path or www. before it is rather a file's.
        let isHost = labels.count > 1 && (labels.last?.utf8.allSatisfy(\.isASCIILetter) ?? false)
        let isMeant = name.contains("/") || labels.first == "www" || first.contains(":")
        if url.host == "localhost", first.contains(":") { return "http://" + name }
        return isHost && isMeant ? "https://" + name : nil
    }

    private static func fetch(
        _ url: HTTPURL,
        called name: String,
        _ settings: Settings,
        by transport: any Transport
    ) async throws(PlayError) -> HTTPResponse {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(HTTPRequest(.get, url, limits: .init(total: settings.timeout)))
        } catch {
            throw PlayError(.loadFailed, "\(name) can't be fetched: \(error.message)")
        }
        guard (200...299).contains(response.status) else {
            throw PlayError(.loadFailed, "\(name) answered with status \(response.status)")
        }
        return response
    }

    /// The address in a text that has a scheme, or nil where it is a path.
    static func address(_ text: String) throws(PlayError) -> HTTPURL? {
        let text = text.trimmed
        guard let mark = text.firstRange(of: "://"), mark.lowerBound > text.startIndex,
            text[..<mark.lowerBound].utf8.allSatisfy({ $0.isASCIILetter || $0.isDigit || "+-.".utf8.contains($0) })
        else { return nil }
        do throws(HTTPURL.Fault) {
            return try HTTPURL(parsing: text)
        } catch {
            // What stands before the host may be a password.
            let shown = error == .hasUserName ? text[..<mark.upperBound] + "…" : Redaction.address(text)[...]
            let cure = error == .notHTTP ? "; a file is named by its path alone" : ""
            throw PlayError(.usage, "\(shown) can't be fetched: \(error.reason)\(cure)")
        }
    }

    private static func charset(_ headers: HTTPHeaders) -> String? {
        let fields = headers["Content-Type"]?.split(separator: ";").dropFirst().map(\.trimmed) ?? []
        let value = fields.first { $0.utf8.startsIgnoringCase("charset=") }?.dropFirst(8)
        return value.map { String($0).filter { $0 != "\"" } }
    }

    private static func sorted(
        _ bytes: [UInt8],
        _ charset: String? = nil,
        called name: String,
        _ short: Substring,
        _ format: AdFormat?,
        isXML: Bool = false
    ) throws(PlayError) -> Content {
        let kind = MarkupKind(sniffing: bytes)
        // By its name it may be meant to be JSON: what is wrong with it is for the reader of answers to say.
        if kind == .json || short.asciiLowercased.hasSuffix(".json") {
            let json = (try? JSON.reading(bytes))?.json
            let shape = json.flatMap { AnswerShape($0) }
            if shape == .prebid, let markup = json.flatMap({ PrebidMarkup.all(in: $0) })?.first {
                return try self.sorted(
                    Array(markup.text.utf8),
                    called: "\(name), \(markup.name)",
                    short.prefix { $0 != "." },
                    format
                )
            }
            if let shape, shape.isCards {
                let text = "\(name) is an answer of \(shape.rawValue.lowercased()), which names no click tracker"
                throw PlayError(.usage, text + "; yabbi-play inspect draws its cards")
            }
            return .answer(bytes, shape, format: format ?? self.format(of: bytes))
        }
        if TagProvider.holds(bytes) { return .tag(bytes) }
        if kind == .empty { throw PlayError(.noFill, "\(name) is empty: there is no ad in it") }
        // What was to be VAST and is a page is a server's word that something went wrong, and no ad.
        if isXML || short.asciiLowercased.hasSuffix(".xml") {
            do throws(VASTError) {
                _ = try VASTDocument(parsing: bytes)
            } catch {
                throw PlayError(.loadFailed, "\(name) was to be VAST, and is \(kind): \(error.message)")
            }
            return .tag(bytes)
        }
        switch kind {
        case .html, .text:
            let made: CreativeEntry.Format = format == .interstitial ? .interstitial : .banner
            let markup = try self.text(bytes, charset, called: name)
            // The built-in server has names of its own, and those of the bundled creatives; none has a colon.
            return .creative(CreativeEntry(name: "source:\(short)", format: made, markup: markup))
        case .xml, .binary, .json, .vast, .vmap, .empty:
            throw PlayError(
                .loadFailed,
                "\(name) is \(Style.printable(kind.description)), and no ad: a SOURCE is HTML, VAST, or YABBI's answer in JSON"
            )
        }
    }

    /// The slot that an answer of YABBI's is made for, by its own type.
    private static func format(of answer: [UInt8]) -> AdFormat? {
        switch (try? JSON.reading(answer))?.json["type"]?.number {
        case 2: .interstitial
        case 3: .rewarded
        default: nil
        }
    }

    private static func text(_ bytes: [UInt8], _ charset: String?, called name: String) throws(PlayError) -> String {
        do throws(MarkupError) {
            return try HTMLDocument(parsing: bytes, charset: charset).markup
        } catch {
            throw PlayError(.loadFailed, "\(name): \(error.description)")
        }
    }
}

extension Source {
    /// Why nothing of what is here already can be shown: no server was asked for it, and asking again changes nothing.
    private func nothingToShow(_ error: AdError) -> String {
        let reason = error.issues.first.map { ": \($0.message)" } ?? ""
        return "there is no ad in \(self.name)\(reason)"
    }

    /// The failure with the user's own name for the source where an address of the command's making stands.
    func naming(_ error: AdError) -> AdError {
        var place = error.place
        if place.url != nil { place.url = self.name }
        return AdError(
            error.code,
            error.code == .noFill ? self.nothingToShow(error) : error.message,
            at: place,
            underlying: error.underlying,
            vastCode: error.vastCode,
            issues: error.issues
        )
    }
}
