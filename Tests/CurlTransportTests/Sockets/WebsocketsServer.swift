import LibC
import TestSupport
import TransportSupport

/// A server of Python's `websockets`, an independent implementation of the protocol.
struct WebsocketsServer {
    /// A Python that has the module; nil if there is none.
    static let python: String? = ["python3", "/usr/bin/python3"].first {
        system("'\($0)' -c 'import websockets' >/dev/null 2>&1") == 0
    }

    let port: Int
    private let process: ChildProcess

    /// Starts the server, over TLS if there are certificates.
    init?(_ certificates: Certificates? = nil) {
        guard let python = WebsocketsServer.python else { return nil }
        var port: Int?
        let process = ChildProcess(
            "exec '\(python)' -c '\(WebsocketsServer.script)' \(certificates?.folder ?? "") 2>&1"
        ) {
            port = Int($0)
            return port != nil
        }
        guard let process, let port else { return nil }
        self.process = process
        self.port = port
    }

    func stop() { self.process.stop() }

    /// The script of the server, which chooses its behavior by the path.
    private static let script = """
        import asyncio, ssl, sys, websockets
        last = asyncio.Queue()
        async def pieces(ws):
            for piece in ["one", "", "two", "\\u00e9\\u20ac"]:
                await ws.ping()
                yield piece
        async def serve(ws):
            path = ws.path if hasattr(ws, "path") else ws.request.path
            if path == "/echo":
                try:
                    async for message in ws: await ws.send(message)
                finally: last.put_nowait(ws.close_code)
            elif path == "/pieces":
                waiter = await ws.ping("before")
                await ws.send(pieces(ws))
                await waiter
                await ws.send("pong came")
                await ws.wait_closed()
            elif path == "/close": await ws.close(4001, "so l\\u00f6ng")
            elif path == "/die":
                await ws.recv()
                ws.transport.abort()
            elif path == "/last": await ws.send(str(await last.get()))
            elif path == "/send":
                await ws.send("x" * int(await ws.recv()))
                await ws.wait_closed()
                last.put_nowait(ws.close_code)
        async def main():
            context = None
            if len(sys.argv) > 1:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(sys.argv[1] + "/cert.pem", sys.argv[1] + "/key.pem")
            async with websockets.serve(serve, "127.0.0.1", 0, ssl=context, max_size=None, ping_interval=None,
                    backlog=2000) as server:
                print(server.sockets[0].getsockname()[1], flush=True)
                await asyncio.Future()
        asyncio.run(main())
        """
}
