/* SPDX-License-Identifier: MIT
 * The image of a file that holds arrays in filtered pieces: planned, looked at, and made its content. */
#ifndef FPGZ_ARCHIVE_IMAGING_H
#define FPGZ_ARCHIVE_IMAGING_H

#include "archive/trial.h"

struct fpgz_imaging {
    const struct fpgz_setup *setup;
    const struct fpgz_input *input;
    struct fpgz_content *content;
    struct fpgz_trial *trial; /* of content->filtered */
    size_t trials;

    /* fpgz_imaging_make() */
    struct fpgz_part *part;    /* of each trial: its part of the image; room for them is the caller's */
    struct fpgz_image forward; /* from the file to the image */
    struct fpgz_image image;   /* from the image to the file */
    uint64_t size;             /* of the image */
};

/* Skips arrays with pieces that overlap others, or bytes of a part: the image has every byte once. Each of
 * these functions returns false without memory. */
bool fpgz_imaging_separate(const struct fpgz_imaging *imaging);

/* Makes the parts of all arrays that are not skipped, and the image. */
bool fpgz_imaging_make(struct fpgz_imaging *imaging);

/* Frees what that has made. */
void fpgz_imaging_undo(struct fpgz_imaging *imaging);

/* Makes the content that of the image, to which the parts go. */
bool fpgz_imaging_commit(struct fpgz_imaging *imaging);

#endif
