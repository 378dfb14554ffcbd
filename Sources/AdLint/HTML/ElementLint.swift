import AdCore
import AdHTML
import AdMarkup

/// Checks one element of a banner.
enum ElementLint {
    static func check(_ tag: HTMLTag, in document: HTMLDocument, hasScript: Bool, _ log: inout LintLog) {
        switch tag.name {
        case "a", "area": self.link(tag, hasScript: hasScript, &log)
        case "img": self.image(tag, &log)
        case "video": self.video(tag, &log)
        case "audio":
            if tag["autoplay"] != nil, tag["muted"] == nil {
                log.add(.htmlAudioAutoplay, tag.place)
            }
        case "object", "embed", "applet": self.plugin(tag, &log)
        case "input": self.field(tag, &log)
        default: break
        }
        if ["a", "area", "form", "base"].contains(tag.name), let target = tag["target"]?.trimmed.asciiLowercased,
            target == "_top" || target == "_parent"
        {
            log.add(.htmlTargetTop, tag.place(of: "target"), "<\(tag.name)> has target=\"\(target)\"")
        }
        if tag.name == "a" || tag.name == "area", tag["target"]?.trimmed.asciiLowercased == "_self",
            let address = tag["href"], URLCheck.scheme(of: address.trimmed)?.hasPrefix("http") ?? false
        {
            log.add(.htmlTargetSelf, tag.place(of: "target"), "href is \(address.quotedURL)")
        }
        self.relative(tag, in: document, &log)
        for attribute in tag.attributes where attribute.value.utf8.count > 100 * 1024 {
            let (name, value) = (attribute.name, attribute.value)
            guard value.utf8.startsIgnoringCase("data:") else { continue }
            log.add(
                .htmlDataHeavy,
                tag.place,
                "\(name.excerpt()) of <\(tag.name.excerpt())> has \(value.utf8.count / 1024) KiB of data"
            )
        }
    }

    private static func link(_ tag: HTMLTag, hasScript: Bool, _ log: inout LintLog) {
        guard let address = tag["href"]?.trimmed else { return }
        let isHandled = tag.attributes.contains { $0.name.hasPrefix("on") }
        let small = address.prefix(40).asciiLowercased
        if let code = JavaScriptURL.code(of: address) {
            let rest = code.prefix(40).asciiLowercased.filter { $0 != " " }
            let doesNothing =
                rest.isEmpty || rest == ";" || (rest.hasPrefix("void") && !self.opensWindow(code))
                || rest.hasPrefix("//")
            if doesNothing {
                if !isHandled, !hasScript { log.add(.htmlLinkDead, tag.place, "href is \(address.quoted)") }
            } else if !self.opensWindow(code) {
                log.add(.htmlLinkJavascript, tag.place, "href is \(address.quoted)")
            }
        } else if address.isEmpty || address == "#" {
            // A script may handle the tap.
            if !isHandled, !hasScript { log.add(.htmlLinkDead, tag.place, "href is \(address.quoted)") }
        } else if small.hasPrefix("mraid:") {
            log.add(.mraidScheme, tag.place, "href is \(address.quotedURL)")
        } else if let scheme = URLCheck.localScheme(of: address) {
            log.add(
                .urlSchemeWrong,
                tag.place(of: "href"),
                "href is \(address.quotedURL); \(scheme): is no landing page"
            )
        } else if small.hasPrefix("http://"), !URLCheck.isOfPrivateServer(address, log) {
            log.add(.htmlLinkInsecure, tag.place, "href is \(address.quotedURL)")
        }
    }

    /// Whether a script in a link opens a window, as Google Ad Manager's clickTag template does:
    /// `javascript:window.open(window.clickTag)`.
    private static func opensWindow(_ code: String) -> Bool {
        let code = code.prefix(1000).filter { $0 != " " }
        return ["window.open(", "mraid.open(", "void(window.open(", "voidwindow.open("].contains(where: code.hasPrefix)
    }

    private static func image(_ tag: HTMLTag, _ log: inout LintLog) {
        guard tag["alt"] == nil, tag["aria-hidden"] == nil, tag["role"] == nil else { return }
        let isTiny = (tag.pixels("width") ?? 100) <= 1 || (tag.pixels("height") ?? 100) <= 1
        let style = (tag["style"] ?? "").asciiLowercased.filter { $0 != " " }
        let isHidden =
            tag["hidden"] != nil
            || ["display:none", "visibility:hidden", "width:1px", "width:0", "height:1px", "height:0"].contains {
                style.contains($0)
            }
        if !isTiny, !isHidden {
            log.add(.htmlImageAltMissing, tag.place, "\((tag["src"] ?? "").quotedURL) has no alt text")
        }
    }

    private static func video(_ tag: HTMLTag, _ log: inout LintLog) {
        if tag["autoplay"] != nil, tag["muted"] == nil {
            log.add(.htmlAutoplaySound, tag.place, "<video> has autoplay, and is not muted")
        }
        if tag["playsinline"] == nil, tag["webkit-playsinline"] == nil {
            log.add(.htmlPlaysinlineMissing, tag.place)
        }
    }

    private static func plugin(_ tag: HTMLTag, _ log: inout LintLog) {
        let type = MediaType.plain(tag["type"] ?? tag["codetype"] ?? "")
        let address = tag["data"] ?? tag["src"] ?? tag["code"] ?? ""
        let path = address.prefix { $0 != "?" && $0 != "#" }.asciiLowercased
        let needsPlugin =
            tag.name == "applet" || type.contains("flash") || type.contains("java-") || type.contains("silverlight")
            || [".swf", ".jar", ".class", ".xap"].contains(where: path.hasSuffix)
        if needsPlugin { log.add(.htmlPlugin, tag.place, "<\(tag.name)> needs a plug-in: \(address.quotedURL)") }
    }

    private static func field(_ tag: HTMLTag, _ log: inout LintLog) {
        let type = (tag["type"] ?? "").trimmed.asciiLowercased
        let purpose = (tag["autocomplete"] ?? "").trimmed.asciiLowercased
        if type == "password" || purpose.hasPrefix("cc-") || purpose.hasSuffix("-password") {
            log.add(
                .htmlInputPrivate,
                tag.place,
                "<input> asks for \(type == "password" ? "a password" : purpose.excerpt())"
            )
        }
    }

    /// The attributes that hold a URL, by element.
    private static let urlAttributes: [String: [String]] = [
        "img": ["src"], "script": ["src"], "iframe": ["src"], "video": ["src", "poster"], "audio": ["src"],
        "source": ["src"],
        "embed": ["src"], "object": ["data"], "link": ["href"], "a": ["href"], "area": ["href"], "form": ["action"],
    ]

    private static func relative(_ tag: HTMLTag, in document: HTMLDocument, _ log: inout LintLog) {
        guard document.base == nil, let names = self.urlAttributes[tag.name] else { return }
        for name in names {
            guard let address = tag[name]?.trimmed, !address.isEmpty, !address.hasPrefix("//"), !address.hasPrefix("#"),
                !address.hasPrefix("?"),
                URLCheck.scheme(of: address) == nil,
                !address.prefix(while: { $0 != "?" }).asciiLowercased.hasSuffix("mraid.js"),
                AdMacroSpelling.all(in: address, limit: 1).first?.range.lowerBound != 0
            else { continue }
            log.add(.htmlAddressRelative, tag.place(of: name), "\(name) of <\(tag.name)> is \(address.quotedURL)")
        }
    }
}
