/* SPDX-License-Identifier: MIT
 * The image of a file: the file with filtered pieces of arrays replaced by what their filters were given.
 * Arrays have their places in the image. */
#ifndef FPGZ_CORE_IMAGE_H
#define FPGZ_CORE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Without steps the image is the file. */
struct fpgz_image {
    struct fpgz_image_step {
        uint64_t at, end; /* of a piece */
        uint64_t other;   /* its bytes on the other side; in a complete image its end there */
    } * step;
    size_t count;
};

/* Adds a piece: where it begins, its bytes, and its bytes on the other side. False without memory. */
bool fpgz_image_add(struct fpgz_image *image, uint64_t at, uint64_t bytes, uint64_t other);

/* Completes the image, which then translates from the side that `at` is of, `size` bytes long, to the other,
 * whose bytes *other receives. False where pieces overlap, or are not within the size. */
bool fpgz_image_end(struct fpgz_image *image, uint64_t size, uint64_t *other);

/* Where a byte is on the other side. Of pieces this is known of the first byte alone. */
uint64_t fpgz_image_place(const struct fpgz_image *image, uint64_t at);

/* Whether both bytes, and all between, move by the same number: no piece ends between them. */
bool fpgz_image_even(const struct fpgz_image *image, uint64_t first, uint64_t last);

void fpgz_image_free(struct fpgz_image *image);

#endif
