/* SPDX-License-Identifier: MIT
 * The domains for one dtype: REAL, WORD and SIGNED, MANTISSA bits. */

#define SIGN_BIT ((WORD)1 << (8 * sizeof(WORD) - 1))
#define INTEGERS (sizeof(WORD) == 4 ? (double)(1 << 24) : 0x1p51) /* that all are exact, and their sums */

static REAL NAME(real)(WORD bits)
{
    REAL real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

static WORD NAME(place)(WORD bits)
{
    return bits ^ ((WORD)((SIGNED)bits >> (8 * sizeof(WORD) - 1)) | SIGN_BIT);
}

/* --- special values --- */

/* A pattern of a sample with how often it stood there, and behind itself. */
struct NAME(pattern) {
    WORD bits;
    uint32_t times, again;
};

/* A frequent pattern is special if it is no number, a number for want of one, or comes in runs. */
static bool NAME(is_special)(const struct NAME(pattern) * p, size_t sampled)
{
    const REAL real = NAME(real)(p->bits);
    const bool finite = real - real == 0, huge = real > (REAL)1e9 || real < (REAL)-1e9;
    return p->times > sampled / 64 &&
           (!finite || huge || 5 * (uint64_t)p->again > 3 * (uint64_t)p->times || p->times > sampled / 8);
}

static void NAME(specials)(const void *values, size_t count, struct prans_domain *domain)
{
    enum { SLOTS = 1024, SAMPLES = 1 << 14 };
    const WORD *const word = values;
    struct NAME(pattern) slot[SLOTS] = {{0}};
    const size_t samples = count < SAMPLES ? count : SAMPLES;
    domain->specials = 0;
    for (size_t i = 0; i < samples; i++) {
        const size_t at = fpgz_sample_place((uint32_t)i, samples, count);
        struct NAME(pattern) *p = &slot[(uint64_t)word[at] * UINT64_C(0x9E3779B97F4A7C15) >> 54];
        if (p->bits != word[at] && p->times) { /* the more frequent one keeps the slot */
            p->times--;
            continue;
        }
        if (p->bits != word[at])
            *p = (struct NAME(pattern)){word[at], 0, 0};
        p->times++;
        p->again += at && word[at - 1] == word[at];
    }
    for (; domain->specials < PRANS_SPECIALS; domain->specials++) {
        struct NAME(pattern) *best = NULL;
        for (unsigned i = 0; i < SLOTS; i++)
            if (NAME(is_special)(&slot[i], samples) && (!best || slot[i].times > best->times))
                best = &slot[i];
        if (!best)
            break;
        domain->special[domain->specials] = best->bits;
        best->times = 0;
    }
}

static void NAME(flags)(const void *values, size_t count, const struct prans_domain *domain, uint8_t *flag)
{
    const WORD *const word = values;
    memset(flag, 0, count);
    for (unsigned s = 0; s < domain->specials; s++) {
        const WORD special = (WORD)domain->special[s];
        for (size_t i = 0; i < count; i++)
            flag[i] = word[i] == special ? (uint8_t)(s + 1) : flag[i];
    }
}

/* --- float --- */

static void NAME(shift_places)(const WORD *word, size_t count, unsigned shift, WORD *integer)
{
    for (size_t i = 0; i < count; i++)
        integer[i] = NAME(place)(word[i]) >> shift;
}

static bool NAME(enter_float)(const void *values, const uint8_t *flag, size_t count,
                              const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    const WORD *const word = values;
    WORD all = 0;
    (void)room;
    domain->id = PRANS_DOMAIN_FLOAT;
    for (size_t i = 0; i < count; i++)
        all |= flag[i] ? 0 : word[i];
    domain->shift = all ? (unsigned)__builtin_ctzll(all) : 0;
    if (domain->shift > MANTISSA - 1)
        domain->shift = MANTISSA - 1;
    NAME(shift_places)(word, count, domain->shift, y);
    return true;
}

/* --- lattice --- */

/* The integer of a value; it is one of the lattice where the value comes back. */
static inline bool NAME(to_lattice)(REAL real, double scale, int64_t *integer)
{
    const double product = (double)real * scale, magic = 0x1.8p52;
    if (!(product > -INTEGERS && product < INTEGERS))
        return false;
    const double rounded = (product + magic) - magic;
    *integer = (int64_t)rounded;
    return NAME(bits_of)((REAL)(rounded / scale)) == NAME(bits_of)(real);
}

/* The smallest scale that fits a sample but for its exceptions; false when none does. */
static bool NAME(find_scale)(const REAL *real, const uint8_t *flag, size_t count, unsigned *found)
{
    enum { SAMPLES = 2048, SCALES = PRANS_DECIMALS + 32 + 64 };
    const size_t samples = count < SAMPLES ? count : SAMPLES;
    for (unsigned scale = 0; scale < SCALES; scale++) {
        if (scale == (sizeof(WORD) == 4 ? 8 : PRANS_DECIMALS))
            scale = PRANS_DECIMALS;
        const double power = fpgz_prans_scale_of(scale);
        size_t misfits = 0, looked_at = 0;
        for (size_t i = 0; i < samples && misfits * PRANS_EXCEPTION_PART <= samples; i++) {
            const size_t at = fpgz_sample_place((uint32_t)i, samples, count);
            int64_t integer;
            looked_at += !flag[at];
            misfits += !flag[at] && !NAME(to_lattice)(real[at], power, &integer);
        }
        if (looked_at && misfits * PRANS_EXCEPTION_PART <= looked_at) {
            *found = scale;
            return true;
        }
    }
    return false;
}

static uint64_t NAME(common)(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool NAME(enter_lattice)(const void *values, const uint8_t *flag, size_t count,
                                const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    const REAL *const real = values;
    SIGNED *const integer = y;
    domain->id = PRANS_DOMAIN_LATTICE;
    domain->exceptions = 0;
    domain->exception = room->exception;
    domain->exact = room->exact;
    if (!NAME(find_scale)(real, flag, count, &domain->scale))
        return false;
    const double power = fpgz_prans_scale_of(domain->scale);
    int64_t least = INT64_MAX, first = 0;
    uint64_t step = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t k = 0;
        if (!flag[i] && NAME(to_lattice)(real[i], power, &k)) {
            first = least == INT64_MAX ? k : first;
            least = k < least ? k : least;
            if (step != 1)
                step = NAME(common)(step, (uint64_t)(k < first ? first - k : k - first));
        } else if (!flag[i]) {
            if ((domain->exceptions + 1) * PRANS_EXCEPTION_PART > count)
                return false;
            domain->exception[domain->exceptions] = (uint32_t)i;
            ((WORD *)domain->exact)[domain->exceptions++] = NAME(bits_of)(real[i]);
        }
        integer[i] = (SIGNED)k;
    }
    if (least == INT64_MAX)
        return false;
    /* Integers keep their zero, so that what is about zero stays so; their origin is what the step leaves. */
    domain->step = step ? step : 1;
    domain->origin = least % (int64_t)domain->step;
    if (domain->origin < 0)
        domain->origin += (int64_t)domain->step;
    if (domain->step > 1)
        for (size_t i = 0; i < count; i++)
            integer[i] = (SIGNED)(((int64_t)integer[i] - domain->origin) / (int64_t)domain->step);
    for (size_t i = 0; i < domain->exceptions; i++) {
        const size_t at = domain->exception[i];
        integer[at] = at ? integer[at - 1] : 0;
    }
    return true;
}

/* --- rank --- */

/* The slot of a place in the hash table of places in `dictionary`: that of its number + 1, or an empty one.
 */
static inline uint32_t *NAME(slot)(const struct prans_domain_room *room, const WORD *dictionary, WORD place)
{
    size_t at = (size_t)((uint64_t)place * UINT64_C(0x9E3779B97F4A7C15) >> (64 - room->slot_bits));
    while (room->slots[at] && dictionary[room->slots[at] - 1] != place)
        at = (at + 1) & (((size_t)1 << room->slot_bits) - 1);
    return &room->slots[at];
}

static int NAME(by_place)(const void *a, const void *b)
{
    const WORD x = *(const WORD *)a, y = *(const WORD *)b;
    return (x > y) - (x < y);
}

/* Whether a sample has as many values more than once as it would at least if few were distinct. Uses the
 * room's slots and dictionary. */
static bool NAME(repeats)(const WORD *word, const uint8_t *flag, size_t count, struct prans_domain_room room)
{
    enum { SAMPLES = 4096, SLOT_BITS = 13, MARGIN = 4 };
    WORD *const dictionary = room.dictionary;
    const size_t most = count / PRANS_DISTINCT_PART;
    size_t distinct = 0, sampled = 0;
    if (most < SAMPLES || room.slot_bits < SLOT_BITS)
        return true;
    room.slot_bits = SLOT_BITS;
    memset(room.slots, 0, sizeof *room.slots << SLOT_BITS);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        const size_t at = fpgz_sample_place(i, SAMPLES, count);
        if (flag[at])
            continue;
        const WORD place = NAME(place)(word[at]);
        uint32_t *const slot = NAME(slot)(&room, dictionary, place);
        sampled++;
        if (*slot)
            continue;
        dictionary[distinct++] = place;
        *slot = (uint32_t)distinct;
    }
    return (sampled - distinct) * most * 2 * MARGIN >= sampled * sampled;
}

