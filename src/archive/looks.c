/* SPDX-License-Identifier: MIT
 * Chunks of an array mostly have one grid: what is looked at is listed once. */
#include "archive/looks.h"

#include "codec/codecs.h"
#include "core/bytes.h"

static void list(struct fpgz_looks *looks, const struct fpgz_codec *codec, const struct fpgz_grid *grid,
                 struct fpgz_backend *backend)
{
    struct fpgz_grid coded;
    codec->fold(grid, &coded);
    looks->grid = *grid;
    looks->runs = codec->looked(&coded, NULL);
    const size_t bytes = looks->runs * sizeof(struct fpgz_looked);
    /* Only a buffer with pages of its own is pinned. */
    if (!looks->runs || !fpgz_buffer_reserve(&looks->run, fpgz_max(bytes, FPGZ_BUFFER_MAPPED))) {
        looks->runs = 0;
        return;
    }
    fpgz_backend_pin(backend, &looks->run);
    looks->runs = codec->looked(&coded, (struct fpgz_looked *)looks->run.data);
}

bool fpgz_looks_list(struct fpgz_looks *looks, const struct fpgz_coder *coder, const struct fpgz_led *led,
                     const struct fpgz_grid *grid, struct fpgz_backend *backend)
{
    const struct fpgz_codec *const codec = coder->codec ? coder->codec : &fpgz_prans;
    if (!codec->looked || coder->swap || coder->turn || !led->leader || led->leads)
        return false;
    if (!looks->grid.dims) /* that of the first one that follows: the last chunk may have another */
        list(looks, codec, grid, backend);
    return looks->runs && fpgz_grid_same(&looks->grid, grid);
}
