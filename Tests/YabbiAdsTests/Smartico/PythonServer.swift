import LibC
import TestSupport

/// A server of Smartico's protocol with Python's `websockets`, which shares no code with the sandbox or the library.
///
/// It drops the first connection, and ends with status 0 if every message was valid.
struct PythonServer {
    /// A Python that has the module, or nil.
    static let python: String? = ["python3", "/usr/bin/python3"].first {
        system("'\($0)' -c 'import websockets' >/dev/null 2>&1") == 0
    }

    let port: Int
    let process: ChildProcess

    init?() {
        guard let python = PythonServer.python else { return nil }
        var port: Int?
        let process = ChildProcess("exec '\(python)' -c '\(PythonServer.script)' 2>&1") {
            port = Int($0)
            return port != nil
        }
        guard let process, let port else { return nil }
        (self.process, self.port) = (process, port)
    }

    /// It contains no single quotes, because the shell command has it between single quotes.
    private static let script = #"""
        import asyncio, json, re, sys, time, urllib.parse, uuid, websockets
        state = {"ids": set(), "session": None, "connections": 0}
        outcome = None

        def check(condition, message):
            if not condition: raise AssertionError(message)

        def stamp(message, name=None):
            message.update(ts=int(time.time() * 1000), uuid=name or str(uuid.uuid4()))
            return message

        class Client:
            def __init__(self, ws): self.ws = ws

            async def send(self, message): await self.ws.send(json.dumps(message, ensure_ascii=False))

            async def receive(self, cid):
                text = await asyncio.wait_for(self.ws.recv(), 10)
                check(isinstance(text, str), "a message is binary")
                message = json.loads(text)
                check(message.get("cid") == cid, "expected %s, got %s" % (cid, text))
                check(type(message["ts"]) is int and abs(message["ts"] / 1000 - time.time()) < 60, "ts of " + text)
                check(str(uuid.UUID(message["uuid"])) == message["uuid"], "uuid of " + text)
                if cid != 2:
                    check(message["uuid"] not in state["ids"], "a uuid was used twice: " + text)
                    state["ids"].add(message["uuid"])
                return message

            async def initialize(self):
                message = await self.receive(3)
                check(message["label_key"] and message["brand_key"], "keys")
                check(message["device_id"] == "device-1" and message["page"], "device and page")
                check(re.fullmatch(r"\d+\.\d+\.\d+", message["tracker_version"]), "tracker_version")
                self.agent(message["ua"])
                await self.send(stamp({"cid": 4, "errCode": 0, "errMsg": None, "products": [100, 0], "payload": {},
                    "settings": {"FCM_SENDER_ID": "1", "DYNAMIC_IMAGE_DOMAIN": "https://img.example/"}}))
                return message["session_id"]

            def agent(self, ua, before=""):
                check(ua[before + "device_type"].startswith("NATIVE_"), "device_type")
                check(type(ua[before + "tzoffset"]) is int and ua[before + "os"], "tzoffset and os")

            async def identify(self):
                message = await self.receive(5)
                check(message["ext_user_id"] == "u-7", "the user")
                check(re.fullmatch(r"\d+\.\d+\.\d+", message["tracker_version"]), "tracker_version")
                self.agent(message["ua"])
                await self.send(stamp({"cid": 6, "errCode": 0, "errMsg": None, "public_username": "Färn", "avatar_id": "7",
                    "native_app_gf_url": "https://wrapper.example/gf?hash=a%3A1",
                    "native_app_popup_url": "https://wrapper.example/popup?hash=a%3A1",
                    "props": {"core_is_test_account": True}}))

            async def ping(self):
                name = str(uuid.uuid4())
                await self.send(stamp({"cid": 1}, name))
                check((await self.receive(2))["uuid"] == name, "the pong has another uuid")

            async def popup(self, name):
                await self.send(stamp({"engagement_uid": name, "activityType": 30, "engagement_id": 18446744073709551615,
                    "template_html": "<b>Ein Löffel \U0001f944</b>", "params": {}, "cid": 110}))

            async def reported(self, name):
                message = await self.receive(1101)
                check(message["engagement_uid"] == name and "bcid" not in message, "the message of the page")

        async def first(client):
            state["session"] = await client.initialize()
            await client.identify()
            client.agent((await client.receive(7))["payload"], "ua_")
            await client.ping()
            await client.popup("e-1")
            await client.reported("e-1")
            await client.send(stamp({"cid": 707, "saw_template_id": 5}))
            check((await client.receive(9))["payload"] == {"language": "BG"}, "the language")
            client.ws.transport.abort()

        async def second(client):
            check(await client.initialize() == state["session"], "another session id")
            await client.identify()
            await client.ping()
            await client.popup("e-1")
            await client.popup("e-2")
            await client.reported("e-2")
            message = await client.receive(1003)
            check(message["token"] == "token-1" and message["platform"] == 6, "the token")
            check(message["pushNotificationUserStatus"] == 0, "the status")
            await client.send(stamp({"cid": 2003, "errCode": 0, "errMsg": None}))
            await asyncio.wait_for(client.ws.wait_closed(), 10)
            check(client.ws.close_code == 1000, "the logout closed with %s" % client.ws.close_code)

        async def third(client):
            check(await client.initialize() != state["session"], "the same session id")
            try: check(False, "received without a user: " + await asyncio.wait_for(client.ws.recv(), 10))
            except websockets.ConnectionClosedOK: outcome.set_result(None)

        async def serve(ws):
            state["connections"] += 1
            path = ws.path if hasattr(ws, "path") else ws.request.path
            try:
                url = urllib.parse.urlsplit(path)
                query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
                check(url.path == "/websocket/services" and "master" in query, path)
                check(query["domain"] == ["com.example.live"] and query["version"] == ["1.2.29"], path)
                await [first, second, third][state["connections"] - 1](Client(ws))
            except Exception as error:
                if not outcome.done(): outcome.set_exception(error)

        async def main():
            global outcome
            outcome = asyncio.get_running_loop().create_future()
            async with websockets.serve(serve, "127.0.0.1", 0, ping_interval=None) as server:
                print(server.sockets[0].getsockname()[1], flush=True)
                await asyncio.wait_for(outcome, 30)
        asyncio.run(main())
        """#
}
