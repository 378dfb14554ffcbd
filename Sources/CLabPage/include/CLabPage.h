// The files of the page of the lab, each as a text.
//
// Embedded in C, because the same files as arrays in Swift take half a minute of a build from scratch.

#ifndef C_LAB_PAGE_H
#define C_LAB_PAGE_H

const char *_Nonnull lab_page_ad_js(void);
const char *_Nonnull lab_page_api_js(void);
const char *_Nonnull lab_page_bundled_js(void);
const char *_Nonnull lab_page_compare_js(void);
const char *_Nonnull lab_page_controls_js(void);
const char *_Nonnull lab_page_document_js(void);
const char *_Nonnull lab_page_dom_js(void);
const char *_Nonnull lab_page_emitter_js(void);
const char *_Nonnull lab_page_file_js(void);
const char *_Nonnull lab_page_folder_js(void);
const char *_Nonnull lab_page_form_js(void);
const char *_Nonnull lab_page_format_js(void);
const char *_Nonnull lab_page_header_js(void);
const char *_Nonnull lab_page_index_html(void);
const char *_Nonnull lab_page_input_js(void);
const char *_Nonnull lab_page_lab_css(void);
const char *_Nonnull lab_page_lab_js(void);
const char *_Nonnull lab_page_lanes_js(void);
const char *_Nonnull lab_page_logpanel_js(void);
const char *_Nonnull lab_page_logs_js(void);
const char *_Nonnull lab_page_options_js(void);
const char *_Nonnull lab_page_pairs_js(void);
const char *_Nonnull lab_page_past_js(void);
const char *_Nonnull lab_page_pictures_js(void);
const char *_Nonnull lab_page_placement_js(void);
const char *_Nonnull lab_page_recent_js(void);
const char *_Nonnull lab_page_requests_js(void);
const char *_Nonnull lab_page_rowlist_js(void);
const char *_Nonnull lab_page_rows_js(void);
const char *_Nonnull lab_page_screen_js(void);
const char *_Nonnull lab_page_splitters_js(void);
const char *_Nonnull lab_page_store_js(void);
const char *_Nonnull lab_page_stream_js(void);
const char *_Nonnull lab_page_structure_js(void);
const char *_Nonnull lab_page_summary_js(void);
const char *_Nonnull lab_page_tabs_js(void);
const char *_Nonnull lab_page_timeline_js(void);
const char *_Nonnull lab_page_trackers_js(void);
const char *_Nonnull lab_page_zip_js(void);

#endif
