#include "CWebScripts.h"

// C23, 6.10.4 "Binary resource inclusion"; clang knows it in every version of C. A zero ends the text.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define TEXT(name) \
    const char *web_script_##name(void) { return name; }

static const char bridge_js[] = {
#embed "../WebStage/Scripts/bridge.js" suffix(, 0)
};
TEXT(bridge_js)

static const char calls_js[] = {
#embed "../WebStage/Scripts/calls.js" suffix(, 0)
};
TEXT(calls_js)

static const char clickable_js[] = {
#embed "../WebStage/Scripts/clickable.js" suffix(, 0)
};
TEXT(clickable_js)

static const char cover_js[] = {
#embed "../WebStage/Scripts/cover.js" suffix(, 0)
};
TEXT(cover_js)

static const char creative_js[] = {
#embed "../WebStage/Scripts/creative.js" suffix(, 0)
};
TEXT(creative_js)

static const char ended_html[] = {
#embed "../WebStage/Scripts/ended.html" suffix(, 0)
};
TEXT(ended_html)

static const char gesture_js[] = {
#embed "../WebStage/Scripts/gesture.js" suffix(, 0)
};
TEXT(gesture_js)

static const char host_html[] = {
#embed "../WebStage/Scripts/host.html" suffix(, 0)
};
TEXT(host_html)

static const char host_js[] = {
#embed "../WebStage/Scripts/host.js" suffix(, 0)
};
TEXT(host_js)

static const char images_js[] = {
#embed "../WebStage/Scripts/images.js" suffix(, 0)
};
TEXT(images_js)

static const char measure_js[] = {
#embed "../WebStage/Scripts/measure.js" suffix(, 0)
};
TEXT(measure_js)

static const char motion_js[] = {
#embed "../WebStage/Scripts/motion.js" suffix(, 0)
};
TEXT(motion_js)

static const char mraid_js[] = {
#embed "../WebStage/Scripts/mraid.js" suffix(, 0)
};
TEXT(mraid_js)

static const char omid_js[] = {
#embed "../WebStage/Scripts/omid.js" suffix(, 0)
};
TEXT(omid_js)

static const char player_html[] = {
#embed "../WebStage/Scripts/player.html" suffix(, 0)
};
TEXT(player_html)

static const char player_js[] = {
#embed "../WebStage/Scripts/player.js" suffix(, 0)
};
TEXT(player_js)

static const char tasks_js[] = {
#embed "../WebStage/Scripts/tasks.js" suffix(, 0)
};
TEXT(tasks_js)

static const char vpaid_js[] = {
#embed "../WebStage/Scripts/vpaid.js" suffix(, 0)
};
TEXT(vpaid_js)
