import AdCore
import CurlTransport
import PlayConsole
import PlayReport

/// Reads the hits that the command line names.
enum HitsReading {
    /// The largest list that is read: about what a sandbox keeps at most.
    static let largest = 256 << 20

    /// The hits in a file, at an address, or on the standard input for `-`; an address without a path is a sandbox's.
    static func hits(_ text: String, within timeout: Duration) async throws(PlayError) -> ArrivalList {
        let name: String
        let bytes: [UInt8]
        if let address = try SourceReader.address(text) {
            let url = self.completed(address)
            name = Redaction.address(url.text)
            bytes = try await self.fetch(url, called: name, within: timeout, by: try CurlTransport.forCommand())
        } else {
            name = text
            do throws(UsageError) {
                let file = text == "-" ? "/dev/stdin" : text
                bytes = try FileReading.bytes(
                    file,
                    upTo: self.largest,
                    "no list of hits may be; ask for fewer by ?path="
                )
            } catch {
                throw PlayError(.usage, error.message)
            }
        }
        do throws(HitListFault) {
            return try HitListReader.read(bytes)
        } catch {
            let cure = "give what GET /sandbox/hits of a sandbox answers"
            throw PlayError(.usage, "\(name) is no list of hits: \(error.message); \(cure)")
        }
    }

    /// Where a sandbox tells of its hits.
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
        let limits = AdHTTPRequest.Limits(total: timeout, body: self.largest)
        let response: AdHTTPResponse
        do throws(TransportError) {
            response = try await transport.send(AdHTTPRequest(.get, url, limits: limits))
        } catch {
            throw PlayError(.usage, "\(name) can't be fetched: \(error.message); is a sandbox running there?")
        }
        guard response.status == 200 else {
            throw PlayError(.usage, "\(name) answered with status \(response.status); is a sandbox running there?")
        }
        return response.body
    }
}
