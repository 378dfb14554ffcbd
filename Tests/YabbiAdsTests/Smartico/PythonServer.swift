import LibC
import TestSupport

/// Smartico's server as its document has it, by Python's `websockets`: it shares nothing with the sandbox or the library.
///
/// It drops the first connection, and ends with status 0 where everything that it heard was right.
struct PythonServer {
    /// A Python that has the module; nil where there is none.
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

    /// Its quotes are double ones: the script stands between single ones.
    private static let script = #"""
        import asyncio, json, re, sys, time, urllib.parse, uuid, websockets
        known = {"ids": set(), "session": None, "connections": 0}
        outcome = None

        def check(good, what):
            if not good: raise AssertionError(what)

        def stamp(message, name=None):
            message.update(ts=int(time.time() * 1000), uuid=name or str(uuid.uuid4()))
            return message

        class Talk:
            def __init__(self, ws): self.ws = ws

            async def say(self, message): await self.ws.send(json.dumps(message, ensure_ascii=False))

            async def hear(self, cid):
                text = await asyncio.wait_for(self.ws.recv(), 10)
                check(isinstance(text, str), "a message is bytes")
                message = json.loads(text)
                check(message.get("cid") == cid, "expected %s, got %s" % (cid, text))
                check(type(message["ts"]) is int and abs(message["ts"] / 1000 - time.time()) < 60, "ts of " + text)
                check(str(uuid.UUID(message["uuid"])) == message["uuid"], "uuid of " + text)
                if cid != 2:
                    check(message["uuid"] not in known["ids"], "a uuid came twice: " + text)
                    known["ids"].add(message["uuid"])
                return message

            async def initialize(self):
                message = await self.hear(3)
                check(message["label_key"] and message["brand_key"], "keys")
                check(message["device_id"] == "device-1" and message["page"], "device and page")
                check(re.fullmatch(r"\d+\.\d+\.\d+", message["tracker_version"]), "tracker_version")
                self.agent(message["ua"])
                await self.say(stamp({"cid": 4, "errCode": 0, "errMsg": None, "products": [100, 0], "payload": {},
                    "settings": {"FCM_SENDER_ID": "1", "DYNAMIC_IMAGE_DOMAIN": "https://img.example/"}}))
                return message["session_id"]

            def agent(self, ua, before=""):
                check(ua[before + "device_type"].startswith("NATIVE_"), "device_type")
                check(type(ua[before + "tzoffset"]) is int and ua[before + "os"], "tzoffset and os")

            async def identify(self):
                message = await self.hear(5)
                check(message["ext_user_id"] == "u-7", "the user")
                check(re.fullmatch(r"\d+\.\d+\.\d+", message["tracker_version"]), "tracker_version")
                self.agent(message["ua"])
                await self.say(stamp({"cid": 6, "errCode": 0, "errMsg": None, "public_username": "Färn", "avatar_id": "7",
                    "native_app_gf_url": "https://wrapper.example/gf?hash=a%3A1",
                    "native_app_popup_url": "https://wrapper.example/popup?hash=a%3A1",
                    "props": {"core_is_test_account": True}}))

            async def ping(self):
                name = str(uuid.uuid4())
                await self.say(stamp({"cid": 1}, name))
                check((await self.hear(2))["uuid"] == name, "the pong has another uuid")

            async def popup(self, name):
                await self.say(stamp({"engagement_uid": name, "activityType": 30, "engagement_id": 18446744073709551615,
                    "template_html": "<b>Ein Löffel \U0001f944</b>", "params": {}, "cid": 110}))

            async def told(self, name):
                message = await self.hear(1101)
                check(message["engagement_uid"] == name and "bcid" not in message, "what the page told")

        async def first(talk):
            known["session"] = await talk.initialize()
            await talk.identify()
            talk.agent((await talk.hear(7))["payload"], "ua_")
            await talk.ping()
            await talk.popup("e-1")
            await talk.told("e-1")
            await talk.say(stamp({"cid": 707, "saw_template_id": 5}))
            check((await talk.hear(9))["payload"] == {"language": "BG"}, "the language")
            talk.ws.transport.abort()

        async def second(talk):
            check(await talk.initialize() == known["session"], "the session is the same one")
            await talk.identify()
            await talk.ping()
            await talk.popup("e-1")
            await talk.popup("e-2")
            await talk.told("e-2")
            message = await talk.hear(1003)
            check(message["token"] == "token-1" and message["platform"] == 6, "the token")
            check(message["pushNotificationUserStatus"] == 0, "the status")
            await talk.say(stamp({"cid": 2003, "errCode": 0, "errMsg": None}))
            await asyncio.wait_for(talk.ws.wait_closed(), 10)
            check(talk.ws.close_code == 1000, "a logout closes with %s" % talk.ws.close_code)

        async def third(talk):
            check(await talk.initialize() != known["session"], "the session is another one")
            try: check(False, "without a user came " + await asyncio.wait_for(talk.ws.recv(), 10))
            except websockets.ConnectionClosedOK: outcome.set_result(None)

        async def serve(ws):
            known["connections"] += 1
            path = ws.path if hasattr(ws, "path") else ws.request.path
            try:
                url = urllib.parse.urlsplit(path)
                query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
                check(url.path == "/websocket/services" and "master" in query, path)
                check(query["domain"] == ["com.example.live"] and query["version"] == ["1.2.29"], path)
                await [first, second, third][known["connections"] - 1](Talk(ws))
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
