import AdCore
import EngineSupport
import WebStage

/// Finds out whether the element at a position, or an ancestor, has touch listeners.
///
/// The search uses the browser's DOM domain, which includes shadow trees and nested frames in the same process. A
/// script has no access to them: sandboxed frames (`srcdoc`) have opaque origins.
struct TouchListenerSearch {
    /// The group of remote objects, released after the search.
    private static let group: AdJSON = "yabbi-touch"

    private let browser: Browser
    private let session: DevToolsSession
    private let deadline: ContinuousClock.Instant

    init(_ browser: Browser, _ session: DevToolsSession, until deadline: ContinuousClock.Instant) {
        self.browser = browser
        self.session = session
        self.deadline = deadline
    }

    /// Searches at a position of the session's viewport; false if it takes too long.
    func find(x: Double, y: Double) async -> Bool {
        // The result only decides between a touch and a mouse click.
        let isFound = try? await self.search(x: x, y: y)
        let release: AdJSON = ["objectGroup": TouchListenerSearch.group]
        self.browser.post(DevToolsCommand("Runtime.releaseObjectGroup", release, in: self.session))
        return isFound ?? false
    }

    private func call(_ method: String, _ params: AdJSON) async throws(EngineError) -> AdJSON {
        let left = self.deadline - .now
        guard left > .zero else { throw .late(method) }
        return try await self.browser.call(DevToolsCommand(method, params, in: self.session), within: left)
    }

    /// Checks the element at a position and all its ancestors, up to the window of its document.
    private func search(x: Double, y: Double) async throws(EngineError) -> Bool {
        let group = TouchListenerSearch.group
        let scroll: AdJSON = ["expression": "[scrollX, scrollY]", "returnByValue": true]
        let offset = try await self.call("Runtime.evaluate", scroll)["result"]?["value"]?.array?.compactMap(\.number)
        func integer(_ value: Double, _ index: Int) -> AdJSON {
            let sum = value + (offset?.count == 2 ? offset?[index] ?? 0 : 0)
            return .int(Int(min(max(0, sum), 1e6)))
        }
        let node = try await self.call(
            "DOM.getNodeForLocation",
            ["x": integer(x, 0), "y": integer(y, 1), "includeUserAgentShadowDOM": true]
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
