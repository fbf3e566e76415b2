/* SPDX-License-Identifier: MIT
 * Chunks that lead are kept as long as others may follow them. */
#include "engine/leads.h"

#include <pthread.h>
#include <stdlib.h>

#include "engine/seats.h"

struct fpgz_leader {
    pthread_mutex_t mutex;
    pthread_cond_t change;
    unsigned holders;
    bool done;
    struct fpgz_lead lead;
};

static struct fpgz_leader *hold(struct fpgz_leader *leader)
{
    if (leader) {
        pthread_mutex_lock(&leader->mutex);
        leader->holders++;
        pthread_mutex_unlock(&leader->mutex);
    }
    return leader;
}

static void leave(struct fpgz_leader *leader)
{
    if (!leader)
        return;
    pthread_mutex_lock(&leader->mutex);
    const bool is_last = --leader->holders == 0;
    pthread_mutex_unlock(&leader->mutex);
    if (!is_last)
        return;
    pthread_cond_destroy(&leader->change);
    pthread_mutex_destroy(&leader->mutex);
    free(leader);
}

static struct fpgz_leader *new_leader(void)
{
    struct fpgz_leader *const leader = calloc(1, sizeof *leader);
    if (leader) {
        leader->holders = 1;
        pthread_mutex_init(&leader->mutex, NULL);
        pthread_cond_init(&leader->change, NULL);
    }
    return leader;
}

bool fpgz_leads_next(struct fpgz_leads *leads, struct fpgz_led *led)
{
    const uint64_t place = leads->chunks++ % FPGZ_LEADS_EACH;
    *led = (struct fpgz_led){.leads = !place};
    if (led->leads) {
        leave(leads->last);
        leads->last = leads->leader;
        leads->leader = new_leader();
        led->leads = leads->leader;
        led->lead.state = FPGZ_LEAD_SOUGHT;
    }
    const unsigned behind = leads->last ? FPGZ_LEADS_BEHIND : FPGZ_LEADS_FIRST;
    led->leader = hold(place && place < behind ? leads->last : leads->leader);
    return !place == led->leads;
}

void fpgz_led_begin(struct fpgz_led *led)
{
    struct fpgz_leader *const leader = led->leader;
    if (!leader || led->leads)
        return;
    pthread_mutex_lock(&leader->mutex);
    while (!leader->done) {
        fpgz_seat_leave();
        pthread_cond_wait(&leader->change, &leader->mutex);
        pthread_mutex_unlock(&leader->mutex);
        fpgz_seat_return();
        pthread_mutex_lock(&leader->mutex);
    }
    led->lead = leader->lead;
    pthread_mutex_unlock(&leader->mutex);
    led->lead.state = led->lead.state == FPGZ_LEAD_FOUND ? FPGZ_LEAD_FOLLOWED : FPGZ_LEAD_NONE;
}

void fpgz_led_end(struct fpgz_led *led)
{
    struct fpgz_leader *const leader = led->leader;
    if (led->leads) {
        pthread_mutex_lock(&leader->mutex);
        leader->lead = led->lead;
        leader->done = true;
        pthread_cond_broadcast(&leader->change);
        pthread_mutex_unlock(&leader->mutex);
    }
    leave(leader);
    *led = (struct fpgz_led){.leader = NULL};
}

void fpgz_leads_free(struct fpgz_leads *leads)
{
    leave(leads->leader);
    leave(leads->last);
    *leads = (struct fpgz_leads){.chunks = 0};
}
