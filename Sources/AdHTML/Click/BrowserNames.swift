import AdMarkup

/// The names of the members that objects have in a browser.
///
/// A member that a browser does not have is `undefined`, which creatives test for. A member that a browser has and the
/// interpreter does not support is unknown, so results that depend on it are uncertain.
enum BrowserNames {
    /// The members of any object (ECMA-262 §20.1.3).
    static let object = names(
        """
        constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
        """
    )

    /// The members of strings (ECMA-262 §22.1.3, annex B.2.2).
    static let string = object.union(
        names(
            """
            anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fixed fontcolor fontsize includes
            indexOf isWellFormed italics lastIndexOf link localeCompare match matchAll normalize padEnd padStart repeat
            replace replaceAll search slice small split startsWith strike sub substr substring sup toLocaleLowerCase
            toLocaleUpperCase toLowerCase toUpperCase toWellFormed trim trimEnd trimLeft trimRight trimStart
            """
        )
    )

    /// The members of arrays (ECMA-262 §23.1.3) and of collections of elements, which have `item` and `namedItem`, too.
    static let array = object.union(
        names(
            """
            at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach
            includes indexOf item join keys lastIndexOf map namedItem pop push reduce reduceRight reverse shift slice
            some sort splice toReversed toSorted toSpliced unshift values with
            """
        )
    )

    /// The members of `classList` (DOM §7.1).
    static let classList = object.union(
        names("add contains entries forEach item keys remove replace supports toggle values")
    )

    /// The methods of `style` (CSSOM §6.6.1).
    static let style = object.union(
        names("getPropertyPriority getPropertyValue item removeProperty setProperty")
    )

    /// The methods of elements that the interpreter supports (DOM §4; HTML Living Standard, "Elements").
    static let supportedMethods = names(
        """
        addEventListener after append appendChild attachEvent before blur click closest contains detachEvent
        dispatchEvent focus getAttribute getElementsByClassName getElementsByTagName hasAttribute hasAttributes
        hasChildNodes insertAdjacentElement insertAdjacentHTML insertAdjacentText insertBefore load matches pause play
        prepend querySelector querySelectorAll remove removeAttribute removeChild removeEventListener replaceChild
        replaceChildren replaceWith requestSubmit setAttribute setAttributeNS submit toggleAttribute
        webkitMatchesSelector
        """
    )

    /// The methods of elements that do not change the page; their results are unknown.
    static let readOnlyMethods = object.union(
        names(
            """
            animate attributeStyleMap canPlayType captureStream checkValidity checkVisibility cloneNode
            compareDocumentPosition computedStyleMap exitFullscreen fastSeek getAnimations getAttributeNS
            getAttributeNames getAttributeNode getAttributeNodeNS getBBox getBoundingClientRect getCTM getClientRects
            getComputedTextLength getContext getElementById getElementsByTagNameNS getHTML getPointAtLength getRootNode
            getSVGDocument getScreenCTM getTotalLength hasAttributeNS hasPointerCapture isDefaultNamespace isEqualNode
            isSameNode lookupNamespaceURI lookupPrefix msMatchesSelector namedItem normalize releasePointerCapture
            reportValidity requestFullscreen requestPictureInPicture requestPointerLock scroll scrollBy scrollIntoView
            scrollIntoViewIfNeeded scrollTo select setCurrentTime setPointerCapture setRangeText setSelectionRange
            toBlob toDataURL transferControlToOffscreen webkitRequestFullscreen
            """
        )
    )

    /// The other properties of elements; their values are unknown.
    static let properties = names(
        """
        accessKey allow alt anchorNode areas aria assignedSlot async attributes autocomplete autofocus autoplay
        baseURI buffered button cells checked childElementCount classList clientHeight clientLeft clientTop clientWidth
        cols complete content contentDocument contentEditable contentWindow controls coords crossOrigin currentSrc
        currentTime decoding defaultChecked defaultValue dir disabled download draggable duration elements encoding
        enctype ended error fetchPriority files form formAction formMethod formTarget hash height hidden host hostname
        hreflang htmlFor httpEquiv indeterminate innerText isConnected isContentEditable isMap labels lang length list
        loading localName loop max maxLength media method min multiple muted namespaceURI naturalHeight naturalWidth
        networkState nodeType nodeValue noModule nonce offsetHeight offsetLeft offsetParent offsetTop offsetWidth open
        options origin outerHTML outerText ownerSVGElement part password pathname pattern paused placeholder
        playbackRate played port poster prefix preload protocol readOnly readyState referrerPolicy rel relList required
        rows sandbox scrollHeight scrollLeft scrollTop scrollWidth search seekable seeking select selected
        selectedIndex selectedOptions shadowRoot shape sheet size sizes slot span srcObject srcset start step
        tabIndex tBodies text transform translate useMap username validity valueAsNumber viewBox videoHeight videoWidth
        volume width willValidate wrap x y
        """
    )