static bool NAME(enter_rank)(const void *values, const uint8_t *flag, size_t count,
                             const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    const WORD *const word = values;
    WORD *const dictionary = room->dictionary, *const rank = y;
    const size_t most = count / PRANS_DISTINCT_PART;
    domain->id = PRANS_DOMAIN_RANK;
    domain->dictionary = dictionary;
    domain->distinct = 0;
    if (!NAME(repeats)(word, flag, count, *room))
        return false;
    memset(room->slots, 0, sizeof *room->slots << room->slot_bits);
    for (size_t i = 0; i < count; i++) {
        const WORD place = NAME(place)(word[i]);
        if (flag[i])
            continue;
        uint32_t *const slot = NAME(slot)(room, dictionary, place);
        if (*slot)
            continue;
        if (domain->distinct == most)
            return false;
        dictionary[domain->distinct++] = place;
        *slot = (uint32_t)domain->distinct;
    }
    if (!domain->distinct)
        return false;
    qsort(dictionary, domain->distinct, sizeof *dictionary, NAME(by_place));
    memset(room->slots, 0, sizeof *room->slots << room->slot_bits);
    for (size_t i = 0; i < domain->distinct; i++)
        *NAME(slot)(room, dictionary, dictionary[i]) = (uint32_t)i + 1;
    for (size_t i = 0; i < count; i++)
        rank[i] = flag[i] ? 0 : *NAME(slot)(room, dictionary, NAME(place)(word[i])) - 1;
    return true;
}

