import ChromiumStage
package import Testing

extension Trait where Self == ConditionTrait {
    /// Skipped where there is no browser, and says so.
    package static var needsBrowser: Self {
        .enabled(
            if: ChromiumBinary.isInstalled,
            "no browser is installed; Scripts/setup.sh installs one where apt has it"
        )
    }

    /// Skipped where no window can be opened, and says so.
    package static var needsWindows: Self {
        .enabled(if: Desktop.isPossible, "this needs chromium, the one with windows, and Xvfb to open them on")
    }
}
