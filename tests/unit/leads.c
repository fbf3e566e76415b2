/* SPDX-License-Identifier: MIT
 * Chunks that lead and chunks that follow: who does what, and what encoders make of it.
 * usage: unit_leads   prints what failed. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../checks.h"
#include "codec/codecs.h"
#include "core/checksum.h"
#include "engine/chunk.h"
#include "engine/leads.h"
#include "grids.h"

/* Each chunk is coded before the next one begins; those that lead tell their number as a cost. */
static void test_roles(void)
{
    struct fpgz_leads leads = {0};
    for (uint64_t i = 0; i < 5 * FPGZ_LEADS_EACH; i++) {
        struct fpgz_led led;
        CHECK(fpgz_leads_next(&leads, &led));
        fpgz_led_begin(&led);
        if (i % FPGZ_LEADS_EACH == 0) {
            CHECK(led.lead.state == FPGZ_LEAD_SOUGHT);
            led.lead.way[0].cost = i;
            led.lead.state = i == 2 * FPGZ_LEADS_EACH ? FPGZ_LEAD_SOUGHT : FPGZ_LEAD_FOUND;
        } else if (i < FPGZ_LEADS_FIRST) {
            CHECK(led.lead.state == FPGZ_LEAD_NONE);
        } else {
            const uint64_t before = i < FPGZ_LEADS_BEHIND ? i : i - FPGZ_LEADS_BEHIND,
                           leader = before / FPGZ_LEADS_EACH * FPGZ_LEADS_EACH;
            const bool told = leader != 2 * FPGZ_LEADS_EACH;
            CHECK(led.lead.state == (told ? FPGZ_LEAD_FOLLOWED : FPGZ_LEAD_NONE));
            CHECK(!told || led.lead.way[0].cost == leader);
        }
        fpgz_led_end(&led);
    }
    fpgz_leads_free(&leads);
}

static void *follow(void *led)
{
    fpgz_led_begin(led);
    return NULL;
}

/* A chunk waits for the one that leads it, which outlives the array. */
static void test_wait(void)
{
    struct fpgz_leads leads = {0};
    struct fpgz_led first, led;
    pthread_t thread;
    CHECK(fpgz_leads_next(&leads, &first));
    for (unsigned i = 1; i < FPGZ_LEADS_FIRST; i++, fpgz_led_end(&led))
        CHECK(fpgz_leads_next(&leads, &led));
    CHECK(fpgz_leads_next(&leads, &led));
    fpgz_leads_free(&leads);
    CHECK(!pthread_create(&thread, NULL, follow, &led));
    first.lead.state = FPGZ_LEAD_FOUND;
    first.lead.way[0].cost = 7;
    fpgz_led_end(&first);
    CHECK(!pthread_join(thread, NULL));
    CHECK(led.lead.state == FPGZ_LEAD_FOLLOWED && led.lead.way[0].cost == 7);
    fpgz_led_end(&led);
}

struct chunk {
    struct fpgz_grid grid;
    struct fpgz_chunk_buffers buffers;
    struct fpgz_coded coded;
};

static void encode(struct chunk *c, const char *kind, uint64_t seed, struct fpgz_lead *lead)
{
    const struct fpgz_coder coder = {.level = FPGZ_LEVEL_DEFAULT, .bound = FPGZ_NO_BOUND, .lead = lead};
    struct fpgz_error error = {0};
    CHECK(fpgz_buffer_reserve(&c->buffers.raw, fpgz_grid_bytes(&c->grid)));
    CHECK(!grids_fill(kind, &c->grid, seed, c->buffers.raw.data, &error));
    CHECK(!fpgz_chunk_encode(&coder, &c->grid, &c->buffers, &c->coded));
}

static bool is_restored(struct chunk *c)
{
    const size_t bytes = fpgz_grid_bytes(&c->grid);
    if (c->coded.codec == &fpgz_store)
        return c->coded.stream == c->buffers.raw.data;
    uint8_t *const values = malloc(bytes);
    memcpy(values, c->buffers.raw.data, bytes);
    c->coded.raw_checksum = fpgz_checksum(values, bytes);
    memset(c->buffers.raw.data, 0x5A, bytes);
    const bool same =
        !fpgz_chunk_decode(&c->coded, false, &c->buffers) && !memcmp(values, c->buffers.raw.data, bytes);
    free(values);
    return same;
}

/* A chunk that follows itself becomes the same stream; what is of another kind is coded as if it were alone.
 * Returns whether there was a lead. */
static bool test_kind(const char *kind, const struct fpgz_grid *grid)
{
    struct chunk alone = {.grid = *grid}, led = {.grid = *grid};
    struct fpgz_lead lead = {.state = FPGZ_LEAD_SOUGHT};
    checking = kind;
    encode(&alone, kind, 1, &lead);
    const bool found = lead.state == FPGZ_LEAD_FOUND;
    CHECK(!alone.coded.followed && is_restored(&alone));
    if (found) {
        lead.state = FPGZ_LEAD_FOLLOWED;
        encode(&led, kind, 1, &lead);
        CHECK(led.coded.followed && lead.state == FPGZ_LEAD_FOLLOWED);
        CHECK(led.coded.length == alone.coded.length &&
              !memcmp(led.coded.stream, alone.coded.stream, led.coded.length));
        encode(&led, kind, 2, &lead);
        CHECK(led.coded.followed == (lead.state == FPGZ_LEAD_FOLLOWED) && is_restored(&led));
        lead.state = FPGZ_LEAD_FOLLOWED;
        encode(&led, "constant", 1, &lead);
        CHECK(!led.coded.followed && lead.state == FPGZ_LEAD_REFUSED && is_restored(&led));
    }
    fpgz_chunk_buffers_free(&alone.buffers);
    fpgz_chunk_buffers_free(&led.buffers);
    return found;
}

/* Chunks of another shape do not follow. */
static void test_shape(void)
{
    struct chunk a = {.grid = {FPGZ_F32, 1, {65536, 1, 1, 1}}}, b = {.grid = {FPGZ_F32, 1, {65537, 1, 1, 1}}};
    struct fpgz_lead lead = {.state = FPGZ_LEAD_SOUGHT};
    checking = "another shape";
    encode(&a, "wave", 1, &lead);
    CHECK(lead.state == FPGZ_LEAD_FOUND);
    lead.state = FPGZ_LEAD_FOLLOWED;
    encode(&b, "wave", 1, &lead);
    CHECK(!b.coded.followed && is_restored(&b));
    fpgz_chunk_buffers_free(&a.buffers);
    fpgz_chunk_buffers_free(&b.buffers);
}

int main(void)
{
    static const char *const kinds[] = {"wave",    "turbulence", "special", "weights",    "sensors",
                                        "samples", "particles",  "map",     "checkpoint", "mirrored"};
    static const struct fpgz_grid grids[] = {
        {FPGZ_F32, 1, {131072, 1, 1, 1}}, {FPGZ_F32, 2, {300, 500, 1, 1}}, {FPGZ_F64, 1, {131072, 1, 1, 1}}};
    unsigned leads = 0;
    test_roles();
    test_wait();
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            leads += test_kind(kinds[k], &grids[g]);
    checking = "leads";
    CHECK(leads >= 10);
    test_shape();
    return checks_end();
}
