/* SPDX-License-Identifier: MIT
 * Affine lattices, one a slab, for one dtype: values that were packed as an origin and integers times a power
 * of two, as in GRIB. REAL, WORD and SIGNED, MANTISSA and EXPONENT_MAX, NAME; bits_of(), real() and
 * of_slab(). */

/* The integer of a finite value; it is one of the lattice where the value comes back. */
static inline bool NAME(to_slab)(const struct prans_lattice *lattice, REAL real, SIGNED *integer)
{
    const double magic = 0x1.8p52, exact = ((double)real - lattice->origin) / lattice->step;
    if (!(exact >= 0 && exact < INTEGERS))
        return false;
    *integer = (SIGNED)((exact + magic) - magic);
    return NAME(of_slab)((WORD)*integer, lattice) == NAME(bits_of)(real);
}

/* Biased, of normal numbers and 0. */
static inline int NAME(exponent)(REAL real)
{
    return (int)(NAME(bits_of)(real) >> MANTISSA & EXPONENT_MAX);
}

static inline double NAME(power)(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The slab's origin, and the largest step that fits a sample of it. *coarse tells whether that is well above
 * the last digits of its values. */
static void NAME(fit_slab)(const REAL *real, const uint8_t *flag, size_t count, bool *coarse,
                           struct prans_lattice *lattice)
{
    enum { SAMPLES = 97, MISFITS = SAMPLES / PRANS_EXCEPTION_PART, COARSE = 3 };
    REAL least = 0, most = 0;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        if (flag[i] || NAME(exponent)(real[i]) == EXPONENT_MAX)
            continue;
        least = !any || real[i] < least ? real[i] : least;
        most = !any || real[i] > most ? real[i] : most;
        any = true;
    }
    *coarse = false;
    *lattice = (struct prans_lattice){(double)least, 1};
    const REAL span = most - least, larger = most > -least ? most : -least;
    const int bias = EXPONENT_MAX / 2, finest = NAME(exponent)(larger) - bias - MANTISSA;
    int low = finest, high = NAME(exponent)(span) - bias;
    if (!any || high < low || NAME(exponent)(span) == EXPONENT_MAX || finest <= -bias)
        return;
    while (low < high) { /* what fits a step fits its half */
        const int middle = high - (high - low) / 2;
        unsigned misfits = 0;
        lattice->step = NAME(power)(middle);
        for (uint32_t i = 0; i < SAMPLES && misfits <= MISFITS; i++) {
            SIGNED integer;
            const size_t at = fpgz_sample_place(i, SAMPLES, count);
            misfits += at < count && !flag[at] && !NAME(to_slab)(lattice, real[at], &integer);
        }
        if (misfits <= MISFITS)
            low = middle;
        else
            high = middle - 1;
    }
    lattice->step = NAME(power)(low);
    *coarse = low >= finest + COARSE;
}

static bool NAME(enter_slab)(const void *values, const uint8_t *flag, size_t count,
                             const struct prans_domain_room *room, struct prans_domain *domain, void *y)
{
    enum { TRIED = 8 }; /* slabs, of which half must do */
    const REAL *const real = values;
    SIGNED *const integer = y;
    const size_t slabs = count / room->slab;
    size_t coarse = 0;
    domain->id = PRANS_DOMAIN_SLAB;
    domain->exceptions = 0;
    domain->exception = room->exception;
    domain->exact = room->exact;
    domain->lattice = room->lattice;
    domain->slab = room->slab;
    domain->slabs = slabs;
    for (size_t s = 0; s < slabs; s++) {
        const size_t first = s * room->slab, end = first + room->slab;
        bool is_coarse;
        NAME(fit_slab)(real + first, flag + first, room->slab, &is_coarse, &room->lattice[s]);
        coarse += is_coarse;
        if ((s + 1 == TRIED || s + 1 == slabs) && 2 * coarse < s + 1)
            return false;
        for (size_t i = first; i < end; i++) {
            integer[i] = i > first ? integer[i - 1] : 0;
            SIGNED k;
            if (flag[i])
                continue;
            if (NAME(exponent)(real[i]) != EXPONENT_MAX && NAME(to_slab)(&room->lattice[s], real[i], &k)) {
                integer[i] = k;
                continue;
            }
            if ((domain->exceptions + 1) * PRANS_EXCEPTION_PART > count)
                return false;
            domain->exception[domain->exceptions] = (uint32_t)i;
            ((WORD *)domain->exact)[domain->exceptions++] = NAME(bits_of)(real[i]);
        }
    }
    return true;
}

/* Origins as their bits, steps by how their exponents differ from the slab's before. */
static void NAME(code_slabs)(struct prans_range *r, size_t count, const struct prans_domain_room *room,
                             struct prans_domain *domain)
{
    uint16_t chances[PRANS_NUMBER_CHANCES];
    int64_t before = 0;
    fpgz_prans_chances(chances, PRANS_NUMBER_CHANCES);
    domain->lattice = room->lattice;
    domain->slab = room->slab;
    domain->slabs = count / room->slab;
    for (size_t s = 0; s < domain->slabs && !r->failed; s++) {
        struct prans_lattice *const lattice = &domain->lattice[s];
        uint64_t step;
        memcpy(&step, &lattice->step, sizeof step);
        const WORD origin =
            (WORD)fpgz_prans_range_bits(r, 8 * sizeof(WORD), NAME(bits_of)((REAL)lattice->origin));
        const int64_t difference = (int64_t)(step >> 52) - 1023 - before;
        const uint64_t coded = fpgz_prans_range_number(
            r, chances, (uint64_t)difference << 1 ^ (uint64_t)(difference < 0 ? -1 : 0));
        const int64_t exponent = before + (int64_t)(coded >> 1 ^ -(coded & 1));
        if ((origin >> MANTISSA & EXPONENT_MAX) == EXPONENT_MAX || coded > 4096 || exponent < -1022 ||
            exponent > 1023) {
            r->failed = true;
            return;
        }
        *lattice = (struct prans_lattice){(double)NAME(real)(origin), NAME(power)((int)exponent)};
        before = exponent;
    }
}
