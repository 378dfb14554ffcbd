package import AdCore
import AdMarkup
import AdRuntime
package import PlayConsole

/// How `inspect` follows wrappers.
package enum Following: Sendable {
    case none
    /// With requests to their servers.
    case network
    /// With a file that maps URLs to files.
    case map(file: String)
}

/// Follows the wrappers of an inspected input.
package struct Follower: Sendable {
    private let resolver: WrapperResolver

    /// Creates a follower; nil if wrappers are not followed.
    package init?(_ following: Following, within timeout: Duration, by transport: any Transport) throws(PlayError) {
        let moment = MacroValues.moment(
            at: SystemClock().wallTime,
            random: .random(in: .min ... .max)
        )
        let values = Follower.values.adding(moment)
        var limits = VASTChainLimits.standard
        limits.hopTime = timeout
        switch following {
        case .none: return nil
        case .map(let file):
            let map = try TagMap(file, values)
            self.resolver = WrapperResolver(
                limits: limits,
                values: { values },
                lookup: { map.document(at: $0, from: $1) },
                fetch: { .failure(map.missing($0.text)) }
            )
        case .network:
            let fetcher = TagFetcher(transport, headers: ["User-Agent": CommandVersion.userAgent], limits: limits)
            self.resolver = WrapperResolver(limits: limits, values: { values }, fetch: { await fetcher.fetch($0) })
        }
    }

    init(_ resolver: WrapperResolver) { self.resolver = resolver }

    static var values: MacroValues {
        MacroValues(AdContext(userAgent: CommandVersion.userAgent), appBundle: nil, types: VideoPolicy().types)
    }

    func follow(_ document: VASTDocument, from base: HTTPURL?) async -> ResolvedWrappers {
        ResolvedWrappers(await self.resolver.resolve(document, from: base), nil, known: document.issues)
    }

    func follow(_ adBreak: VMAPBreak, from base: HTTPURL?) async -> ResolvedWrappers? {
        switch adBreak.source?.content {
        case .vast(let document): return await self.resolve(document, base, of: adBreak)
        case .tag(let template, _):
            switch await self.resolver.document(at: template, from: base) {
            case .success(let (document, from)): return await self.resolve(document, from, of: adBreak)
            case .failure(let error): return ResolvedWrappers(VASTResolution(failure: error), adBreak)
            }
        case .custom, nil: return nil
        }
    }

    private func resolve(_ document: VASTDocument, _ base: HTTPURL?, of adBreak: VMAPBreak) async -> ResolvedWrappers {
        let resolution = await self.resolver.resolve(
            document,
            from: base,
            allowsMultipleAds: adBreak.source?.allowsMultipleAds ?? true,
            followsWrappers: adBreak.source?.followsRedirects ?? true
        )
        return ResolvedWrappers(resolution, adBreak, known: document.issues)
    }
}

/// VAST documents in files in place of servers: no request is sent.
struct TagMap: Sendable {
    private let files: [String: String]
    private let values: MacroValues

    /// Reads a map from URLs to paths, which are relative to the map's folder.
    ///
    /// The macros of a URL can be replaced or not.
    init(_ path: String, _ values: MacroValues) throws(PlayError) {
        let bytes: [UInt8]
        do throws(UsageError) { bytes = try FileReading.document(path) } catch {
            throw PlayError(.usage, error.message)
        }
        guard case .object(let members)? = try? AdJSON(parsing: bytes) else {
            throw PlayError(
                .usage,
                "\(path) is not a map: expected a JSON object such as {\"https://…\": \"file.xml\"}"
            )
        }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        var files: [String: String] = [:]
        for member in members {
            guard case .string(let file) = member.value else {
                throw PlayError(.usage, "\(path) is not a map: the value of \(member.name.excerpt(80)) is not a path")
            }
            files[TagMap.key(member.name, values)] = file.hasPrefix("/") ? file : folder + file
        }
        self.files = files
        self.values = values
    }

    /// The URL with its macros replaced: URLs are compared in this form.
    private static func key(_ address: String, _ values: MacroValues) -> String {
        guard let template = URLTemplate(address), let url = try? values.finished(template) else { return address }
        return url.text
    }

    /// The document for a URL, with its macros replaced or as it is written; nil if the URL can't be called.
    func document(
        at template: URLTemplate,
        from base: HTTPURL?
    ) -> Result<(document: VASTDocument, from: HTTPURL?), VASTError>? {
        let url = try? self.values.finished(template, from: base)
        guard let path = url.flatMap({ self.files[$0.text] }) ?? self.files[template.text] else {
            return url.map { _ in .failure(self.missing(template.text)) }
        }
        let shown = Redaction.address(url?.text ?? template.text)
        let bytes: [UInt8]
        do throws(UsageError) {
            bytes = try FileReading.document(path)
        } catch {
            return .failure(VASTError(301, "\(shown) is in the map, but \(error.message)"))
        }
        do throws(VASTError) {
            return .success((try VASTDocument(parsing: bytes), url))
        } catch {
            return .failure(error)
        }
    }

    /// The error for a URL that is not in the map, as the document has it.
    func missing(_ url: String) -> VASTError {
        let key = Redaction.address(url.excerpt(300))
        return VASTError(301, "\(key) is not in the map and was not requested; add it to the map as a key")
    }
}