/* --- slabs --- */

#include "codec/prans/domain/slab_tmpl.h"

/* --- all --- */

static void NAME(reals)(const struct prans_domain *domain, size_t first, const void *values, const void *y,
                        size_t count, void *real)
{
    if (domain->id == PRANS_DOMAIN_FLOAT)
        memcpy(real, values, count * sizeof(REAL));
    else if (domain->id == PRANS_DOMAIN_SPLIT)
        for (size_t i = 0; i < count; i++)
            ((WORD *)real)[i] = ((const WORD *)values)[i] >> domain->shift << domain->shift;
    else if (domain->id == PRANS_DOMAIN_SLAB)
        NAME(values_of)(domain, first, y, count, real);
    else
        for (size_t i = 0; i < count; i++)
            ((REAL *)real)[i] = (REAL)((const SIGNED *)y)[i];
}

/* An integer again, whatever stands there. */
static inline int64_t NAME(integer)(REAL real)
{
    return real > (REAL)-0x1p52 && real < (REAL)0x1p52 ? (int64_t)real : 0;
}

static void NAME(leave)(const struct prans_domain *domain, const void *real, const uint8_t *flag,
                        size_t count, void *values)
{
    WORD *const out = values;
    const REAL *const in = real;
    if (domain->id == PRANS_DOMAIN_FLOAT || domain->id == PRANS_DOMAIN_SLAB ||
        domain->id == PRANS_DOMAIN_SPLIT) {
        memcpy(values, real, count * sizeof(WORD));
    } else if (domain->id == PRANS_DOMAIN_LATTICE) {
        const double power = fpgz_prans_scale_of(domain->scale);
        for (size_t i = 0; i < count; i++) {
            const uint64_t k = (uint64_t)domain->origin + domain->step * (uint64_t)NAME(integer)(in[i]);
            out[i] = NAME(bits_of)((REAL)((double)(int64_t)k / power));
        }
    } else {
        const WORD *const dictionary = domain->dictionary;
        for (size_t i = 0; i < count; i++) {
            const int64_t rank = NAME(integer)(in[i]);
            const size_t last = domain->distinct - 1;
            out[i] = NAME(of_place)(dictionary[rank < 0 ? 0 : (uint64_t)rank > last ? last : (size_t)rank]);
        }
    }
    for (size_t i = 0; i < count && domain->specials; i++)
        out[i] = flag[i] ? (WORD)domain->special[flag[i] - 1] : out[i];
}

#include "codec/prans/domain/description_tmpl.h"

#undef SIGN_BIT
#undef INTEGERS
