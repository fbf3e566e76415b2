/* SPDX-License-Identifier: MIT
 * What cb_gmres prints: a table for people, or a line of JSON a storage. */
#ifndef CB_GMRES_REPORT_H
#define CB_GMRES_REPORT_H

#include "gmres.h"

struct request {
    const char *matrix, *device;
    struct gmres_settings settings;
    unsigned threads;
    bool json;
    int exponents_of; /* the number of a vector of the basis, or -1 */
};

/* A solve that has ended. */
struct solved {
    const struct request *request;
    struct engine *engine;
    const struct gmres_report *report;
    double error; /* |x - s| / |s| */
};

void report_head(const struct request *request, const struct matrix *matrix);

/* A row; `first` is the first row's report, which others are compared with. */
void report_row(const struct solved *solved, const struct gmres_report *first);

#endif
