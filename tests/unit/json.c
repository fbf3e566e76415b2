/* SPDX-License-Identifier: MIT
 * The reader of JSON: what is right comes piece by piece, what is wrong is refused where it is wrong.
 * usage: unit_json   prints what failed, then "N passed, N failed". */
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "core/json.h"

/* The pieces of a text, a letter each: "!" is wrong, "." the end. */
static const struct {
    const char *text, *pieces;
} texts[] = {
    {"{}", "{}."},
    {" [ ] ", "[]."},
    {"7", "0."},
    {"\"a\"", "s."},
    {"true", "w."},
    {"{\"a\":1,\"b\":[null,false,\"x\"],\"c\":{\"d\":-0.5e+7}}", "{n0n[wws]n{n0}}."},
    {"[[],[{}],1E2,-1,10.25]", "[[][{}]000]."},
    {"[1,]", "[0!"},
    {"[,1]", "[!"},
    {"[1 2]", "[0!"},
    {"[1}", "[0!"},
    {"{\"a\":1]", "{n0!"},
    {"{\"a\" 1}", "{!"},
    {"{\"a\":}", "{n!"},
    {"{\"a\":1,}", "{n0!"},
    {"{a:1}", "{!"},
    {"{1:1}", "{!"},
    {"{\"a\":1,\"b\"}", "{n0!"},
    {"", "!"},
    {" ", "!"},
    {"]", "!"},
    {"{} {}", "{}!"},
    {"1 1", "0!"},
    {"01", "0!"},
    {"-", "!"},
    {"+1", "!"},
    {"1.", "!"},
    {".5", "!"},
    {"1e", "!"},
    {"1e+", "!"},
    {"0x10", "0!"},
    {"nul", "!"},
    {"nulll", "w!"},
    {"True", "!"},
    {"NaN", "!"},
    {"\"a", "!"},
    {"\"a\\\"", "!"},
    {"\"\\x\"", "!"},
    {"\"\\u12\"", "!"},
    {"\"\\u123g\"", "!"},
    {"\"\\ud800\"", "!"},
    {"\"\\ud800\\u0041\"", "!"},
    {"\"\\udc00\"", "!"},
    {"\"\t\"", "!"},
    {"\"\xff\"", "!"},
    {"\"\xc0\x80\"", "!"},
    {"'a'", "!"},
    {"[1]\v", "[0]!"},
};

static void test_pieces(void)
{
    static const char letters[] = "!.{}[]ns0w";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fpgz_json json = {.at = texts[i].text};
        const char *piece = texts[i].pieces;
        checking = texts[i].text;
        while (CHECK(letters[fpgz_json_next(&json)] == *piece) && json.kind > FPGZ_JSON_END)
            piece++;
        CHECK(!piece[0] || !piece[1]);
        CHECK(fpgz_json_next(&json) == (*piece == '!' ? FPGZ_JSON_WRONG : FPGZ_JSON_END));
    }
}

static void test_values(void)
{
    struct fpgz_json json = {
        .at = "[\"a\\n\\u00e9\\u20AC\\ud83d\\ude00\\\\\", \"\\u0000\", 18446744073709551615, "
              "18446744073709551616, -1, 1.0, \"1\"]"};
    static const char wanted[] = "a\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\\";
    char text[sizeof wanted];
    uint64_t count;
    checking = "values";
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_LIST && fpgz_json_next(&json) == FPGZ_JSON_STRING);
    CHECK(fpgz_json_text(&json, text, sizeof text) && !strcmp(text, wanted));
    CHECK(!fpgz_json_text(&json, text, sizeof text - 1) && !fpgz_json_is(&json, "a"));
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_STRING && !fpgz_json_text(&json, text, sizeof text));
    CHECK(fpgz_json_count(&json, &count) && count == UINT64_MAX);
    for (int i = 0; i < 4; i++)
        CHECK(!fpgz_json_count(&json, &count) && json.kind != FPGZ_JSON_WRONG);
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_LIST_END && fpgz_json_next(&json) == FPGZ_JSON_END);
}

static void test_skip(void)
{
    struct fpgz_json json = {.at = "{\"a\":[1,{\"b\":[2]},3],\"c\":4,\"d\":{}}"};
    checking = "skip";
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_OBJECT);
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_NAME && fpgz_json_is(&json, "a") && fpgz_json_skip(&json));
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_NAME && fpgz_json_is(&json, "c") && fpgz_json_skip(&json));
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_NAME && fpgz_json_is(&json, "d"));
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_OBJECT && fpgz_json_skip(&json));
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_OBJECT_END);
    json = (struct fpgz_json){.at = "[[1,[2"};
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_LIST && !fpgz_json_skip(&json));
}

/* Far deeper than the stack of any thread. */
static void test_depth(void)
{
    enum { DEPTH = 2000000 };
    char *const text = malloc(DEPTH + 1);
    checking = "depth";
    if (!CHECK(text != NULL))
        return;
    for (int object = 0; object < 2; object++) {
        memset(text, '[', DEPTH);
        text[DEPTH] = '\0';
        for (int i = 0; object && i + 5 <= DEPTH; i += 5)
            memcpy(text + i, "{\"\":", 4);
        for (int i = 4; object && i < DEPTH; i += 5)
            text[i] = ' ';
        struct fpgz_json json = {.at = text};
        CHECK(fpgz_json_next(&json) == (object ? FPGZ_JSON_OBJECT : FPGZ_JSON_LIST));
        CHECK(!fpgz_json_skip(&json) && json.depth == FPGZ_JSON_DEPTH);
    }
    free(text);
    char right[2 * FPGZ_JSON_DEPTH + 1] = "";
    memset(right, '[', FPGZ_JSON_DEPTH);
    memset(right + FPGZ_JSON_DEPTH, ']', FPGZ_JSON_DEPTH);
    struct fpgz_json json = {.at = right};
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_LIST && fpgz_json_skip(&json));
    CHECK(fpgz_json_next(&json) == FPGZ_JSON_END);
}

int main(void)
{
    test_pieces();
    test_values();
    test_skip();
    test_depth();
    return checks_end();
}
