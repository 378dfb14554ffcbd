#include "CLabPage.h"

// C23, 6.10.4 "Binary resource inclusion"; clang knows it in every version of C. A zero ends the text.
#define TEXT(name) \
    const char *lab_page_##name(void) { return name; }

static const char ad_js[] = {
#embed "../PlayLab/Page/ad.js" suffix(, 0)
};
TEXT(ad_js)

static const char api_js[] = {
#embed "../PlayLab/Page/api.js" suffix(, 0)
};
TEXT(api_js)

static const char bundled_js[] = {
#embed "../PlayLab/Page/bundled.js" suffix(, 0)
};
TEXT(bundled_js)

static const char compare_js[] = {
#embed "../PlayLab/Page/compare.js" suffix(, 0)
};
TEXT(compare_js)

static const char controls_js[] = {
#embed "../PlayLab/Page/controls.js" suffix(, 0)
};
TEXT(controls_js)

static const char document_js[] = {
#embed "../PlayLab/Page/document.js" suffix(, 0)
};
TEXT(document_js)

static const char dom_js[] = {
#embed "../PlayLab/Page/dom.js" suffix(, 0)
};
TEXT(dom_js)

static const char emitter_js[] = {
#embed "../PlayLab/Page/emitter.js" suffix(, 0)
};
TEXT(emitter_js)

static const char file_js[] = {
#embed "../PlayLab/Page/file.js" suffix(, 0)
};
TEXT(file_js)

static const char folder_js[] = {
#embed "../PlayLab/Page/folder.js" suffix(, 0)
};
TEXT(folder_js)

static const char form_js[] = {
#embed "../PlayLab/Page/form.js" suffix(, 0)
};
TEXT(form_js)

static const char format_js[] = {
#embed "../PlayLab/Page/format.js" suffix(, 0)
};
TEXT(format_js)

static const char header_js[] = {
#embed "../PlayLab/Page/header.js" suffix(, 0)
};
TEXT(header_js)

static const char index_html[] = {
#embed "../PlayLab/Page/index.html" suffix(, 0)
};
TEXT(index_html)

static const char input_js[] = {
#embed "../PlayLab/Page/input.js" suffix(, 0)
};
TEXT(input_js)

static const char lab_css[] = {
#embed "../PlayLab/Page/lab.css" suffix(, 0)
};
TEXT(lab_css)

static const char lab_js[] = {
#embed "../PlayLab/Page/lab.js" suffix(, 0)
};
TEXT(lab_js)

static const char lanes_js[] = {
#embed "../PlayLab/Page/lanes.js" suffix(, 0)
};
TEXT(lanes_js)

static const char logpanel_js[] = {
#embed "../PlayLab/Page/logpanel.js" suffix(, 0)
};
TEXT(logpanel_js)

static const char logs_js[] = {
#embed "../PlayLab/Page/logs.js" suffix(, 0)
};
TEXT(logs_js)

static const char options_js[] = {
#embed "../PlayLab/Page/options.js" suffix(, 0)
};
TEXT(options_js)

static const char pairs_js[] = {
#embed "../PlayLab/Page/pairs.js" suffix(, 0)
};
TEXT(pairs_js)

static const char past_js[] = {
#embed "../PlayLab/Page/past.js" suffix(, 0)
};
TEXT(past_js)

static const char pictures_js[] = {
#embed "../PlayLab/Page/pictures.js" suffix(, 0)
};
TEXT(pictures_js)

static const char placement_js[] = {
#embed "../PlayLab/Page/placement.js" suffix(, 0)
};
TEXT(placement_js)

static const char recent_js[] = {
#embed "../PlayLab/Page/recent.js" suffix(, 0)
};
TEXT(recent_js)

static const char requests_js[] = {
#embed "../PlayLab/Page/requests.js" suffix(, 0)
};
TEXT(requests_js)

static const char rowlist_js[] = {
#embed "../PlayLab/Page/rowlist.js" suffix(, 0)
};
TEXT(rowlist_js)

static const char rows_js[] = {
#embed "../PlayLab/Page/rows.js" suffix(, 0)
};
TEXT(rows_js)

static const char screen_js[] = {
#embed "../PlayLab/Page/screen.js" suffix(, 0)
};
TEXT(screen_js)

static const char splitters_js[] = {
#embed "../PlayLab/Page/splitters.js" suffix(, 0)
};
TEXT(splitters_js)

static const char store_js[] = {
#embed "../PlayLab/Page/store.js" suffix(, 0)
};
TEXT(store_js)

static const char stream_js[] = {
#embed "../PlayLab/Page/stream.js" suffix(, 0)
};
TEXT(stream_js)

static const char structure_js[] = {
#embed "../PlayLab/Page/structure.js" suffix(, 0)
};
TEXT(structure_js)

static const char summary_js[] = {
#embed "../PlayLab/Page/summary.js" suffix(, 0)
};
TEXT(summary_js)

static const char tabs_js[] = {
#embed "../PlayLab/Page/tabs.js" suffix(, 0)
};
TEXT(tabs_js)

static const char timeline_js[] = {
#embed "../PlayLab/Page/timeline.js" suffix(, 0)
};
TEXT(timeline_js)

static const char trackers_js[] = {
#embed "../PlayLab/Page/trackers.js" suffix(, 0)
};
TEXT(trackers_js)

static const char zip_js[] = {
#embed "../PlayLab/Page/zip.js" suffix(, 0)
};
TEXT(zip_js)