    /// The other properties of the document; their values are unknown.
    static let document = names(
        """
        activeElement adoptedStyleSheets all anchors applets characterSet charset childElementCount childNodes children
        compatMode contentType currentScript designMode dir doctype domain embeds featurePolicy firstChild
        firstElementChild fonts forms fragmentDirective fullscreenElement fullscreenEnabled images implementation
        inputEncoding lastChild lastElementChild lastModified links nodeName nodeType pictureInPictureElement plugins
        pointerLockElement prerendering rootElement scripts scrollingElement styleSheets timeline wasDiscarded
        webkitFullscreenElement webkitHidden webkitVisibilityState xmlVersion
        """
    )

    /// The methods of the document that are supported or do not change the page.
    static let documentMethods = object.union(
        names(
            """
            addEventListener attachEvent caretRangeFromPoint close createAttribute createComment createDocumentFragment
            createElement createElementNS createEvent createExpression createNodeIterator createRange createTextNode
            createTreeWalker detachEvent dispatchEvent elementFromPoint elementsFromPoint evaluate execCommand
            exitFullscreen getElementById getElementsByClassName getElementsByName getElementsByTagName
            getElementsByTagNameNS getSelection hasFocus hasStorageAccess open queryCommandSupported querySelector
            querySelectorAll removeEventListener requestStorageAccess write writeln
            """
        )
    )

    /// The properties of the window; their values are unknown.
    static let window = names(
        """
        caches clientInformation cookieStore credentialless crossOriginIsolated crypto customElements devicePixelRatio
        event external frameElement indexedDB innerHeight innerWidth isSecureContext launchQueue length localStorage
        locationbar menubar name navigation orientation origin originAgentCluster outerHeight outerWidth pageXOffset
        pageYOffset performance personalbar scheduler screen screenLeft screenTop screenX screenY scrollX scrollY
        scrollbars sessionStorage sharedStorage speechSynthesis status statusbar styleMedia toolbar trustedTypes
        visualViewport
        """
    )

    /// The functions and constructors of the window.
    static let functions = names(
        """
        AbortController AbortSignal AggregateError AnimationEvent ArrayBuffer Audio AudioContext BigInt Blob Boolean
        BroadcastChannel CSS CustomEvent DOMException DOMParser DOMRect DataView Document Element Error ErrorEvent
        EvalError Event EventTarget FileReader FinalizationRegistry FontFace FormData Function HTMLElement Headers
        History Image IntersectionObserver Intl KeyboardEvent Location Map MessageChannel MessageEvent MouseEvent
        MutationObserver Navigator Node NodeList Notification Option Path2D PerformanceObserver PointerEvent Promise
        Proxy RangeError ReferenceError Reflect RegExp Request ResizeObserver Response SVGElement Screen Selection
        Set Storage Symbol SyntaxError Text TextDecoder TextEncoder Touch TouchEvent TransitionEvent TypeError
        UIEvent URIError URL URLSearchParams WeakMap WeakRef WeakSet WebAssembly WebSocket WheelEvent Window Worker
        XMLHttpRequest XMLSerializer addEventListener alert atob attachEvent blur btoa cancelAnimationFrame
        cancelIdleCallback clearInterval clearTimeout close confirm createImageBitmap decodeURI decodeURIComponent
        detachEvent dispatchEvent encodeURI encodeURIComponent escape eval fetch find focus getComputedStyle
        getSelection isFinite isNaN matchMedia moveBy moveTo open parseFloat parseInt postMessage print prompt
        queueMicrotask removeEventListener reportError requestAnimationFrame requestIdleCallback resizeBy resizeTo
        scroll scrollBy scrollTo setInterval setTimeout stop structuredClone unescape webkitAudioContext
        webkitCancelAnimationFrame webkitRequestAnimationFrame
        """
    )

    /// The suffixes of the browser's other types.
    private static let typeEndings = ["Element", "Event", "Observer", "Array", "List", "Collection", "Animation"]

    /// Whether a name is that of a browser type, such as `HTMLAnchorElement`.
    static func isType(_ name: String) -> Bool {
        name.utf8.first.map { (0x41...0x5A).contains($0) } == true && self.typeEndings.contains { name.hasSuffix($0) }
    }

    private static func names(_ text: String) -> Set<String> {
        Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
    }
}
