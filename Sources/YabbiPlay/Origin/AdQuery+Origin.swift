import AdCore
import PlayConsole
import SandboxSSP

extension AdQuery {
    /// Resolves where the ads come from: reads the document, or starts the built-in server.
    func origin(
        seed: UInt64?,
        within timeout: Duration,
        filling macros: [MacroValue] = [],
        by transport: any Transport
    ) async throws(PlayError) -> any AdOrigin {
        switch self {
        case .placement(let query):
            switch query.place {
            case .server(let url, _): return RemoteServer(url: url)
            case .builtInServer(_, let creatives): return try BuiltInServer(creatives: creatives, seed: seed)
            case .source(let source):
                return try await source.origin(
                    query.format,
                    seed: seed,
                    within: timeout,
                    filling: macros,
                    by: transport
                )
            }
        case .cards(_, .at(let url), _): return RemoteServer(url: url)
        case .cards(_, .builtIn(let creatives), _): return try BuiltInServer(creatives: creatives, seed: seed)
        case .engagement(let options): return try options.origin(seed: seed)
        }
    }
}

extension EngagementOptions {
    /// The server that pushes.
    func origin(seed: UInt64?) throws(PlayError) -> any AdOrigin {
        switch self.server {
        case .at(let url): RemoteSocket(socket: url)
        case .builtIn(let creatives): try BuiltInServer(creatives: creatives, seed: seed)
        }
    }
}

extension SourceQuery {
    fileprivate func origin(
        _ format: AdFormat?,
        seed: UInt64?,
        within timeout: Duration,
        filling macros: [MacroValue] = [],
        by transport: any Transport
    ) async throws(PlayError) -> any AdOrigin {
        let document: SourceDocument
        do throws(PlayError) {
            document = try await self.read(format, within: timeout, filling: macros, by: transport).named(self.unit)
        } catch {
            throw self.suggestingUnit(error)
        }
        guard let origin = self.isDirect ? DocumentOrigin(direct: document) : DocumentOrigin(document) else {
            return try BuiltInServer(creatives: self.creatives, adding: document, seed: seed)
        }
        if let given = self.requestOptions.first {
            throw PlayError(.usage, "\(given) is for ad requests, but \(document.name) needs none; remove \(given)")
        }
        return origin
    }

    private func read(
        _ format: AdFormat?,
        within timeout: Duration,
        filling macros: [MacroValue],
        by transport: any Transport
    ) async throws(PlayError) -> SourceDocument {
        if let document { return document }
        if let bytes { return try SourceDocument(bytes, filling: macros, named: self.text, format: format) }
        return try await .read(self.text, format: format, within: timeout, filling: macros, by: transport)
    }

    /// The error for a file that does not exist.
    ///
    /// Suggests `--unit` if a creative has that name.
    private func suggestingUnit(_ error: PlayError) -> PlayError {
        guard !self.text.contains("/"), let bundled = try? BuiltInServer.catalogue(self.creatives),
            bundled.creatives.contains(where: { $0.name == self.text })
        else { return error }
        return PlayError(error.code, "\(error.message); did you mean --unit \(self.text)?")
    }
}
