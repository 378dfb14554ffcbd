import AdCore
import WebStage

/// Finds out whether the element at a place, or anything around it, listens to touches.
///
/// The browser finds the element also in a shadow tree, and in a frame that shares the creative's process: an ad's frames in
/// the ad (`srcdoc`) are of other origins, because all of them are sandboxed, and no script of it could look into them.
struct TouchListenerSearch {
    /// The browser keeps the objects that were found until the search is over.
    private static let group: AdJSON = "yabbi-touch"

    private let browser: Browser
    private let session: DevToolsSession
    private let deadline: ContinuousClock.Instant

    init(_ browser: Browser, _ session: DevToolsSession, until deadline: ContinuousClock.Instant) {
        self.browser = browser
        self.session = session
        self.deadline = deadline
    }

    /// Looks at a place of the session's viewport; false where that takes too long.
    func find(x: Double, y: Double) async -> Bool {
        // The replies only decide how the place is pressed.
        let isFound = try? await self.search(x: x, y: y)
        let release: AdJSON = ["objectGroup": TouchListenerSearch.group]
        self.browser.post(DevToolsCommand("Runtime.releaseObjectGroup", release, in: self.session))
        return isFound ?? false
    }

    private func call(_ method: String, _ params: AdJSON) async throws(EngineFault) -> AdJSON {
        let left = self.deadline - .now
        guard left > .zero else { throw .late(method) }
        return try await self.browser.call(DevToolsCommand(method, params, in: self.session), within: left)
    }

    /// Looks at the element at a place and at everything around it, up to the window of its document.
    private func search(x: Double, y: Double) async throws(EngineFault) -> Bool {
        let group = TouchListenerSearch.group
        let scroll: AdJSON = ["expression": "[scrollX, scrollY]", "returnByValue": true]
        let offset = try await self.call("Runtime.evaluate", scroll)["result"]?["value"]?.array?.compactMap(\.number)
        func whole(_ value: Double, _ index: Int) -> AdJSON {
            let sum = value + (offset?.count == 2 ? offset?[index] ?? 0 : 0)
            return .int(Int(min(max(0, sum), 1e6)))
        }
        let node = try await self.call(
            "DOM.getNodeForLocation",
            ["x": whole(x, 0), "y": whole(y, 1), "includeUserAgentShadowDOM": true]
        )
        let resolved = try await self.call(
            "DOM.resolveNode",
            ["backendNodeId": node["backendNodeId"] ?? .null, "objectGroup": group]
        )
        let path = """
            function () {
              const path = [];
              for (let node = this; node && path.length < 100; node = node.parentNode ?? node.host) path.push(node);
              return [...path, this.ownerDocument.defaultView];
            }
            """
        let around = try await self.call(
            "Runtime.callFunctionOn",
            [
                "objectId": resolved["object"]?["objectId"] ?? .null, "functionDeclaration": .string(path),
                "objectGroup": group,
            ]
        )
        let nodes = try await self.call(
            "Runtime.getProperties",
            ["objectId": around["result"]?["objectId"] ?? .null, "ownProperties": true]
        )
        for property in (nodes["result"]?.array ?? []).prefix(101) {
            guard let number = property["value"]?["objectId"] else { continue }
            let found = try await self.call("DOMDebugger.getEventListeners", ["objectId": number])
            let types = found["listeners"]?.array?.compactMap { $0["type"]?.string } ?? []
            if types.contains("touchstart") || types.contains("touchend") { return true }
        }
        return false
    }
}
