/* SPDX-License-Identifier: MIT
 * Shared memory: a block's part is put aside while others run. */
#include "shared.h"

#include <stdlib.h>
#include <string.h>

#include "emulator.h"
#include "guards.h"

namespace emulator
{
namespace
{
enum { DYNAMIC = 227 << 10, NOBODY = BLOCKS };

alignas(256) uint8_t dynamic_memory[DYNAMIC + 256];
struct shared_area *areas;
uint64_t launches;
unsigned owner; /* the slot whose block's it holds */
size_t declared, asked;

shared_area &dynamic_area()
{
    static shared_area area(dynamic_memory, DYNAMIC);
    return area;
}
} // namespace

shared_area::shared_area(void *at, size_t bytes)
    : at(at), bytes(bytes), most(bytes), used(0), kept{}, has{}, next(areas)
{
    areas = this;
}

void shared_area::use()
{
    if (used == launches)
        return;
    used = launches;
    declared += this == &dynamic_area() ? 0 : bytes;
    memset(has, 0, sizeof has);
    memset(at, GARBAGE, bytes);
    if (declared > STATIC || declared + asked > shared_limit())
        fail("%zu and %zu bytes of shared memory are too many", declared, asked);
}

void *dynamic_shared()
{
    return dynamic_memory;
}

void begin_shared(size_t dynamic)
{
    launches++;
    owner = NOBODY;
    declared = 0;
    asked = dynamic;
    dynamic_area().bytes = dynamic;
    dynamic_area().use();
    guard(dynamic_memory + dynamic, sizeof dynamic_memory - dynamic);
}

void end_shared()
{
    check_guard(dynamic_memory + asked, sizeof dynamic_memory - asked, "shared memory");
    unguard(dynamic_memory, sizeof dynamic_memory);
}

void forget_shared(unsigned slot)
{
    for (shared_area *area = areas; area; area = area->next)
        area->has[slot] = false;
    if (owner == slot)
        owner = NOBODY;
}

void bring_shared(unsigned slot)
{
    if (slot == owner)
        return;
    for (shared_area *area = areas; area; area = area->next) {
        if (area->used != launches)
            continue;
        if (owner != NOBODY) {
            if (!area->kept[owner])
                area->kept[owner] = (uint8_t *)malloc(area->most);
            memcpy(area->kept[owner], area->at, area->bytes);
            area->has[owner] = true;
        }
        if (area->has[slot])
            memcpy(area->at, area->kept[slot], area->bytes);
        else
            memset(area->at, GARBAGE, area->bytes);
    }
    owner = slot;
}
} // namespace emulator
