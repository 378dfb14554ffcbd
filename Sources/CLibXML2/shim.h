#ifndef YABBI_CLIBXML2_SHIM_H
#define YABBI_CLIBXML2_SHIM_H

#include <libxml/xmlversion.h>

// Debian builds libxml2 with ICU, and <libxml/encoding.h> then pulls in the system's ICU headers, whose types
// clash with the copy of ICU inside Foundation as soon as one program imports both.
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>

// From 2.12 on an error is handed to the callback as a pointer to const: the type never leaves this header.
#if LIBXML_VERSION >= 21200
typedef const xmlError *markup_error;
#else
typedef xmlErrorPtr markup_error;
#endif

// `xmlFree` is a mutable global function pointer, which Swift 6 rightly refuses to read.
static inline void markup_free(void *pointer) { xmlFree(pointer); }

// Entities that a document declares are kept in a document of the parser's own, which stays behind where the parser
// gives up before the end.
static inline void markup_free_entities(xmlParserCtxtPtr parser) {
    if (parser->myDoc == NULL) return;
    xmlFreeDoc(parser->myDoc);
    parser->myDoc = NULL;
}

// HTML, read as a stream of events.

/// Told of each fault: its libxml2 code, and the name of the element or attribute at fault, or NULL.
typedef struct markup_html_session markup_html_session;
typedef void (*markup_html_fault)(markup_html_session *session, int code, const char *name);

/// One parse. It is the `userData` of every callback and must not move until `markup_html_close`.
struct markup_html_session {
    htmlParserCtxtPtr parser;
    void *reader;
    markup_html_fault fault;
};

static void markup_html_on_error(void *data, markup_error error) {
    markup_html_session *session = (markup_html_session *)data;
    if (session != NULL && error != NULL) session->fault(session, error->code, error->str1);
}

/// Makes ready to parse UTF-8 text that ends with a NUL and outlives the session. No bytes are copied, nothing is
/// fetched, no tree is built, and a charset named in the text is not obeyed. Returns 0 when memory ran out.
static inline int markup_html_open(
    markup_html_session *session, const xmlChar *text, startElementSAXFunc start, endElementSAXFunc end,
    charactersSAXFunc characters
) {
    htmlParserCtxtPtr parser = htmlNewParserCtxt();
    xmlParserInputPtr input = parser == NULL ? NULL : xmlNewStringInputStream(parser, text);
    if (input == NULL || inputPush(parser, input) < 0) {
        if (parser != NULL) htmlFreeParserCtxt(parser);
        return 0;
    }
    htmlSAXHandler handler = {0};
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElement = start;
    handler.endElement = end;
    handler.characters = characters;
    handler.ignorableWhitespace = characters;
    handler.serror = markup_html_on_error;
    *parser->sax = handler;
    parser->userData = session;
    htmlCtxtUseOptions(parser, HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC | HTML_PARSE_NODEFDTD);
    xmlSwitchEncoding(parser, XML_CHAR_ENCODING_UTF8);
    session->parser = parser;
    return 1;
}

/// How many bytes of the text the parser has taken.
static inline long markup_html_offset(const markup_html_session *session) {
    const xmlParserInput *input = session->parser->input;
    return (long)input->consumed + (long)(input->cur - input->base);
}

static inline void markup_html_close(markup_html_session *session) {
    markup_free_entities(session->parser);
    htmlFreeParserCtxt(session->parser);
    session->parser = NULL;
}

/// The character that HTML 4 means by an entity's name; 0 for a name it does not know.
static inline unsigned int markup_html_entity(const xmlChar *name) {
    const htmlEntityDesc *entity = htmlEntityLookup(name);
    return entity == NULL ? 0 : entity->value;
}

// XML, read as a stream of events.

/// Told of each fault: its libxml2 code, the line, whether the parser goes on, and the parser's own words.
typedef struct markup_xml_session markup_xml_session;
typedef void (*markup_xml_fault)(markup_xml_session *session, int code, int line, int is_fatal, const char *words);

