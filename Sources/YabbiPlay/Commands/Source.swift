import AdCore
import SandboxSSP

/// Where an ad comes from when it does not come from a server that is asked.
enum Source {
    /// Markup that the built-in server serves as a creative of its own.
    case creative(CreativeEntry)
    /// An answer of YABBI's server, to the letter.
    case answer([UInt8], format: AdFormat?)

    /// Reads a file or fetches a tag.
    static func read(_ text: String, format: AdFormat?, by transport: any Transport) async throws(UsageError) -> Source
    {
        guard let url = HTTPURL(text) else {
            return self.sorted(try FileReading.bytes(text), name: text, format: format)
        }
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(HTTPRequest(.get, url))
        } catch {
            throw UsageError("\(text) can't be fetched: \(error.message)")
        }
        guard (200...299).contains(response.status) else {
            throw UsageError("\(text) answered with status \(response.status)")
        }
        return self.sorted(response.body, name: url.host, format: format)
    }

    private static func sorted(_ bytes: [UInt8], name: String, format: AdFormat?) -> Source {
        let first = bytes.first { !$0.isWhiteSpace && $0 < 0x80 }
        if first == UInt8(ascii: "{") { return .answer(bytes, format: format) }
        let markup = String(decoding: bytes, as: UTF8.self)
        if markup.contains("<VAST") || markup.contains("<vast:VAST") {
            let type = format == .rewarded ? 3 : 2
            let answer = JSON.object([.init("type", .int(type)), .init("adm", .string(markup))])
            return .answer(answer.bytes(), format: format ?? .interstitial)
        }
        let short = name.split(separator: "/").last.map(String.init) ?? name
        let made: CreativeEntry.Format = format == .interstitial ? .interstitial : .banner
        return .creative(CreativeEntry(name: short, format: made, markup: markup))
    }
}
