/* SPDX-License-Identifier: MIT
 * JSON and the paths of batches. usage: manifest   prints what failed, then "N passed, N failed".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "batch/manifest.h"
#include "batch/shard.h"
#include "batch/targets.h"
#include "batch/task.h"
#include "console/json.h"
#include "files/name.h"

/* A copy without a byte behind it, so that a sanitizer sees what reads too far. */
static struct json json_of(const char *text, char **copy)
{
    const size_t length = strlen(text);
    *copy = malloc(length ? length : 1);
    memcpy(*copy, text, length);
    return (struct json){.at = *copy, .end = *copy + length};
}

static bool skips(const char *text)
{
    char *copy;
    struct json json = json_of(text, &copy);
    json_skip(&json);
    const bool good = json_end(&json);
    free(copy);
    return good;
}

/* Whether the JSON string stands for `expected` (NULL: is none). */
static bool reads(const char *text, const char *expected)
{
    char *copy;
    struct json json = json_of(text, &copy);
    char *string = json_string(&json);
    const bool good = expected ? string && json_end(&json) && !strcmp(string, expected) : !string && json.bad;
    free(string);
    free(copy);
    return good;
}

static void test_strings(void)
{
    CHECK(reads("\"\"", "") && reads(" \"a\" ", "a") &&
          reads("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"));
    CHECK(reads("\"\\u0041\\u00e9\\u20ac\\uD83D\\ude00\"", "A\u00e9\u20ac\U0001F600"));
    CHECK(reads("\"\\udc80\\udcff\"", "\x80\xff"));
    CHECK(reads("\"\\u009b\\u202e\"", "\xc2\x9b\u202e") && reads("\"\xc2\x9b\u202e\"", "\xc2\x9b\u202e"));
    static const char *const wrong[] = {"",
                                        "\"",
                                        "\"a",
                                        "a",
                                        "\"\\\"",
                                        "\"\\x\"",
                                        "\"\\u12\"",
                                        "\"\\u123g\"",
                                        "\"\\u0000\"",
                                        "\"\\ud800\"",
                                        "\"\\udbff\\u0041\"",
                                        "\"\\udbff\\ud",
                                        "\"\\udc7f\"",
                                        "\"\n\"",
                                        "\"\x80\"",
                                        "\"\xc3\"",
                                        "\"\xed\xb2\x80\"",
                                        "\"\xc0\x80\"",
                                        "\"\xf4\x90\x80\x80\"",
                                        "\"\xe2\x82",
                                        "\"\\u\x10\x11\x12\x13\"",
                                        "\"\\"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(reads(wrong[i], NULL));

    /* Every sequence of bytes comes back. */
    uint32_t random = 1;
    for (unsigned round = 0; round < 20000; round++) {
        char text[12];
        for (size_t i = 0; i < sizeof text - 1; i++) {
            random = random * 1664525 + 1013904223;
            text[i] = round % 2 ? (char)(0x80 | random >> 25) : (char)(random >> 24);
        }
        text[random >> 8 & 7] = '\0';
        text[sizeof text - 1] = '\0';
        char *line = NULL;
        size_t length;
        FILE *out = open_memstream(&line, &length);
        json_write_string(out, text);
        fclose(out);
        if (!reads(line, text)) {
            CHECK(!"a string does not come back");
            round = 20000;
        }
        free(line);
    }
    passed++;
}

static void test_values(void)
{
    static const char *const good[] = {"1",
                                       "-1.5e+3",
                                       "0",
                                       "0.5",
                                       "null",
                                       "true",
                                       "false",
                                       "[]",
                                       "{}",
                                       "[1]",
                                       "[1, [2, {\"a\": {}}], \"[\"]",
                                       "{\"a\":1,\"b\":[{}, {}]}",
                                       " [ ] ",
                                       "{ \"a\" : \"{\" , \"b\" : null }"};
    static const char *const wrong[] = {
        "",    "01",        "1.",   ".5",    "+1",      "1e",        "-",          "nul",   "[",
        "[1",  "[1,]",      "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}",  "{\"a\":1,}", "{a:1}", "{1:1}",
        "[1}", "{\"a\":1]", "1 2",  "]",     "[1,,2]",  "{\"a\" 1}", "tru",        "nulls"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(skips(good[i]));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!skips(wrong[i]));
    char deep[201] = "";
    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    CHECK(!skips(deep));

    char *copy, key[4];
    struct json json =
        json_of("{\"a\": 18446744073709551615, \"longer\": -9223372036854775808, \"c\": 1e3}", &copy);
    json_open(&json, '{');
    CHECK(json_key(&json, key, sizeof key) && !strcmp(key, "a") && json_unsigned(&json) == UINT64_MAX);
    CHECK(json_key(&json, key, sizeof key) && !strcmp(key, "lon") && json_signed(&json) == INT64_MIN);
    CHECK(json_key(&json, key, sizeof key) && json_number(&json) == 1000 &&
          !json_key(&json, key, sizeof key));
    CHECK(json_end(&json));
    free(copy);
    static const char *const no_unsigned[] = {"18446744073709551616", "-1", "1.0", "1e3", "\"1\""};
    for (size_t i = 0; i < sizeof no_unsigned / sizeof *no_unsigned; i++) {
        json = json_of(no_unsigned[i], &copy);
        CHECK(json_unsigned(&json) == 0 && json.bad);
        free(copy);
    }
}

static void test_shards(void)
{
    struct shard shard, other;
    CHECK(shard_parse("0/1", &shard) && shard.index == 0 && shard.count == 1);
    CHECK(shard_parse("3/3", &shard) && shard.index == 0 && shard.count == 3);
    CHECK(shard_parse("2/3", &shard) && shard.index == 2);
    static const char *const wrong[] = {
        "", "1", "1/", "/1", "4/3", "0/0", "-1/3", "1/3x", "1/99999999999", "a/b", "1/+3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!shard_parse(wrong[i], &other));
    /* The part that a path is in is part of what users rely on. */
    CHECK(shard_takes(&(struct shard){.index = 2, .count = 4}, "run42/temp_20x180x360.f32"));
    unsigned counts[7] = {0};
    for (unsigned i = 0; i < 7000; i++) {
        char path[32];
        snprintf(path, sizeof path, "run/%u.f32", i);
        for (unsigned k = 0; k < 7; k++)
            counts[k] += shard_takes(&(struct shard){.index = k, .count = 7}, path);
    }
    unsigned total = 0;
    for (unsigned k = 0; k < 7; k++) {
        CHECK(counts[k] > 850 && counts[k] < 1150);
        total += counts[k];
    }
    CHECK(total == 7000);
}

/* The order of two paths: -2 where the second lies below the first. */
static int order(const char *a, const char *b, bool fold)
{
    bool below;
    const int compared = path_compare(a, b, fold, &below);
    return below ? 2 * compared : compared;
}

static void test_targets(void)
{
    CHECK(order("a", "a", false) == 0 && order("a", "a/b", false) == -2 && order("a/b", "a", false) == 1);
    CHECK(order("a/b", "a!", false) == -1 && order("a/b", "a\1", false) == -1 &&
          order("ab", "a/b", false) == 1);
    CHECK(order("a", "A", false) == 1 && order("a", "A", true) == 0 && order("A", "a/b", true) == -2);
    CHECK(order("\u00c9/\u042f", "\u00e9/\u044f", true) == 0 && order("\u0178", "\u00ff", true) == 0);
    CHECK(order("\u00d7", "\u00f7", true) == -1 && order("\u03a3", "\u03c2", true) == 0);
    CHECK(order("\xc9", "\xe9", true) == -1 && order("\xff", "\U0010FFFF", true) == 1);
    char path[] = ".//a/./b//c";
    name_normalize(path);
    CHECK(!strcmp(path, "a/b/c"));
}

static void test_paths(void)
{
    CHECK(!strcmp(path_below("a/b"), "a/b") && !strcmp(path_below("/a/b"), "a/b"));
    CHECK(!strcmp(path_below("../a"), "a") && !strcmp(path_below("a/../../b/c"), "b/c"));
    CHECK(!strcmp(path_below("..a/b.."), "..a/b..") && !strcmp(path_below("//a"), "a"));
    CHECK(manifest_owns("d/M", "M") && manifest_owns("M", "M.0-of-4") && manifest_owns("M", "M.12-of-40"));
    CHECK(!manifest_owns("M", "M.0-of-4x") && !manifest_owns("M", "M.0-of-") && !manifest_owns("M", "N"));
    CHECK(!manifest_owns("M", "M.x") && !manifest_owns("M", "M2"));
}

int main(void)
{
    test_strings();
    test_values();
    test_shards();
    test_paths();
    test_targets();
    return checks_end();
}
