/* SPDX-License-Identifier: MIT
 * The high setting's kernels for one dtype: REAL, WORD and SIGNED (its bits), MANTISSA (its bits),
 * HALF_OCTAVE (the shift that leaves exponent and top bit of the mantissa). Loops are written so that
 * compilers can turn them into vectors without reordering any value's sums. */

#define EXPONENT_MASK ((((WORD)1 << (8 * sizeof(WORD) - 1 - MANTISSA)) - 1) << MANTISSA)
#define SIGN_BIT ((WORD)1 << (8 * sizeof(WORD) - 1))
#define ONE_LEVEL (2 * MANTISSA + 6) /* the level of an error of one place in the last digit is 6 */

INLINE WORD NAME(bits)(REAL real)
{
    WORD bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

INLINE REAL NAME(real)(WORD bits)
{
    REAL real;
    memcpy(&real, &bits, sizeof real);
    return real;
}

/* Bits to places among all numbers, in rising order, and back. */
INLINE WORD NAME(place)(WORD bits)
{
    return bits ^ ((WORD)((SIGNED)bits >> (8 * sizeof(WORD) - 1)) | SIGN_BIT);
}

INLINE WORD NAME(unplace)(WORD place)
{
    return place ^ ((WORD)((SIGNED)~place >> (8 * sizeof(WORD) - 1)) | SIGN_BIT);
}

/* To the nearest integer; what is none or out of range ends at the limit. */
INLINE double NAME(nearest)(double sum)
{
    const double limit = sizeof(WORD) == 4 ? 0x1p30 : 0x1p51, magic = 0x1.8p52;
    sum = sum < limit ? sum : limit;
    sum = sum > -limit ? sum : -limit;
    return (sum + magic) - magic;
}

/* A sum as a prediction: the value, and the integer in *index. */
INLINE REAL NAME(settle)(enum prans_kind kind, unsigned shift, WORD half, const struct prans_lattice *lattice,
                         double inverse, double sum, WORD *index)
{
    if (kind == PRANS_INTEGER) {
        const double rounded = NAME(nearest)(sum);
        *index = (WORD)(int64_t)rounded;
        return (REAL)rounded;
    }
    WORD bits = NAME(bits)((REAL)sum);
    bits = (bits & EXPONENT_MASK) == EXPONENT_MASK ? 0 : bits;
    const REAL predicted = NAME(real)(bits);
    if (kind == PRANS_FLOAT)
        *index = (NAME(place)(bits) + half) >> shift;
    else
        *index = (WORD)(int64_t)NAME(nearest)(((double)predicted - lattice->origin) * inverse);
    return predicted;
}

INLINE REAL NAME(value)(enum prans_kind kind, unsigned shift, const struct prans_lattice *lattice, WORD index)
{
    if (kind == PRANS_INTEGER)
        return (REAL)(SIGNED)index;
    if (kind == PRANS_SLAB)
        return (REAL)(lattice->origin + (double)(SIGNED)index * lattice->step);
    return NAME(real)(NAME(unplace)((WORD)(index << shift)) & (WORD)(~(WORD)0 << shift));
}

/* The difference of the values; infinity where it is no finite number. */
INLINE REAL NAME(difference)(REAL real, REAL predicted)
{
    const WORD bits = NAME(bits)(real - predicted);
    return NAME(real)((bits & EXPONENT_MASK) == EXPONENT_MASK ? EXPONENT_MASK : bits);
}

INLINE REAL NAME(magnitude)(REAL error)
{
    return NAME(real)(NAME(bits)(error) & ~SIGN_BIT);
}

/* The energy of a value before which `error` lies; `far` is the far neighbours' part. */
INLINE REAL NAME(energy)(REAL far, const REAL *error, ptrdiff_t x)
{
    REAL energy = far + NAME(magnitude)(error[-2 * x]);
    if (x > 1)
        energy += NAME(magnitude)(error[-1]);
    return energy + NAME(magnitude)(error[-x]);
}

/* Which of the near errors that count with their signs are negative, as flags. */
INLINE unsigned NAME(near_signs)(const struct prans_model *model, const REAL *error)
{
    const ptrdiff_t x = (ptrdiff_t)model->axes.phases;
    const unsigned top = 8 * sizeof(WORD) - 1;
    return (unsigned)(NAME(bits)(error[-x]) >> top) +
           (unsigned)(NAME(bits)(error[-1]) >> top) * model->sign_before +
           (unsigned)(NAME(bits)(error[-2 * x]) >> top) * model->sign_ww;
}

/* What is added to half octaves of the energy to make them a level. */
INLINE int NAME(level_base)(const struct prans_model *model, const struct prans_run *run, bool direct)
{
    if (direct)
        return 2 * (int)model->direct_top + 4;
    if (model->kind == PRANS_FLOAT)
        return ONE_LEVEL - 2 * (int)model->shift;
    const REAL one = model->kind == PRANS_INTEGER ? 1 : (REAL)run->lattice.step;
    return 6 - (int)(NAME(bits)(one) >> HALF_OCTAVE);
}

INLINE unsigned NAME(level)(enum prans_kind kind, bool direct, int base, REAL energy, REAL predicted)
{
    int level = (int)(NAME(bits)(energy) >> HALF_OCTAVE);
    if (direct)
        level = base - level;
    else if (kind == PRANS_FLOAT)
        level += base - 2 * (int)(NAME(bits)(predicted) >> MANTISSA & (EXPONENT_MASK >> MANTISSA));
    else
        level += base;
    level = level < 0 ? 0 : level;
    return level > PRANS_LEVELS - 1 ? PRANS_LEVELS - 1 : (unsigned)level;
}

/* Adds a tap of a run: the values `back` before, by the weights of their phases. */
INLINE void NAME(add_tap)(const struct prans_run *run, unsigned phases, const double weight[PRANS_PHASES],
                          const REAL *back, double *sum)
{
    double repeated[24];
    if (phases == 1) {
        const double one = weight[0];
        for (size_t i = 0; i < run->count; i++)
            sum[i] += one * (double)back[i];
        return;
    }
    for (unsigned i = 0; i < 24; i++)
        repeated[i] = weight[(run->phase + i) % phases];
    if (phases == 3)
        NAME(weigh)(sum, back, repeated, 24, run->count);
    else
        NAME(weigh)(sum, back, repeated, 8, run->count);
}

/* The far taps' sums of a run. */
INLINE void NAME(far_sums)(const struct prans_run *run, unsigned phases, const REAL *real, double *sum)
{
    const struct prans_stencil *s = run->stencil;
    for (size_t i = 0; i < run->count; i++)
        sum[i] = 0;
    for (unsigned tap = 0; tap < s->far; tap++)
        NAME(add_tap)(run, phases, s->far_weight[tap], real - s->offset[tap], sum);
}

/* The far neighbours' part of a run's energies, and of the contexts: their signs and special values. */
INLINE void NAME(far_energies)(const struct prans_model *model, const struct prans_run *run,
                               const REAL *restrict error, const uint8_t *restrict special,
                               REAL *restrict energy, uint16_t *restrict context)
{
    for (size_t i = 0; i < run->count; i++)
        energy[i] = 0, context[i] = 0;
    for (unsigned n = 0; n < model->energies; n++) {
        if (!(run->energies >> n & 1))
            continue;
        const REAL *back = error - model->energy[n];
        for (size_t i = 0; i < run->count; i++)
            energy[i] += NAME(magnitude)(back[i]);
        if (n >= model->signs)
            continue;
        for (size_t i = 0; i < run->count; i++)
            context[i] |= (uint16_t)(NAME(bits)(back[i]) >> (8 * sizeof(WORD) - 1) << (n + 1));
        if (!model->specials)
            continue;
        const uint8_t *flags = special - model->energy[n];
        for (size_t i = 0; i < run->count; i++)
            context[i] = (uint16_t)(context[i] + (flags[i] ? 8 : 0));
    }
}

INLINE void NAME(residuals_of)(const struct prans_model *model, const struct prans_run *run,
                               enum prans_kind kind, const REAL *restrict real, const WORD *restrict y,
                               REAL *restrict predicted, WORD *restrict residual)
{
    const struct prans_stencil *s = run->stencil;
    const unsigned phases = model->axes.phases, shift = model->shift;
    const WORD half = shift ? (WORD)1 << (shift - 1) : 0;
    const double inverse = 1 / run->lattice.step;
    double sum[PRANS_RUN];
    NAME(far_sums)(run, phases, real, sum);
    for (unsigned back = s->near; back; back--)
        NAME(add_tap)(run, phases, s->near_weight[back - 1], real - back, sum);
    for (size_t i = 0; i < run->count; i++) {
        WORD index;
        predicted[i] = NAME(settle)(kind, shift, half, &run->lattice, inverse, sum[i], &index);
        residual[i] = y[i] - index;
    }
}

static void NAME(residuals)(const struct prans_model *model, const struct prans_run *run, const void *real,
                            const void *y, void *predicted, void *residual)
{
    if (model->kind == PRANS_FLOAT)
        NAME(residuals_of)(model, run, PRANS_FLOAT, real, y, predicted, residual);
    else if (model->kind == PRANS_INTEGER)
        NAME(residuals_of)(model, run, PRANS_INTEGER, real, y, predicted, residual);
    else
        NAME(residuals_of)(model, run, PRANS_SLAB, real, y, predicted, residual);
}

static void NAME(errors)(const void *real, const void *predicted, size_t count, void *error)
{
    for (size_t i = 0; i < count; i++)
        ((REAL *)error)[i] = NAME(difference)(((const REAL *)real)[i], ((const REAL *)predicted)[i]);
}

static uint64_t NAME(cost)(const void *residual, size_t count)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < count; i++) {
        const REAL size = NAME(magnitude)((REAL)((const SIGNED *)residual)[i]) + (REAL)0.6;
        cost += (NAME(bits)(size) - ((EXPONENT_MASK >> 1 & EXPONENT_MASK) - ((WORD)2 << MANTISSA))) >>
                (MANTISSA - 16);
    }
    return cost - count * (uint64_t)(0.6 * 0x10000);
}

static void NAME(contexts)(const struct prans_model *model, const struct prans_run *run,
                           const void *predicted, const void *error, const uint8_t *special,
                           uint16_t *context)
{
    const REAL *const errors = error, *const p = predicted;
    const size_t x = model->axes.phases;
    const bool direct = run->direct;
    const int base = NAME(level_base)(model, run, direct);
    REAL energy[PRANS_RUN];
    NAME(far_energies)(model, run, errors, special, energy, context);
    for (size_t i = 0; i < run->count; i++) {
        const REAL all = NAME(energy)(energy[i], errors + i, (ptrdiff_t)x);
        const unsigned level = NAME(level)(model->kind, direct, base, all, p[i]);
        const unsigned flags =
            NAME(near_signs)(model, errors + i) + (special[(ptrdiff_t)i - (ptrdiff_t)x] ? 8 : 0);
        context[i] = direct ? (uint16_t)level : (uint16_t)(level << 5 | (context[i] + flags));
    }
}
