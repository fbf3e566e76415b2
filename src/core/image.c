/* SPDX-License-Identifier: MIT
 * Translates between a file and its image, whichever side the pieces were given for. */
#include "core/image.h"

#include <stdlib.h>

#include "core/bytes.h"
#include "core/room.h"

bool fpgz_image_add(struct fpgz_image *image, uint64_t at, uint64_t bytes, uint64_t other)
{
    struct fpgz_image_step *const larger = fpgz_room(image->step, image->count, sizeof *larger);
    if (!larger)
        return false;
    image->step = larger;
    image->step[image->count++] = (struct fpgz_image_step){at, at + bytes, other};
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct fpgz_image_step *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

bool fpgz_image_end(struct fpgz_image *image, uint64_t size, uint64_t *other)
{
    uint64_t end = 0, place = 0;
    if (image->count)
        qsort(image->step, image->count, sizeof *image->step, by_place);
    for (size_t i = 0; i < image->count; i++) {
        struct fpgz_image_step *const step = &image->step[i];
        if (step->at < end || step->end <= step->at || step->end > size ||
            !fpgz_add(place, step->at - end, &place) || !fpgz_add(place, step->other, &place))
            return false;
        end = step->end;
        step->other = place;
    }
    return fpgz_add(place, size - end, other);
}

/* How many pieces end before byte `at`, or there. */
static size_t passed(const struct fpgz_image *image, uint64_t at)
{
    size_t first = 0, end = image->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (image->step[middle].end <= at)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

uint64_t fpgz_image_place(const struct fpgz_image *image, uint64_t at)
{
    const size_t before = passed(image, at);
    return before ? image->step[before - 1].other + (at - image->step[before - 1].end) : at;
}

bool fpgz_image_even(const struct fpgz_image *image, uint64_t first, uint64_t last)
{
    return passed(image, first) == passed(image, last);
}

void fpgz_image_free(struct fpgz_image *image)
{
    free(image->step);
    *image = (struct fpgz_image){0};
}
