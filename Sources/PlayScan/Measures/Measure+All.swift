extension Measure {
    /// All measures, in the order of outputs.
    package static let all: [Measure] =
        outcome + weight + speed + movement + behavior + storage + clicks + trackers + video + bridges + markup

    private static let outcome = [
        Measure("failure", .list, "Not shown", "why the creative was not loaded or not shown; a tag without an ad too"),
        Measure("ended", .list, "Ended", "why the browser ended the creative: it crashed, hung or used too much"),
        Measure("blank", .flag, "Blank", "whether nothing of it was visible"),
        Measure("size", .word, "Size", "its size on the screen, as in 300x250"),
    ]

    private static let weight = [
        Measure("bytes.total", .bytes, "Whole load", "the bytes of its markup and of all its responses, as sent"),
        Measure("bytes.initial", .bytes, "Initial load", "those of responses requested before the document was loaded"),
        Measure("bytes.later", .bytes, "Later load", "those of responses requested after it"),
        Measure("bytes.document", .bytes, "Documents", "markup and frames"),
        Measure("bytes.script", .bytes, "Scripts", "scripts and data that scripts load"),
        Measure("bytes.style", .bytes, "Styles", "style sheets"),
        Measure("bytes.image", .bytes, "Images", "images"),
        Measure("bytes.media", .bytes, "Media", "video and audio"),
        Measure("bytes.font", .bytes, "Fonts", "fonts"),
        Measure("bytes.other", .bytes, "Other", "all other responses"),
        Measure("requests.total", .count, "Requests", "requests of the creative and for its media files"),
        Measure("requests.initial", .count, "Initial requests", "those before the document was loaded"),
        Measure("requests.failed", .list, "Failed requests", "requests without a response or with an error status"),
        Measure("requests.redirects", .count, "Redirects", "redirects of its requests"),
        Measure("requests.insecure", .list, "Insecure requests", "requests over http"),
        Measure("requests.mixed", .list, "Mixed content", "requests over http that a secure page can't send"),
        Measure("requests.certificates", .list, "Certificates", "requests that failed because of a certificate"),
        Measure("hosts", .list, "Hosts", "the hosts that it requested"),
    ]

    private static let speed = [
        Measure("time.load", .milliseconds, "Time to load", "from the start of the scan until its document was loaded"),
        Measure(
            "time.paint",
            .milliseconds,
            "Time to first paint",
            "from the start of its document to its first content"
        ),
        Measure("time.visible", .milliseconds, "Time to visible", "from the start of the scan until it was in view"),
        Measure(
            "cpu",
            .milliseconds,
            "Processor time",
            "the time of its scripts, styles and layout until it closed; with workers, of all its threads"
        ),
        Measure("memory", .bytes, "Memory", "the memory of its scripts when it closed"),
        Measure("nodes", .count, "Document nodes", "the elements of its documents when it closed"),
        Measure(
            "longtasks.count",
            .count,
            "Long tasks",
            "scripts that kept the page busy for more than 50 ms; before the first paint, some of under 150 ms are unseen"
        ),
        Measure("longtasks.longest", .milliseconds, "Longest task", "the longest of them"),
        Measure("longtasks.total", .milliseconds, "Sum of long tasks", "their sum"),
    ]

    private static let movement = [
        Measure(
            "animation.end",
            .seconds,
            "Animation length",
            "the declared end of its CSS, Web and SVG animations, and of animated images (GIF, PNG, WebP)"
        ),
        Measure("animation.endless", .flag, "Endless animation", "whether one is declared to run without an end"),
        Measure("animation.lastChange", .seconds, "Last change", "when a script last changed what is visible"),
        Measure("animation.unfinished", .flag, "Unfinished animation", "whether scripts still changed it at the end"),
        Measure("sound.atStart", .list, "Sound without a press", "elements that started with sound by themselves"),
        Measure("media.autoplay", .list, "Autoplay", "elements of the creative that played by themselves"),
    ]

    private static let behavior = [
        Measure("blocked.redirect", .list, "Redirect without a press", "navigations of the page without a press"),
        Measure("blocked.popup", .list, "Window without a press", "windows that it tried to open"),
        Measure("blocked.click", .list, "Click without a press", "clicks without a press"),
        Measure("blocked.download", .list, "Download", "downloads that it tried to start"),
        Measure("blocked.dialog", .list, "Dialog", "dialogs and prompts that it tried to open"),
        Measure(
            "blocked.other",
            .list,
            "Blocked",
            "other attempts that were blocked, as a request to the local network"
        ),
        Measure("expansion.unasked", .list, "Expansion without a press", "sizes that it took or asked for by itself"),
        Measure("scripts.errors", .list, "Script errors", "uncaught errors and console.error"),
        Measure("console.warnings", .count, "Console warnings", "console.warn"),
    ]

    private static let storage = [
        Measure("storage", .list, "Storage", "interfaces that keep data on the device: cookie, localStorage …"),
        Measure(
            "cookies",
            .list,
            "Cookies",
            "the cookies that it or servers have stored in the browser: name and domain; not known of plain videos"
        ),
        Measure("fingerprinting", .list, "Fingerprinting", "interfaces whose results tell devices apart"),
        Measure("permissions", .list, "Permissions", "interfaces that ask for a sensor or a permission"),
        Measure("workers", .list, "Workers", "threads of its own that it starts; what they call is not seen"),
    ]

    private static let clicks = [
        Measure(
            "tap",
            .word,
            "Tap",
            "what the tap led to: click, link, creative (it handled the tap) or nothing",
            explainedBy: "tap.reason"
        ),
        Measure("tap.reason", .word, "Reason of the tap", "why it led to nothing, or what the creative did"),
        Measure("click.status", .count, "Status of the landing page", "the status behind the click-through URL"),
        Measure("click.redirects", .count, "Redirects of the click", "the redirects to the landing page"),
        Measure("click.host", .word, "Landing page", "the host of the landing page"),
        Measure("click.failed", .list, "Landing page not reached", "why it was not reached"),
        Measure("click.insecure", .list, "Insecure click-through", "URLs over http on the way to the landing page"),
    ]

    private static let trackers = [
        Measure("trackers.fired", .count, "Trackers", "trackers of the ad that were called"),
        Measure("trackers.failed", .list, "Failed trackers", "trackers whose server can't be reached or refuses them"),
        Measure("trackers.missing", .list, "Missing trackers", "trackers that should have fired and did not"),
        Measure("trackers.insecure", .list, "Insecure trackers", "trackers over http"),
    ]

    private static let video = [
        Measure("video.wrappers", .count, "Wrappers", "the documents before the one with the ad"),
        Measure("video.duration", .seconds, "Duration", "its stated duration"),
        Measure("video.played", .percent, "Played", "the furthest quartile that was reached"),
        Measure("video.stalls", .milliseconds, "Stalls", "how long it waited for data"),
        Measure("video.issues", .list, "Video", "what is wrong with its files, durations and captions"),
    ]

    private static let bridges = [
        Measure("omid.measured", .count, "Measured by", "vendors whose script was told of session and impression"),
        Measure("omid.missed", .list, "Not measured", "vendors whose script was not"),
        Measure("mraid.calls", .count, "MRAID calls", "calls of MRAID"),
        Measure("mraid.refused", .list, "Refused MRAID calls", "calls that were refused or are wrong"),
        Measure("simid.messages", .count, "SIMID messages", "messages of an interactive creative"),
        Measure("vpaid.messages", .count, "VPAID messages", "messages of a VPAID program"),
        Measure("interactive.errors", .list, "Interactive errors", "errors of SIMID and VPAID creatives"),
    ]

    private static let markup = [
        Measure("lint.errors", .count, "Lint errors", "errors in its markup; policies name their rules"),
        Measure("lint.warnings", .count, "Lint warnings", "warnings about its markup"),
    ]
}
