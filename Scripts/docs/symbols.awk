# Reads a symbol graph of swift-symbolgraph-extract, pretty-printed: one line for each symbol, its path, and whether it says
# something of itself.

function tell() {
    if (path != "" && kind != "swift.extension") print path, told ? "told" : "untold"
    path = ""
    told = 0
}

/^  "symbols": \[/ { inside = 1 }
/^  "relationships": \[/ { tell(); inside = 0 }
!inside { next }
/^    \{/ { tell() }
/^        "identifier": "swift\./ { split($0, parts, "\""); kind = parts[4] }
/^      "pathComponents": \[/ { within = 1; next }
/^      \]/ { within = 0 }
within { gsub(/^ *"|",?$/, ""); gsub(/ /, ""); path = path (path == "" ? "" : ".") $0 }
/^      "docComment": / { told = 1 }
