// The scripts and pages of WebStage, each as a text.
//
// Embedded in C, because Swift's compiler takes long for arrays of this size.

#ifndef C_WEB_SCRIPTS_H
#define C_WEB_SCRIPTS_H

const char *_Nonnull web_script_bridge_js(void);
const char *_Nonnull web_script_calls_js(void);
const char *_Nonnull web_script_clickable_js(void);
const char *_Nonnull web_script_cover_js(void);
const char *_Nonnull web_script_creative_js(void);
const char *_Nonnull web_script_ended_html(void);
const char *_Nonnull web_script_gesture_js(void);
const char *_Nonnull web_script_host_html(void);
const char *_Nonnull web_script_host_js(void);
const char *_Nonnull web_script_images_js(void);
const char *_Nonnull web_script_measure_js(void);
const char *_Nonnull web_script_motion_js(void);
const char *_Nonnull web_script_mraid_js(void);
const char *_Nonnull web_script_omid_js(void);
const char *_Nonnull web_script_player_html(void);
const char *_Nonnull web_script_player_js(void);
const char *_Nonnull web_script_tasks_js(void);
const char *_Nonnull web_script_vpaid_js(void);

#endif
