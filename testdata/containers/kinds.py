# SPDX-License-Identifier: MIT
"""Containers of files of each kind that has no container of its own elsewhere."""
from containers import BYTES, PIECES, member, part_chunk, part_section, parts_file, ramp, table

KINDS = ((4, 'safetensors', b'layer.weight'), (5, 'netcdf3', b'temperature'), (6, 'fits', b'SCI'), (7, 'zip', b'x'),
         (8, 'vtkxml', b'PointData/x'), (9, 'vtk', b'PointData/x'), (10, 'segy', b'samples'), (11, 'nifti', b'image'),
         (12, 'mrc', b'map'), (13, 'gguf', b'layer.weight'), (14, 'fortran', b'record.1'), (15, 'grib', b'message.1'))


def make_good(make):
    """A file of 64 bytes: 16 that are opaque, an array of two pieces with a gap of 8 bytes, and 8 bytes."""
    values, opaque = ramp('f', 8), bytes(range(1, 33))
    for kind, name, array in KINDS:
        make.by_hand(f'kind-{name}', f'a {name} file', member([
            parts_file(kind, 64, 4),
            part_section(0, 1, [2, 4], 32, PIECES, offset=16, name=array, piece=(1, 4), stored=2, body=table(2, 16, 8, 0)),
            part_section(1, 3, [32], 128, BYTES, body=table(0, 16, 16, 8, 16, 8)),
            part_chunk(0, 0, 0, values, 4), part_chunk(1, 0, 0, opaque, 1)]))
