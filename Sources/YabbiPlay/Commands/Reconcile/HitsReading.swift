import AdCore
import CurlTransport
import PlayConsole
import PlayReconcile

/// Reads the hits that the command line names.
enum HitsReading {
    /// The maximum size, which is about what a sandbox keeps.
    static let byteLimit = 256 << 20

    /// The hits in a file, at a URL, or on the standard input for `-`.
    ///
    /// A URL without a path is that of a sandbox.
    static func hits(_ text: String, within timeout: Duration) async throws(PlayError) -> HitList {
        let name: String
        let bytes: [UInt8]
        if let found = try SourceReader.url(text) {
            let url = self.completed(found)
            name = Redaction.address(url.text)
            bytes = try await self.fetch(url, called: name, within: timeout, by: try CurlTransport.forCommand())
        } else {
            name = text
            do throws(UsageError) {
                let file = text == "-" ? "/dev/stdin" : text
                bytes = try FileReading.bytes(
                    file,
                    upTo: self.byteLimit,
                    hint: "filter the list with ?path="
                )
            } catch {
                throw PlayError(.usage, error.message)
            }
        }
        do throws(HitListError) {
            return try HitListReader.read(bytes)
        } catch {
            let fix = "use the response of GET /sandbox/hits"
            throw PlayError(.usage, "\(name) is not a list of hits: \(error.message); \(fix)")
        }
    }

    /// The URL of a sandbox's hits.
    static func completed(_ url: HTTPURL) -> HTTPURL {
        guard url.target == "/", let completed = HTTPURL(url.text + "sandbox/hits") else { return url }
        return completed
    }

    private static func fetch(
        _ url: HTTPURL,
        called name: String,
        within timeout: Duration,
        by transport: any Transport
    ) async throws(PlayError) -> [UInt8] {
        let limits = AdHTTPRequest.Limits(total: timeout, body: self.byteLimit)
        let response: AdHTTPResponse
        do throws(TransportError) {
            response = try await transport.send(AdHTTPRequest(.get, url, limits: limits))
        } catch {
            throw PlayError(.usage, "\(name) can't be fetched: \(error.message); check that a sandbox runs there")
        }
        guard response.status == 200 else {
            throw PlayError(.usage, "\(name) responded with status \(response.status); check that a sandbox runs there")
        }
        return response.body
    }
}
