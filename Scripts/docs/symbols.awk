# Reads a symbol graph of swift-symbolgraph-extract, pretty-printed: one line for each symbol, its path, and whether it is
# documented.

function write() {
    if (path != "" && kind != "swift.extension") print path, documented ? "documented" : "undocumented"
    path = ""
    documented = 0
}

/^  "symbols": \[/ { inside = 1 }
/^  "relationships": \[/ { write(); inside = 0 }
!inside { next }
/^    \{/ { write() }
/^        "identifier": "swift\./ { split($0, parts, "\""); kind = parts[4] }
/^      "pathComponents": \[/ { within = 1; next }
/^      \]/ { within = 0 }
within { gsub(/^ *"|",?$/, ""); gsub(/ /, ""); path = path (path == "" ? "" : ".") $0 }
/^      "docComment": / { documented = 1 }
