# SPDX-License-Identifier: BSD-3-Clause
"""Reseat for Python: read profiles, map ranks with libtmap, draw who talks to whom.

    import reseat
    profile = reseat.read_profile("app.reseat")
    traffic = profile.traffic()                     # bytes from rank to rank

    from reseat import tmap                         # needs the library libtmap
    tree = tmap.Tree("node:4 core:4")
    slot_of = tmap.find_mapping(tmap.Matrix.from_traffic(traffic), tree)

    from reseat import heatmap                      # needs matplotlib
    heatmap.draw(traffic).savefig("heat.png")

Only the standard library is needed to read profiles. Importing the package loads neither libtmap nor numpy, pandas or
matplotlib.
"""

from reseat.profile import (CallTime, Communicator, Profile, ProfileError, RankTime, Rows, Seat, Traffic,
                            read_profile)

__all__ = ["CallTime", "Communicator", "Profile", "ProfileError", "RankTime", "Rows", "Seat", "Traffic", "read_profile"]
