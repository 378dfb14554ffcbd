#!/bin/sh
# Draws the graph of modules from Package.swift, as Mermaid: transitively reduced, without tests. Rounded: a product.
#
#   Scripts/graph.sh                  prints it
#   Scripts/graph.sh write            writes it into docs/ARCHITECTURE.md
#   Scripts/graph.sh apple MODULE...  prints what an app on an Apple platform links with these modules: each module after
#                                     those that it depends on, and without those that Package.swift has for Linux only
set -eu
cd "$(dirname "$0")/.."
page=docs/ARCHITECTURE.md
# Implementations of a seam. What an app links, what the command consists of, and what is for tools is computed.
seams="CurlTransport URLSessionTransport SQLiteLedger WebStage ChromiumStage WebKitStage AppleStage"

# draw [MODULE...]: the graph, or the modules that these need.
draw() {
    # One declaration a line, without comments and without conditions of dependencies.
    linux='/condition: \.when(platforms: \[\.linux\])/d'
    [ $# -gt 0 ] || linux=
    sed "s|^ *//.*||; $linux"'; s/\.target(name: \("[^"]*"\), condition: \.when([^)]*))/\1/' Package.swift |
        tr '\n' ' ' | sed 's/ \.\([a-zA-Z]*\)(/\
\1(/g' | awk -v seams="$seams" -v roots="$*" '
        function field(label,    text) {
            if (!match($0, label ": *\"[^\"]*\"")) return ""
            text = substr($0, RSTART, RLENGTH)
            gsub(/^[^"]*"|"$/, "", text)
            return text
        }
        # The strings of the array that follows a label.
        function strings(label, list,    text) {
            if (!match($0, label ": *\\[[^]]*\\]")) return 0
            text = substr($0, RSTART, RLENGTH)
            gsub(/^[^[]*\[|[ "\]]|,$/, "", text)
            gsub(/,$/, "", text)
            return split(text, list, ",")
        }
        function reaches(from, to,    i) {
            for (i = 1; i <= count[from]; i++)
                if (edge[from, i] == to || reaches(edge[from, i], to)) return 1
            return 0
        }
        function mark(from,    i) {
            if (from in linked) return
            linked[from] = 1
            for (i = 1; i <= count[from]; i++) mark(edge[from, i])
        }
        function visit(name,    i) {
            if (name in visited) return
            visited[name] = 1
            for (i = 1; i <= count[name]; i++) visit(edge[name, i])
            print name
        }
        function group(name) {
            if (name in system_library) return "libraries"
            if (name in seam) return "seams"
            if (name ~ /^(Play|YabbiPlay|yabbi-)/) return "command"
            return name in linked ? "apps" : "tools"
        }
        function node(name,    id) {
            id = name
            gsub(/-/, "_", id)
            return id
        }
        /^(library|executable)\(/ {
            strings("targets", list)
            product[list[1]] = field("name")
        }
        /^(target|executableTarget|systemLibrary)\(/ && field("path") !~ /^Tests/ {
            name = field("name")
            names[++total] = name
            count[name] = strings("dependencies", list)
            if (name ~ /^C[A-Z]/) system_library[name] = 1
            for (i = 1; i <= count[name]; i++) edge[name, i] = list[i]
        }
        END {
            total_roots = split(roots, list, " ")
            for (i = 1; i <= total_roots; i++) {
                if (!(list[i] in count)) {
                    print "graph: Package.swift has no module " list[i] > "/dev/stderr"
                    exit 1
                }
                visit(list[i])
            }
            if (total_roots > 0) exit
            split(seams, list, " ")
            for (i in list) seam[list[i]] = 1
            mark("YabbiAds")
            mark("YabbiFoundation")
            mark("YabbiTesting")
            print "```mermaid"
            print "graph TD"
            groups = split("command tools apps seams libraries", order, " ")
            title["command"] = "The command and the benchmarks"
            title["tools"] = "For tools only"
            title["apps"] = "For apps"
            title["seams"] = "Implementations of a seam"
            title["libraries"] = "C libraries"
            for (g = 1; g <= groups; g++) {
                print "  subgraph " order[g] "[\"" title[order[g]] "\"]"
                for (n = 1; n <= total; n++) {
                    name = names[n]
                    if (group(name) != order[g]) continue
                    print "    " node(name) (name in product ? "([" product[name] "])" : "[" name "]")
                }
                print "  end"
            }
            for (n = 1; n <= total; n++) {
                name = names[n]
                for (i = 1; i <= count[name]; i++) {
                    implied = 0
                    for (j = 1; j <= count[name]; j++)
                        if (j != i && reaches(edge[name, j], edge[name, i])) implied = 1
                    if (!implied) print "  " node(name) " --> " node(edge[name, i])
                }
            }
            print "```"
        }'
}

case "${1:-}" in
apple)
    shift
    draw "$@"
    ;;
write)
    drawn=$(mktemp)
    trap 'rm -f "$drawn" "$drawn.page"' EXIT
    draw > "$drawn"
    awk -v drawn="$drawn" '
        /<!-- modules:end -->/ { inside = 0 }
        !inside { print }
        /<!-- modules:begin -->/ { inside = 1; while ((getline line < drawn) > 0) print line }' "$page" > "$drawn.page"
    cat "$drawn.page" > "$page"
    ;;
*) draw ;;
esac
