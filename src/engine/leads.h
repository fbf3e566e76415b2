/* SPDX-License-Identifier: MIT
 * Which chunks of an array lead, and which follow. Large arrays have many chunks that are alike: a few of
 * them find out how they are best coded (codec/prans/lead.h), and the others begin with that. Who follows
 * whom depends on the chunks' numbers alone. */
#ifndef FPGZ_ENGINE_LEADS_H
#define FPGZ_ENGINE_LEADS_H

#include <stdbool.h>
#include <stdint.h>

#include "codec/prans/lead.h"

enum {
    FPGZ_LEADS_EACH = 64, /* one chunk of so many leads */
    /* From the so many next on chunks follow it. Those are not under way yet, mostly, so that nobody waits.
     * Those before follow the one that led before. */
    FPGZ_LEADS_BEHIND = 48,
    /* From here on chunks follow the first one: as many as there are processors, often, have begun with it,
     * and would do so again. Files of fewer chunks have none that follow. */
    FPGZ_LEADS_FIRST = 16,
};

/* Of one array. */
struct fpgz_leads {
    uint64_t chunks;                   /* that have begun */
    struct fpgz_leader *leader, *last; /* the newest one and that before */
};

/* What a chunk has to do with others. */
struct fpgz_led {
    struct fpgz_lead lead;      /* for its coder */
    struct fpgz_leader *leader; /* itself, or another one; NULL: neither */
    bool leads;
};

/* Takes the next chunk of the array; chunks of an array are taken in their order. False without memory. */
bool fpgz_leads_next(struct fpgz_leads *leads, struct fpgz_led *led);

/* Before the chunk is coded: waits until the one that it follows is. */
void fpgz_led_begin(struct fpgz_led *led);

/* Behind that; for each chunk that was taken, also where it was not coded. */
void fpgz_led_end(struct fpgz_led *led);

/* No more chunks are taken. Those that were keep whom they follow. */
void fpgz_leads_free(struct fpgz_leads *leads);

#endif
