#include "CLabPage.h"

// C23, 6.10.4 "Binary resource inclusion"; clang knows it in every version of C. A zero ends the text.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char ad_js[] = {
#embed "../PlayLab/Page/ad.js" suffix(, 0)
};
static const char api_js[] = {
#embed "../PlayLab/Page/api.js" suffix(, 0)
};
static const char bundled_js[] = {
#embed "../PlayLab/Page/bundled.js" suffix(, 0)
};
static const char compare_js[] = {
#embed "../PlayLab/Page/compare.js" suffix(, 0)
};
static const char controls_js[] = {
#embed "../PlayLab/Page/controls.js" suffix(, 0)
};
static const char document_js[] = {
#embed "../PlayLab/Page/document.js" suffix(, 0)
};
static const char dom_js[] = {
#embed "../PlayLab/Page/dom.js" suffix(, 0)
};
static const char emitter_js[] = {
#embed "../PlayLab/Page/emitter.js" suffix(, 0)
};
static const char file_js[] = {
#embed "../PlayLab/Page/file.js" suffix(, 0)
};
static const char folder_js[] = {
#embed "../PlayLab/Page/folder.js" suffix(, 0)
};
static const char form_js[] = {
#embed "../PlayLab/Page/form.js" suffix(, 0)
};
static const char format_js[] = {
#embed "../PlayLab/Page/format.js" suffix(, 0)
};
static const char header_js[] = {
#embed "../PlayLab/Page/header.js" suffix(, 0)
};
static const char index_html[] = {
#embed "../PlayLab/Page/index.html" suffix(, 0)
};
static const char input_js[] = {
#embed "../PlayLab/Page/input.js" suffix(, 0)
};
static const char lab_css[] = {
#embed "../PlayLab/Page/lab.css" suffix(, 0)
};
static const char lab_js[] = {
#embed "../PlayLab/Page/lab.js" suffix(, 0)
};
static const char lanes_js[] = {
#embed "../PlayLab/Page/lanes.js" suffix(, 0)
};
static const char logpanel_js[] = {
#embed "../PlayLab/Page/logpanel.js" suffix(, 0)
};
static const char logs_js[] = {
#embed "../PlayLab/Page/logs.js" suffix(, 0)
};
static const char options_js[] = {
#embed "../PlayLab/Page/options.js" suffix(, 0)
};
static const char pairs_js[] = {
#embed "../PlayLab/Page/pairs.js" suffix(, 0)
};
static const char past_js[] = {
#embed "../PlayLab/Page/past.js" suffix(, 0)
};
static const char pictures_js[] = {
#embed "../PlayLab/Page/pictures.js" suffix(, 0)
};
static const char placement_js[] = {
#embed "../PlayLab/Page/placement.js" suffix(, 0)
};
static const char recent_js[] = {
#embed "../PlayLab/Page/recent.js" suffix(, 0)
};
static const char requests_js[] = {
#embed "../PlayLab/Page/requests.js" suffix(, 0)
};
static const char rowlist_js[] = {
#embed "../PlayLab/Page/rowlist.js" suffix(, 0)
};
static const char rows_js[] = {
#embed "../PlayLab/Page/rows.js" suffix(, 0)
};
static const char screen_js[] = {
#embed "../PlayLab/Page/screen.js" suffix(, 0)
};
static const char splitters_js[] = {
#embed "../PlayLab/Page/splitters.js" suffix(, 0)
};
static const char store_js[] = {
#embed "../PlayLab/Page/store.js" suffix(, 0)
};
static const char stream_js[] = {
#embed "../PlayLab/Page/stream.js" suffix(, 0)
};
static const char structure_js[] = {
#embed "../PlayLab/Page/structure.js" suffix(, 0)
};
static const char summary_js[] = {
#embed "../PlayLab/Page/summary.js" suffix(, 0)
};
static const char tabs_js[] = {
#embed "../PlayLab/Page/tabs.js" suffix(, 0)
};
static const char timeline_js[] = {
#embed "../PlayLab/Page/timeline.js" suffix(, 0)
};
static const char trackers_js[] = {
#embed "../PlayLab/Page/trackers.js" suffix(, 0)
};
static const char zip_js[] = {
#embed "../PlayLab/Page/zip.js" suffix(, 0)
};

static const struct lab_page_file files[] = {
    {"ad.js", ad_js},
    {"api.js", api_js},
    {"bundled.js", bundled_js},
    {"compare.js", compare_js},
    {"controls.js", controls_js},
    {"document.js", document_js},
    {"dom.js", dom_js},
    {"emitter.js", emitter_js},
    {"file.js", file_js},
    {"folder.js", folder_js},
    {"form.js", form_js},
    {"format.js", format_js},
    {"header.js", header_js},
    {"index.html", index_html},
    {"input.js", input_js},
    {"lab.css", lab_css},
    {"lab.js", lab_js},
    {"lanes.js", lanes_js},
    {"logpanel.js", logpanel_js},
    {"logs.js", logs_js},
    {"options.js", options_js},
    {"pairs.js", pairs_js},
    {"past.js", past_js},
    {"pictures.js", pictures_js},
    {"placement.js", placement_js},
    {"recent.js", recent_js},
    {"requests.js", requests_js},
    {"rowlist.js", rowlist_js},
    {"rows.js", rows_js},
    {"screen.js", screen_js},
    {"splitters.js", splitters_js},
    {"store.js", store_js},
    {"stream.js", stream_js},
    {"structure.js", structure_js},
    {"summary.js", summary_js},
    {"tabs.js", tabs_js},
    {"timeline.js", timeline_js},
    {"trackers.js", trackers_js},
    {"zip.js", zip_js},
};

size_t lab_page_count(void) { return sizeof files / sizeof *files; }

struct lab_page_file lab_page_file(size_t index) { return files[index]; }
