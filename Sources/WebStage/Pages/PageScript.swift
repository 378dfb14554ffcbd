import AdCore

/// Scripts of a provider's page.
package enum PageScript {
    /// The script that adds the objects with `postMessage` to the page's world before the page's own first script.
    ///
    /// It takes the function that sends a text to the app from `globalThis.__yabbi_bridge`, and removes it there.
    package static func bridge(_ names: [String]) -> String {
        Scripts.bridge.replacing("BRIDGES", with: AdJSON.array(names.map(AdJSON.string)).text())
    }
}
