import AdCore
import PlayConsole

/// Another HTTP server, which the command line names.
struct RemoteServer: AdOrigin {
    let url: HTTPURL

    var servers: [HTTPURL] { [self.url] }

    func endpoint(_ path: String) throws(PlayError) -> HTTPURL { self.url }
}