/// One parse. It is the `userData` of every callback and must not move until `markup_xml_parse` has returned.
struct markup_xml_session {
    xmlParserCtxtPtr parser;
    void *reader;
    markup_xml_fault fault;
};

static void markup_xml_on_error(void *data, markup_error error) {
    markup_xml_session *session = (markup_xml_session *)data;
    if (session == NULL || error == NULL) return;
    session->fault(session, error->code, error->line, error->level == XML_ERR_FATAL, error->message);
}

/// Parses bytes in whatever encoding libxml2 knows. Nothing is fetched, no entity of a document's own is expanded, no
/// tree is built. Returns 1 for a well-formed document, 0 for another, -1 when memory ran out.
static inline int markup_xml_parse(
    markup_xml_session *session, const char *bytes, int count, int recovers, startElementNsSAX2Func start,
    endElementNsSAX2Func end, charactersSAXFunc text
) {
    xmlParserCtxtPtr parser = xmlCreateMemoryParserCtxt(bytes, count);
    if (parser == NULL) return -1;
    xmlSAXHandler handler = {0};
    handler.initialized = XML_SAX2_MAGIC;
    handler.startElementNs = start;
    handler.endElementNs = end;
    handler.characters = text;
    handler.cdataBlock = text;
    handler.ignorableWhitespace = text;
    handler.serror = markup_xml_on_error;
    *parser->sax = handler;
    parser->userData = session;
    xmlCtxtUseOptions(parser, XML_PARSE_NONET | (recovers ? XML_PARSE_RECOVER : 0));
    session->parser = parser;
    xmlParseDocument(parser);
    int result = parser->wellFormed ? 1 : 0;
    session->parser = NULL;
    markup_free_entities(parser);
    xmlFreeParserCtxt(parser);
    return result;
}

/// The line that the parser has reached, counted from 1.
static inline int markup_xml_line(const markup_xml_session *session) {
    return session->parser == NULL || session->parser->input == NULL ? 0 : session->parser->input->line;
}

static inline void markup_xml_stop(const markup_xml_session *session) { xmlStopParser(session->parser); }

// Text in the encodings of the past.

static void markup_ignore_error(void *data, markup_error error) {
    (void)data;
    (void)error;
}

/// Appends text in the named encoding to `output` as UTF-8, U+FFFD for each byte that means nothing there.
/// Returns how many such bytes there were, or -1 when the encoding is not known, memory ran out, or there were more
/// than `most` of them: then the text is in another encoding.
static inline int markup_decode(
    const char *encoding, const unsigned char *bytes, int count, int most, xmlBufferPtr output
) {
    xmlCharEncodingHandlerPtr handler = xmlFindCharEncodingHandler(encoding);
    if (handler == NULL) return -1;
    // A static buffer is shortened by moving a pointer, where another one moves all its bytes.
    xmlBufferPtr input = xmlBufferCreateStatic((void *)bytes, (size_t)count);
    int replaced = input == NULL ? -1 : 0;

    // Without a parser libxml2 reports a bad byte to a channel of the thread, which prints to stderr by default.
    xmlStructuredErrorFunc channel = xmlStructuredError;
    void *context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, markup_ignore_error);
    while (replaced >= 0 && xmlBufferLength(input) > 0) {
        int before = xmlBufferLength(input);
        xmlCharEncInFunc(handler, output, input);
        if (xmlBufferLength(input) < before) continue;
        xmlBufferShrink(input, 1);
        int failed = xmlBufferAdd(output, (const xmlChar *)"\xEF\xBF\xBD", 3) != 0;
        replaced = failed || replaced == most ? -1 : replaced + 1;
    }
    xmlSetStructuredErrorFunc(context, channel);

    if (input != NULL) xmlBufferFree(input);
    xmlCharEncCloseFunc(handler);
    return replaced;
}

#endif
