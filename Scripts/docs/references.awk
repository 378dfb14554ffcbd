# Reads a symbol graph of swift-symbolgraph-extract, pretty-printed. Prints for each symbol "symbol IDENTIFIER PATH", and
# for each type in its declaration "uses PATH IDENTIFIER".

/^  "symbols": \[/ { inside = 1 }
/^  "relationships": \[/ { inside = 0 }
!inside { next }
/^    \{/ { path = ""; isExtension = 0 }
/^        "identifier": "swift\.extension"/ { isExtension = 1 }
/^        "precise": / { split($0, parts, "\""); identifier = parts[4] }
/^      "pathComponents": \[/ { within = 1; next }
within && /^      \]/ { within = 0; if (!isExtension) print "symbol", identifier, path }
within { gsub(/^ *"|",?$/, ""); gsub(/ /, ""); path = path (path == "" ? "" : ".") $0 }
/^ *"preciseIdentifier": / && !isExtension { split($0, parts, "\""); print "uses", path, parts[4] }
